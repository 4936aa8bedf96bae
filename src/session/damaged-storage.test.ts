import fc from "fast-check";
import { describe, expect, inject, test } from "vitest";
import { concat, toHex } from "../base/bytes.ts";
import { propertyRuns } from "../base/property.testing.ts";
import { FIRST_ORIGIN } from "./first-world.ts";
import { storeGenesis } from "./history/head.ts";
import { FORMAT, frameRecord, RECORD } from "./history/record.ts";
import type { Session } from "./session.ts";
import { MemoryStorage, openTab, settle, type TestTab, testHost, until } from "./testing.ts";

const blocks = (session: Session, count: number): void => {
  session.control({ case: "stepBlocks", value: count });
  settle(session);
};

/** A world with a journal of several segments, two keyframes and both heads, as stored. */
async function played(): Promise<TestTab & { readonly id: string }> {
  const tab = openTab();
  const id = await tab.worlds.create(FIRST_ORIGIN, "mine");
  const { session, save } = tab;
  session.control({ case: "pause", value: true });
  for (let i = 0; i < 2; i++) {
    blocks(session, 260);
    for (let n = 0; n < 600; n++) {
      const kind = n % 2 ? "start" : "stop";
      session.sim.apply({ type: "node", node: "val-3", action: { kind } });
    }
    session.player.changed();
    await save();
    session.sim.apply({ type: "tx", signer: "alice", messages: [], memo: "m".repeat(66_000) });
    blocks(session, 5);
    await save();
  }
  return { ...tab, id };
}

/** Hash of each block. */
const hashes = ({ sim }: Session): string[] =>
  Array.from({ length: sim.height }, (_, i) => toHex(sim.block(i + 1)?.hash ?? new Uint8Array()));

const turn = () => new Promise((resolve) => setImmediate(resolve));

type Spoil = (record: Uint8Array) => Uint8Array | undefined;

const flip =
  (at: number): Spoil =>
  (record) => {
    const place = Math.floor(at * record.length * 8);
    const flipped = record.slice();
    flipped[place >> 3] = (flipped[place >> 3] as number) ^ (1 << (place & 7));
    return flipped;
  };

const KINDS: Readonly<Record<string, Spoil>> = {
  "is missing": () => undefined,
  "is empty": () => new Uint8Array(),
  "is cut in its header": (record) => record.slice(0, 9),
  "is cut in the middle": (record) => record.slice(0, record.length >> 1),
  "lacks its last byte": (record) => record.slice(0, -1),
  "has a byte too many": (record) => concat(record, Uint8Array.of(0)),
  "has a bit flipped at its beginning": flip(0),
  "has a bit flipped in its header": flip(0.00001),
  "has a bit flipped in its middle": flip(0.5),
  "has a bit flipped at its end": flip(0.99999),
  "is of another program": (record) => record.map(() => 0x20),
  "is of zero bytes": (record) => record.map(() => 0),
  "is another record": () => frameRecord(RECORD.page, Uint8Array.of(1, 2, 3)),
  "is of a later version": (record) => frameRecord(record[4] as 1, record.slice(16), FORMAT + 1),
  "has sound content that makes no sense": (record) =>
    frameRecord(record[4] as 1, Uint8Array.of(0x93, 1, 2, 3)),
};

/** For the other kinds the first of these two steps is enough. */
const REOPENED = new Set([
  "is missing",
  "has a bit flipped in its middle",
  "has a byte too many",
  "is of a later version",
]);

/** A world that several tests read; the first of them plays it. */
function playedOnce<T>(play: () => Promise<T>): () => Promise<T> {
  let once: Promise<T> | undefined;
  return () => {
    once ??= play();
    return once;
  };
}

const whole = played();

/** Opens the world from a storage; undefined if it is refused and nothing was changed. */
async function opened(records: ReadonlyMap<string, Uint8Array>, id: string) {
  const tab = openTab(new MemoryStorage(records));
  try {
    await tab.worlds.open(id);
  } catch {
    return { tab, refused: true };
  }
  await until(tab.session, tab.session.restored);
  settle(tab.session);
  // The segments that were not needed are verified afterwards, one in each turn.
  for (let turns = 0; turns < records.size; turns++) await turn();
  return { tab, refused: false };
}

const recordKeys = async () => [...(await whole).storage.records.keys()];

/**
 * A third of the records for each kind of damage, another third for the next kind; all of them in a
 * soak.
 */
async function spoiltKeys(kind: string): Promise<readonly string[]> {
  const at = Object.keys(KINDS).indexOf(kind);
  return (await recordKeys()).filter((_, i) => inject("soak") || (i + at) % 3 === 0);
}

test("the world has every kind of record, and several of a journal", async () => {
  const { id } = await whole;
  const keys = (await recordKeys()).map((key) => key.replace(`worlds/${id}/`, ""));
  expect(keys.filter((key) => key.startsWith("journal/")).length).toBeGreaterThan(1);
  expect(keys.filter((key) => key.startsWith("keyframe/")).length).toBeGreaterThan(1);
  expect(keys.filter((key) => key.startsWith("trees/"))).toHaveLength(1);
  expect(keys).toEqual(expect.arrayContaining(["beginning-0", "beginning-1", "head-0", "head-1"]));
});

describe.each(Object.entries(KINDS))("a record that %s", (kind, spoil) => {
  test("never costs more than itself, and is said in words", async () => {
    const { id, session, storage } = await whole;
    const straight = hashes(session);
    for (const key of await spoiltKeys(kind)) {
      const records = new Map(storage.records);
      const spoilt = spoil(storage.records.get(key) ?? new Uint8Array());
      if (spoilt) records.set(key, spoilt);
      else records.delete(key);
      const { tab, refused } = await opened(records, id);
      const { notices } = tab.saving;
      expect(refused, key).toBe(false);
      const back = hashes(tab.session);
      const of = `${key}: ${notices.map(({ text }) => text).join(" ")}`;
      const cache = key.includes("/keyframe/") || key.includes("/trees/");
      expect(notices.length > 0 || cache, of).toBe(true);
      expect(straight.slice(0, back.length), of).toEqual(back);
      const least = key.includes("/journal/") ? 260 : straight.length;
      expect(back.length, of).toBeGreaterThanOrEqual(least);

      if (!REOPENED.has(kind)) continue;
      // It continues from there, is saved, and is restored without a notice; the leftovers are
      // still there.
      blocks(tab.session, 2);
      await tab.save();
      expect(tab.saving.state, of).toBe("saved");
      // Damage found on opening was not lost since.
      expect(tab.saving.notices, of).toEqual(notices);
      const again = await opened(tab.storage.records, id);
      const old = notices.some(({ text }) => text.includes("from a later keyframe"));
      expect(again.tab.saving.notices, of).toHaveLength(old ? 1 : 0);
      expect(hashes(again.tab.session), of).toEqual(hashes(tab.session));
      const left = [...again.tab.storage.records.keys()].filter((one) => one.startsWith("aside/"));
      if (spoilt && !cache && !old) expect(left.length, of).toBeGreaterThan(0);
    }
  });
});

test("a world that a later version saved last is not opened, and stays as it is", async () => {
  const { id, storage } = await whole;
  const records = new Map(storage.records);
  const heads = [...records.keys()].filter((key) => key.startsWith(`worlds/${id}/head-`));
  expect(heads).toHaveLength(2);
  for (const key of heads) {
    const record = records.get(key) ?? new Uint8Array();
    records.set(key, frameRecord(RECORD.head, record.slice(16), FORMAT + 1));
  }
  const { tab, refused } = await opened(records, id);
  expect(refused).toBe(true);
  expect(tab.saving.notices.map(({ text }) => text).join()).toContain("a later version");
  expect(tab.storage.records).toEqual(records);
});

test.each(["beginning-0", "beginning-1", "head-0", "head-1"])(
  "a record %s that is another world's is said, set aside and written anew",
  async (name) => {
    const { id, storage } = await whole;
    const tab = openTab(new MemoryStorage(storage.records));
    const other = await tab.worlds.create({
      ...FIRST_ORIGIN,
      scenario: { ...FIRST_ORIGIN.scenario, spec: { ...FIRST_ORIGIN.scenario.spec, seed: 9 } },
    });
    await tab.worlds.close();
    const { records } = tab.storage;
    const key = `worlds/${id}/${name}`;
    const foreign = records.get(`worlds/${other}/${name}`) ?? new Uint8Array();
    records.set(key, foreign);
    const back = (await opened(records, id)).tab;
    const [notice, ...more] = back.saving.notices;
    expect(notice?.text).toContain("not what Chainlab wrote there");
    expect(more).toEqual([]);
    blocks(back.session, 1);
    await back.save();
    expect(back.storage.records.get(key)).not.toEqual(foreign);
    const quarantined = [...back.storage.records].find(
      ([one]) => one.endsWith(`/${name}`) && one.startsWith("aside/"),
    );
    expect(quarantined?.[1]).toEqual(foreign);
    expect((await opened(back.storage.records, id)).tab.saving.notices).toEqual([]);
  },
);

test("of a world whose heads are both another world's it is said what was found", async () => {
  const { id, storage } = await whole;
  const tab = openTab(new MemoryStorage(storage.records));
  const spec = { ...FIRST_ORIGIN.scenario.spec, seed: 9 };
  const other = await tab.worlds.create({
    ...FIRST_ORIGIN,
    scenario: { ...FIRST_ORIGIN.scenario, spec },
  });
  await tab.worlds.close();
  const { records } = tab.storage;
  for (const name of ["head-0", "head-1"]) {
    records.set(`worlds/${id}/${name}`, records.get(`worlds/${other}/${name}`) ?? new Uint8Array());
  }
  const { tab: back, refused } = await opened(records, id);
  expect(refused).toBe(true);
  expect(back.saving.notices[0]?.text).toContain("not what Chainlab wrote there");
});

describe("of two sound beginnings that differ, without a head", () => {
  /** Restores a new world from changed records. */
  async function back(
    acts: (session: Session) => void,
    change: (records: Map<string, Uint8Array>, id: string, other: string) => void,
  ) {
    const tab = openTab();
    const { session, worlds, save } = tab;
    const { spec } = FIRST_ORIGIN.scenario;
    const other = await worlds.create({
      ...FIRST_ORIGIN,
      scenario: { ...FIRST_ORIGIN.scenario, spec: { ...spec, seed: 9 } },
    });
    const id = await worlds.create(FIRST_ORIGIN, "mine");
    session.control({ case: "pause", value: true });
    acts(session);
    session.player.changed();
    await save();
    const records = new Map(tab.storage.records);
    for (const name of ["head-0", "head-1"]) records.delete(`worlds/${id}/${name}`);
    change(records, id, other);
    const { tab: opening } = await opened(records, id);
    expect(opening.worlds.current).toBe(id);
    expect(opening.saving.notices[0]?.text).toContain("one of two copies of its beginning");
    expect(opening.session.sim.spec).toEqual(spec);
    return opening.session;
  }

  test("the one that the journal continues is the world's", async () => {
    const session = await back(
      ({ sim }) => sim.apply({ type: "node", node: "val-3", action: { kind: "stop" } }),
      (records, id, other) => {
        const foreign = records.get(`worlds/${other}/beginning-0`) ?? new Uint8Array();
        records.set(`worlds/${id}/beginning-0`, foreign);
      },
    );
    expect(session.sim.journalLength).toBe(1);
  });

  test("the one that can begin is the world's", async () => {
    await back(
      () => {},
      (records, id) => {
        const { spec } = FIRST_ORIGIN.scenario;
        const cannot = { spec: { ...spec, validators: [] }, text: "", file: "" };
        records.set(`worlds/${id}/beginning-0`, storeGenesis(cannot).record);
      },
    );
  });
});

test("any bit of any record may flip", async () => {
  const { id, session, storage } = await whole;
  const straight = hashes(session);
  const keys = await recordKeys();
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...keys),
      fc.double({ min: 0, max: 0.999999, noNaN: true }),
      async (key, at) => {
        const records = new Map(storage.records);
        records.set(
          key,
          flip(at)(storage.records.get(key) ?? new Uint8Array()) ?? new Uint8Array(),
        );
        const { tab } = await opened(records, id);
        if (!/[/](keyframe|trees)[/]/.test(key)) expect(tab.saving.notices).toHaveLength(1);
        const back = hashes(tab.session);
        expect(straight.slice(0, back.length)).toEqual(back);
      },
    ),
    { numRuns: propertyRuns(10) },
  );
});

describe("a journal that is damaged before a keyframe", () => {
  /** A world with an action, a keyframe, another action and a few blocks. */
  const twoActions = playedOnce(async () => {
    const tab = openTab();
    const id = await tab.worlds.create(FIRST_ORIGIN, "mine");
    const { session, save } = tab;
    session.control({ case: "pause", value: true });
    for (const kind of ["stop", "start"] as const) {
      session.sim.apply({ type: "node", node: "val-3", action: { kind } });
      session.player.changed();
      await save();
      blocks(session, 300);
      await save();
    }
    session.sim.apply({ type: "node", node: "val-3", action: { kind: "stop" } });
    blocks(session, 5);
    await save();
    return { ...tab, id };
  });

  test.each(Object.entries(KINDS))("goes on from there if a segment %s", async (kind, spoil) => {
    const { id, session, storage } = await twoActions();
    const segments = [...storage.records.keys()].filter((key) => key.includes("/journal/"));
    expect(segments).toHaveLength(3);
    for (const key of segments.slice(0, 2)) {
      const records = new Map(storage.records);
      const spoilt = spoil(storage.records.get(key) ?? new Uint8Array());
      if (spoilt) records.set(key, spoilt);
      else records.delete(key);
      const { tab } = await opened(records, id);
      expect(hashes(tab.session), kind).toEqual(hashes(session));
      expect(tab.session.sim.journalLength).toBe(3);
      await expect.poll(() => tab.saving.notices).toHaveLength(1);
      expect(tab.saving.notices[0]?.text).toContain("The world itself is as it was");
      // It can be saved and opened again like any other.
      tab.session.sim.apply({ type: "node", node: "val-3", action: { kind: "start" } });
      blocks(tab.session, 300);
      await tab.save();
      expect(tab.saving.state).toBe("saved");
      const again = await opened(tab.storage.records, id);
      expect(hashes(again.tab.session)).toEqual(hashes(tab.session));
    }
  });
});

test("a journal that is damaged before the step that was running is set aside", async () => {
  const tab = openTab(new MemoryStorage(), testHost({ namespace: "cosmos" }));
  const id = await tab.worlds.create(FIRST_ORIGIN, "mine");
  const { session, storage, save } = tab;
  session.control({ case: "pause", value: true });
  session.sim.apply({ type: "node", node: "val-3", action: { kind: "stop" } });
  session.player.changed();
  await save();
  void session.runStep('{"run":1000000}');
  session.control({ case: "play", value: true });
  let time = 0;
  const now = () => {
    time += 1;
    return time;
  };
  const { tasks } = session.player.live;
  for (let turns = 0; tasks.stepStart === undefined && turns < 100; turns++) {
    await turn();
    session.player.slice(10, now);
  }
  expect(tasks.stepStart).toBeDefined();
  await save();
  const key = [...storage.records.keys()].find((one) => one.includes("/journal/")) ?? "";
  const damaged = flip(0.5)(storage.records.get(key) ?? new Uint8Array()) ?? new Uint8Array();
  const { tab: back } = await opened(new Map([...storage.records, [key, damaged]]), id);
  expect(back.saving.notices[0]?.text).toContain("The rest was set aside");
  await back.save();
  const quarantined = [...back.storage.records].filter(([one]) => one.startsWith("aside/"));
  expect(quarantined.map(([, record]) => record)).toContainEqual(damaged);
  // That step does not continue, and the next one is different.
  void back.session.runStep('{"run":1000000}');
  back.session.control({ case: "play", value: true });
  const { live } = back.session.player;
  for (let turns = 0; live.tasks.stepStart === undefined && turns < 100; turns++) {
    await turn();
    back.session.player.slice(10, now);
  }
  expect(live.tasks.stepStart).toBeDefined();
  expect(live.context.namespace).toBe("chain");
});

test("a segment whose mark is damaged is read as far as its entries are sound", async () => {
  const tab = openTab();
  const id = await tab.worlds.create(FIRST_ORIGIN, "mine");
  tab.session.control({ case: "pause", value: true });
  blocks(tab.session, 3);
  tab.session.sim.apply({ type: "node", node: "val-3", action: { kind: "stop" } });
  tab.session.player.changed();
  await tab.save();
  const { records } = tab.storage;
  const key = [...records.keys()].find((one) => one.includes("/journal/")) ?? "";
  records.set(key, flip(0)(records.get(key) ?? new Uint8Array(1)) ?? new Uint8Array());
  const { tab: back } = await opened(records, id);
  expect(back.session.sim.journalLength).toBe(1);
  expect(hashes(back.session)).toEqual(hashes(tab.session));
});

describe("a last save that is older than the journal", () => {
  /**
   * Storage after saves with 0, 2, 3, 5 and 6 actions; the second and fourth action each end a
   * segment.
   */
  const saves = playedOnce(async () => {
    const tab = openTab();
    const id = await tab.worlds.create(FIRST_ORIGIN, "mine");
    const { session, save, storage } = tab;
    session.control({ case: "pause", value: true });
    const stored = [new Map(storage.records)];
    const act = (memo: string): void => {
      session.sim.apply({ type: "tx", signer: "alice", messages: [], memo });
    };
    for (const acts of [["", "m".repeat(66_000)], [""], ["m".repeat(66_000), ""], [""]]) {
      acts.forEach(act);
      blocks(session, 2);
      await save();
      stored.push(new Map(storage.records));
    }
    return { ...tab, id, stored };
  });
  const segments = ["journal/000000000000", "journal/000000000002", "journal/000000000004"];
  const spoilt = flip(0.5);

  test.each(
    [0, 1, 2, 3].flatMap((at) =>
      [[], [0], [1], [2], [1, 2]].flatMap((damaged) =>
        [1, 2].map((heads) => [at, damaged.join(" and "), heads, damaged] as const),
      ),
    ),
  )(
    "of save %i, beside damage to segment %s, with %i such copies, costs no more than that",
    async (at, _, heads, damaged) => {
      const { id, session, stored, storage } = await saves();
      const prefix = `worlds/${id}/`;
      const keys = [...storage.records.keys()].map((key) => key.slice(prefix.length));
      expect(keys.filter((key) => key.startsWith("journal/"))).toEqual(segments);
      const records = new Map(storage.records);
      const spoil = (key: string): void => {
        const record = records.get(prefix + key) ?? new Uint8Array();
        records.set(prefix + key, spoilt(record) ?? record);
      };
      const old = stored[at]?.get(`${prefix}head-0`) ?? new Uint8Array();
      records.set(`${prefix}head-0`, old);
      if (heads === 2) records.set(`${prefix}head-1`, old);
      else spoil("head-1");
      for (const which of damaged) spoil(segments[which] ?? "");

      const { tab, refused } = await opened(records, id);
      expect(refused).toBe(false);
      const first = damaged[0];
      const lengths = [1, 3, 4];
      const length = first === undefined ? 6 : (lengths[first] ?? 0);
      expect(tab.session.sim.journalLength).toBe(length);
      const back = hashes(tab.session);
      expect(hashes(session).slice(0, back.length)).toEqual(back);
      const [notice, ...more] = tab.saving.notices;
      expect(more).toEqual([]);
      // The last segment's damage is before the end of the last of these saves, which is not known
      // to be outdated then.
      if (at < 3 || !damaged.includes(2)) expect(notice?.text).toContain("older than its journal");
      expect(notice?.text).not.toContain("No action is lost");
      if (first === undefined) expect(notice?.text).toContain("All actions that were found");
      else expect(notice?.text).toContain(`from action ${length + 1} on its journal is damaged`);

      // Later actions do not hide it, and the damaged records are still there.
      tab.session.sim.apply({ type: "node", node: "val-3", action: { kind: "stop" } });
      blocks(tab.session, 1);
      await tab.save();
      const quarantined = [...tab.storage.records].filter(([key]) => key.startsWith("aside/"));
      for (const which of damaged) {
        const left = records.get(prefix + (segments[which] ?? ""));
        expect(quarantined.map(([, record]) => record)).toContainEqual(left);
      }
      const again = (await opened(tab.storage.records, id)).tab;
      expect(again.saving.notices).toEqual([]);
      expect(again.session.sim.journalLength).toBe(length + 1);
      expect(hashes(again.session)).toEqual(hashes(tab.session));
    },
  );

  test.each(
    [0, 1, 2, 3].flatMap((at) =>
      (["exportFile", "duplicate"] as const).map((by) => [at, by] as const),
    ),
  )("of save %i leaves nothing out of what %s makes of the world", async (at, by) => {
    const { id, session, stored, storage } = await saves();
    const records = new Map(storage.records);
    for (const copy of [0, 1]) {
      const key = `worlds/${id}/head-${copy}`;
      records.set(key, stored[at]?.get(key) ?? new Uint8Array());
    }
    const { worlds, storage: full } = openTab(new MemoryStorage(records));
    const file = await worlds[by](id);
    const copy = typeof file === "string" ? file : await worlds.importFile(file);
    const { tab } = await opened(full.records, copy);
    expect(tab.session.sim.journalLength).toBe(6);
    expect(hashes(session).slice(0, tab.session.sim.height)).toEqual(hashes(tab.session));
    expect(tab.saving.notices.map(({ text }) => text).join()).toContain("older than its journal");
  });

  test.each([1, 2, 3])(
    "because the world went back before its end and has %i other actions, costs none of them",
    async (others) => {
      const tab = openTab();
      const id = await tab.worlds.create(FIRST_ORIGIN, "mine");
      const { session, save, storage } = tab;
      session.control({ case: "pause", value: true });
      const act = (memo: string): void => {
        session.sim.apply({ type: "tx", signer: "alice", messages: [], memo });
        blocks(tab.session, 2);
      };
      act("m".repeat(66_000));
      act("first");
      const at = { rounds: session.sim.rounds, entries: 2, results: [] };
      act("second");
      await save();
      const head = [...storage.records].filter(([key]) => key.includes("/head-"));
      const story = { state: "none", current: 0, message: "" } as const;
      await until(session, session.rewind?.({ ...at, story }, false) ?? Promise.reject());
      for (let i = 0; i < others; i++) act(`other ${i}`);
      await save();
      const straight = hashes(session);

      const { tab: back } = await opened(new Map([...storage.records, ...head]), id);
      expect(back.session.sim.journalLength).toBe(2 + others);
      expect(straight.slice(0, back.session.sim.height)).toEqual(hashes(back.session));
      expect(back.saving.notices.map(({ text }) => text)).toEqual([
        expect.stringContaining("both copies of its last save are older than its journal"),
      ]);
      expect(back.saving.notices[0]?.text).not.toContain("damaged");

      // A copy and a file have all of them, too.
      const old = openTab(new MemoryStorage(new Map([...storage.records, ...head])));
      for (const copy of [
        await old.worlds.duplicate(id),
        await old.worlds.importFile(await old.worlds.exportFile(id)),
      ]) {
        const { tab: other } = await opened(old.storage.records, copy);
        expect(other.session.sim.journalLength).toBe(2 + others);
      }
    },
  );

  test("is still said of a world that was renamed before it was opened", async () => {
    const { id, stored, storage } = await saves();
    const records = new Map(storage.records);
    const [key, other] = [`worlds/${id}/head-0`, `worlds/${id}/head-1`];
    records.set(key, stored[2]?.get(key) ?? new Uint8Array());
    records.set(other, spoilt(records.get(other) ?? new Uint8Array()) ?? new Uint8Array());
    const { worlds, storage: full } = openTab(new MemoryStorage(records));
    await worlds.rename(id, "renamed");
    const { tab } = await opened(full.records, id);
    expect(tab.worlds.name).toBe("renamed");
    expect(tab.saving.notices[0]?.text).toContain(
      "one copy of its last save is damaged and the other is older than its journal",
    );
  });
});
