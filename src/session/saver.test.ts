import { describe, expect, inject, test, vi } from "vitest";
import { toHex } from "../base/bytes.ts";
import { FIRST_ORIGIN } from "./first-world.ts";
import type { Session } from "./session.ts";
import {
  MemoryStorage,
  openTab,
  settle,
  type TestTab,
  testHost,
  turnsUntil,
  until,
} from "./testing.ts";

async function fresh(storage = new MemoryStorage(), host = testHost()) {
  const tab = openTab(storage, host);
  const id = await tab.worlds.create(FIRST_ORIGIN, "mine");
  tab.session.control({ case: "pause", value: true });
  return { ...tab, id };
}

async function reopened({ storage, id }: { storage: MemoryStorage; id: string }): Promise<TestTab> {
  const tab = openTab(new MemoryStorage(storage.records));
  await tab.worlds.open(id);
  await until(tab.session, tab.session.restored);
  return tab;
}

const blocks = (session: Session, count: number): void => {
  session.control({ case: "stepBlocks", value: count });
  settle(session);
};

const act = (session: Session, url = "https://a/b"): Promise<unknown> =>
  until(session, session.runStep(`{"release":{"name":"v1","url":"${url}","serves":"empty"}}`));

const place = ({ sim }: Session) => [sim.rounds, sim.height, toHex(sim.appHash), sim.journalLength];
const kinds = ({ saving }: TestTab) => saving.notices.map(({ kind }) => kind);

describe("saving", () => {
  test("writes nothing when nothing has changed, and no more of the journal than has", async () => {
    const tab = await fresh();
    await act(tab.session);
    await tab.save();
    const { length } = tab.storage.writes;
    await tab.save();
    expect(tab.storage.writes).toHaveLength(length);
    blocks(tab.session, 1);
    await tab.save();
    expect(tab.storage.writes.at(-1)).toEqual([
      expect.stringMatching(/head-0$/),
      expect.stringMatching(/head-1$/),
    ]);
  });

  test("is seen: an action is pending until it is on disk", async () => {
    const tab = await fresh();
    await act(tab.session);
    const settled = tab.saving.settled();
    expect(tab.saving).toMatchObject({ state: "saving", pending: 1 });
    await settled;
    expect(tab.saving).toMatchObject({ state: "saved", pending: 0 });
  });

  test("that finds the storage cleared says so, and writes everything again", async () => {
    const tab = await fresh();
    await act(tab.session, "https://a/first");
    blocks(tab.session, 300);
    await tab.save();
    tab.storage.records.clear();
    await act(tab.session, "https://a/second");
    await tab.save();
    expect(kinds(tab)).toEqual(["cleared"]);
    expect(tab.saving.state).toBe("saved");
    expect(place((await reopened(tab)).session)).toEqual(place(tab.session));
  });

  test.each([
    ["both copies of its beginning", /beginning-\d$/],
    ["a segment of its journal that is not the last", /\/journal\/0+$/],
    ["the newest segment of its journal", /\/journal\/0+1$/],
  ])("that finds %s gone says so, and writes it again", async (_, gone) => {
    const tab = await fresh();
    await act(tab.session, "https://a/first");
    blocks(tab.session, 600);
    await tab.save();
    await act(tab.session, "https://a/second");
    await tab.save();
    const { records } = tab.storage;
    const lost = [...records.keys()].filter((key) => gone.test(key));
    expect(lost.length).toBeGreaterThan(0);
    for (const key of lost) records.delete(key);
    blocks(tab.session, 1);
    await tab.save();
    expect(kinds(tab)).toEqual(["cleared"]);
    const back = await reopened(tab);
    expect(kinds(back)).toEqual([]);
    expect(place(back.session)).toEqual(place(tab.session));
    blocks(tab.session, 1);
    await tab.save();
    expect(kinds(tab)).toEqual(["cleared"]);
  });

  test("of a long world whose storage was cleared writes a keyframe too, so that it comes back without a replay", async () => {
    const tab = await fresh();
    blocks(tab.session, 600);
    await tab.save();
    tab.storage.records.clear();
    await act(tab.session);
    await tab.save();
    const keyframes = [...tab.storage.records.keys()].filter((key) => key.includes("/keyframe/"));
    expect(keyframes).toHaveLength(1);
    expect(keyframes[0]).toContain("000000000600");
  });

  test("of a world that was opened from a keyframe can write everything again too", async () => {
    const tab = await fresh();
    await act(tab.session, "https://a/first");
    blocks(tab.session, 300);
    await tab.save();
    const back = await reopened(tab);
    for (let turns = 0; turns < 5; turns++) await new Promise((resolve) => setImmediate(resolve));
    back.storage.records.clear();
    await act(back.session, "https://a/second");
    await back.save();
    expect(kinds(back)).toEqual(["cleared"]);
    const again = await reopened({ storage: back.storage, id: tab.id });
    expect(place(again.session)).toEqual(place(back.session));
    expect(again.session.sim.journalLength).toBe(2);
  });

  test("that lost both heads and the end of its journal does not say that no action is lost", async () => {
    const tab = await fresh();
    for (let i = 0; i < 5; i++) await act(tab.session, `https://a/${i}`);
    await tab.save();
    blocks(tab.session, 300);
    await tab.save();
    for (let i = 5; i < 10; i++) await act(tab.session, `https://a/${i}`);
    await tab.save();
    const { records } = tab.storage;
    for (const key of [...records.keys()]) {
      if (/\/head-\d$|\/journal\/0*5$/.test(key)) records.delete(key);
    }
    const back = await reopened(tab);
    expect(back.session.sim.journalLength).toBe(5);
    expect(back.saving.notices[0]?.text).toContain("All actions that were found were replayed");
    expect(back.saving.notices[0]?.text).not.toContain("No action is lost");
  });

  test.each([
    ["QuotaExceededError", "full"],
    ["InvalidStateError", "unavailable"],
  ])(
    "that fails with a %s says so once, holds up no action, and goes on later",
    async (name, kind) => {
      const tab = await fresh();
      tab.storage.failure = Object.assign(new Error("it cannot be written"), { name });
      await act(tab.session);
      await tab.saving.settled();
      await tab.saving.settled();
      expect(tab.saving).toMatchObject({ state: "unsaved", failure: kind });
      expect(kinds(tab)).toEqual([kind]);
      tab.storage.failure = undefined;
      blocks(tab.session, 1);
      await tab.save();
      expect(tab.saving).toMatchObject({ state: "saved", failure: undefined, notices: [] });
      expect(place((await reopened(tab)).session)).toEqual(place(tab.session));
    },
  );

  test("of a new world is under way until it is on disk for the first time", async () => {
    const tab = openTab();
    let answer = (): void => {};
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const write = tab.storage.write.bind(tab.storage);
    tab.storage.write = async (...args) => {
      await answered;
      return write(...args);
    };
    const kept = tab.worlds.saveCopy("mine");
    expect(tab.saving).toMatchObject({ state: "saving", pending: 0 });
    answer();
    await kept;
    expect(tab.saving.state).toBe("saved");
  });

  test("that fails again when it is tried again still has its notice, and one that succeeds has none", async () => {
    const tab = await fresh();
    tab.storage.failure = Object.assign(new Error("no"), { name: "QuotaExceededError" });
    await act(tab.session);
    await tab.save();
    const retry = () => tab.saving.answer(tab.saving.notices[0]?.id ?? "", "retry");
    await expect(retry()).rejects.toThrow("it could still not be saved");
    expect(kinds(tab)).toEqual(["full"]);
    tab.storage.failure = undefined;
    await retry();
    expect(kinds(tab)).toEqual([]);
  });

  test("that fails for another reason than before says that one alone", async () => {
    const tab = await fresh();
    tab.storage.failure = new Error("The database is closing.");
    await act(tab.session);
    await tab.save();
    expect(tab.saving.notices[0]?.text).toBe(
      "This world is not being saved: The database is closing. Saving is tried again by itself.",
    );
    tab.storage.failure = Object.assign(new Error("no"), { name: "QuotaExceededError" });
    await tab.save();
    expect(kinds(tab)).toEqual(["full"]);
  });

  test("in a storage that does not answer is given up after a while, and tried again", async () => {
    let late = (): void => {};
    const delay = (ms: number): Promise<void> =>
      new Promise((resolve) => {
        if (ms === 0) setImmediate(resolve);
        else late = resolve;
      });
    const tab = await fresh(new MemoryStorage(), testHost({ delay }));
    await act(tab.session);
    tab.storage.hangs = true;
    const settled = tab.saving.settled();
    await new Promise((resolve) => setImmediate(resolve));
    late();
    await settled;
    expect(tab.saving.state).toBe("unsaved");
    expect(kinds(tab)).toEqual(["unavailable"]);
    expect(tab.saving.notices[0]?.text).toContain("the storage does not answer");
    tab.storage.hangs = false;
    await tab.save();
    expect(tab.saving.state).toBe("saved");
  });
});

test("a write that was given up and is done after all is not taken for another tab's", async () => {
  const tab = await fresh();
  await tab.save();
  const { storage } = tab;
  const write = storage.write.bind(storage);
  storage.write = async (puts, removals) => {
    await write(puts, removals);
    throw new Error("the storage does not answer");
  };
  await act(tab.session);
  await tab.save();
  expect(tab.saving.state).toBe("unsaved");
  storage.write = write;
  blocks(tab.session, 1);
  await tab.save();
  expect(tab.saving.state).toBe("saved");
  expect(place((await reopened(tab)).session)).toEqual(place(tab.session));
});

describe("keyframes", () => {
  const keyframesOf = ({ storage }: TestTab) =>
    [...storage.records.keys()].flatMap((key) => /\/keyframe\/(\d+)/.exec(key)?.slice(1) ?? []);

  /** Runs a world at full speed for some rounds, in slices, between which writes complete. */
  async function run({ session }: TestTab, rounds: number): Promise<void> {
    let time = 0;
    const now = (): number => {
      time += 1;
      return time;
    };
    session.control({ case: "speed", value: 0 });
    session.control({ case: "play", value: true });
    const end = session.sim.rounds + rounds;
    while (session.sim.rounds < end) {
      session.player.slice(8, now);
      await new Promise((resolve) => setImmediate(resolve));
    }
    session.control({ case: "pause", value: true });
  }

  /** A host whose clock never reaches the end of a pause: keyframes are as rare as possible. */
  function slowHost() {
    let time = -1;
    return testHost({
      clock: () => {
        time *= 0.9;
        return time;
      },
    });
  }

  test("are 8 192 rounds and a slice apart at most, however many are made between two saves", async () => {
    const tab = await fresh(new MemoryStorage(), slowHost());
    await run(tab, inject("soak") ? 90_000 : 45_000);
    await tab.save();
    const rounds = [0, ...keyframesOf(tab).map(Number), tab.session.sim.rounds];
    const gaps = rounds.slice(1).map((round, i) => round - (rounds[i] ?? 0));
    expect(rounds.length).toBeGreaterThan(inject("soak") ? 10 : 5);
    expect(Math.max(...gaps)).toBeLessThan(8_600);
  });

  /** Makes a world's keyframes larger by some bytes; returns a function that counts them. */
  function enlarge({ session }: TestTab, bytes: number) {
    const { observer } = session.player.live;
    const state = { ...observer.state(), more: new Uint8Array(bytes) };
    return vi.spyOn(observer, "state").mockReturnValue(state);
  }

  test("that take much are written before a save is asked for, once and not at each slice", async () => {
    const tab = await fresh(new MemoryStorage(), slowHost());
    enlarge(tab, 2 << 20);
    await run(tab, inject("soak") ? 48_000 : 36_000);
    const heads = tab.storage.writes.filter((keys) => keys.some((key) => key.endsWith("/head-0")));
    expect(keyframesOf(tab).length).toBeGreaterThan(3);
    expect(heads.length).toBeLessThan(5);
  });

  test("are not made while those that wait take too much, and nothing is worked out for them", async () => {
    const tab = await fresh();
    const state = enlarge(tab, 7 << 20);
    tab.storage.hangs = true;
    await run(tab, 36_000);
    expect(state).toHaveBeenCalledTimes(3);
  });

  test("of rounds after those that a save writes belong to the next one", async () => {
    const tab = await fresh();
    await tab.save();
    const { sim } = tab.session;
    const keys = tab.storage.keys.bind(tab.storage);
    tab.storage.keys = async (prefix) => {
      tab.storage.keys = keys;
      await act(tab.session);
      await run(tab, 1_100);
      return keys(prefix);
    };
    blocks(tab.session, 1);
    const { rounds } = sim;
    await tab.save();
    expect(sim.rounds).toBeGreaterThan(rounds + 1_000);
    expect(keyframesOf(tab)).toEqual([]);
    expect(kinds(await reopened(tab))).toEqual([]);
    await tab.save();
    expect(keyframesOf(tab)).toHaveLength(1);
  });
});

describe("a step in its middle", () => {
  test("that pause holds comes back at the round that it had come to, and waits", async () => {
    const tab = await fresh();
    blocks(tab.session, 2);
    const { player } = tab.session;
    tab.session.control({ case: "speed", value: 0 });
    const text = '[{"upgrade":{"name":"v2","at":90}},{"run":5}]';
    void tab.session.runStep(text);
    await turnsUntil(() => {
      player.slice(0.5, () => performance.now());
      return tab.session.sim.height >= 6;
    }, "height 6");
    tab.session.control({ case: "pause", value: true });
    await tab.save();
    const back = await reopened(tab);
    expect(place(back.session)).toEqual(place(tab.session));
    const frame = back.session.getFrame({});
    expect(frame.player).toMatchObject({ playing: false, busy: false, restoring: 0 });
    expect(frame.proposals).toEqual(tab.session.getFrame({}).proposals);
    expect(frame.proposals).toHaveLength(1);
    for (const one of [tab, back]) {
      one.session.control({ case: "play", value: true });
      one.session.control({ case: "speed", value: 1 });
      one.session.control({ case: "pause", value: true });
      one.session.control({ case: "stop", value: true });
      blocks(one.session, 5);
    }
    expect(place(back.session)).toEqual(place(tab.session));
  });

  test("that is held and made to run on block by block comes back with these blocks", async () => {
    const tab = await fresh();
    const { session } = tab;
    // This loads the step parser, which takes longer than any number of turns.
    await session.preview('{"run":5}');
    void session.runStep('[{"run":5},{"run":5}]');
    const { tasks } = session.player.live;
    await turnsUntil(() => tasks.busy, "the step is queued");
    session.player.slice(0.5, () => 0);
    session.control({ case: "pause", value: true });
    expect(tasks.isPaused).toBe(true);
    blocks(session, 8);
    await tab.save();
    const back = await reopened(tab);
    expect(back.saving.notices).toEqual([]);
    expect(place(back.session)).toEqual(place(session));
    for (const one of [session, back.session]) blocks(one, 10);
    expect(place(back.session)).toEqual(place(session));
    expect(tasks).toMatchObject({ busy: false, isPaused: false });
  });
});

test("a world that ran into a bug of the simulator can be opened again", async () => {
  const tab = await fresh();
  blocks(tab.session, 3);
  await act(tab.session);
  const { sim } = tab.session;
  const advance = sim.advance.bind(sim);
  sim.advance = () => {
    advance();
    throw new TypeError("a bug");
  };
  blocks(tab.session, 1);
  expect(tab.session.player.playing).toBe(false);
  await tab.save();
  const back = await reopened(tab);
  expect(place(back.session)).toEqual(place(tab.session));
});

test("a world on its way to where it was is being opened, which is neither saved nor unsaved", async () => {
  const tab = await fresh();
  blocks(tab.session, 200);
  await tab.save();
  const back = openTab(new MemoryStorage(tab.storage.records));
  await back.worlds.open(tab.id);
  expect(back.saving.state).toBe("opening");
  await until(back.session, back.session.restored);
  expect(back.saving.state).toBe("saved");
});

test("a storage that fails while a world is opened is said, and opening it can be tried again", async () => {
  const tab = await fresh();
  blocks(tab.session, 20);
  await act(tab.session);
  await tab.save();
  const back = openTab(new MemoryStorage(tab.storage.records));
  const read = back.storage.read.bind(back.storage);
  back.storage.read = async (keys) => {
    if (keys.some((key) => key.includes("/journal/")))
      throw new Error("the storage does not answer");
    return read(keys);
  };
  back.session.player.onWake = () => void back.session.getFrame({});
  await back.worlds.open(tab.id);
  await until(back.session, back.session.restored);
  expect(kinds(back)).toEqual(["unopened"]);
  expect(back.saving.state).toBe("unsaved");
  back.storage.read = read;
  const [notice] = back.saving.notices;
  await back.saving.answer(notice?.id ?? "", "retry");
  await until(back.session, back.session.restored);
  expect(back.saving).toMatchObject({ state: "saved", notices: [] });
  expect(place(back.session)).toEqual(place(tab.session));
});

test("a new world runs as the first one does, whatever the speed of the one before", async () => {
  const tab = await fresh();
  tab.session.control({ case: "speed", value: 0 });
  await tab.worlds.create(FIRST_ORIGIN);
  expect(tab.session.getFrame({}).player).toMatchObject({ speed: 1, playing: true });
});

test("a command that is given during a restore waits for it, and a frame does not", async () => {
  const tab = await fresh();
  await act(tab.session, "https://a/first");
  tab.session.control({ case: "speed", value: 0 });
  blocks(tab.session, 200);
  await tab.save();
  const back = openTab(new MemoryStorage(tab.storage.records));
  await back.worlds.open(tab.id);
  const requested = back.session.runStep('{"run":1}');
  expect(back.session.getFrame({}).chain).toBeDefined();
  expect(await until(back.session, requested)).toMatchObject({ ok: true });
  expect(back.session.sim.height).toBe(tab.session.sim.height + 1);
});
