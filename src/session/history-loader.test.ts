import { describe, expect, test, vi } from "vitest";
import { toHex } from "../base/bytes.ts";
import { Simulation } from "../engine/simulation/simulation.ts";
import { GetValidatorSetByHeightRequestSchema } from "../gen/chain/base/tendermint/v1beta1/query_pb.ts";
import { messageFromJson } from "../view/json.ts";
import { FIRST_ORIGIN } from "./first-world.ts";
import { History } from "./history/history.ts";
import type { Host } from "./history/storage.ts";
import { openHistory } from "./open-history.ts";
import type { Session } from "./session.ts";
import { MemoryStorage, openTab, settle, type TestTab, testHost, until } from "./testing.ts";

const SETS = "chain.base.tendermint.v1beta1.Service/GetValidatorSetByHeight";

type Opened = TestTab & { readonly id: string };

/** A tab whose new world has evicted its first blocks, in pages of 4 096. */
async function played(
  rounds: number,
  storage = new MemoryStorage(),
  host: Partial<Host> = {},
): Promise<Opened> {
  const tab = openTab(storage, testHost(host));
  const id = await tab.worlds.create(FIRST_ORIGIN, "mine");
  tab.session.control({ case: "pause", value: true });
  for (let left = rounds; left > 0; left -= 9000) {
    blocks(tab.session, Math.min(left, 9000));
    await tab.save();
  }
  return { ...tab, id };
}

async function reopened({ storage, id }: Opened, use: "open" | "openToRead" = "open") {
  const tab = openTab(new MemoryStorage(storage.records));
  await tab.worlds[use](id);
  await until(tab.session, tab.session.restored);
  return { ...tab, id };
}

function blocks(session: Session, count: number): void {
  session.control({ case: "stepBlocks", value: count });
  settle(session);
}

const BLOCK_100 = { kind: "blocks", from: 100, to: 100 } as const;

interface Ledger {
  readonly blocks: { readonly sealed: { release(index: number): void } };
}

/** Evicts all old blocks from memory, as in a world with a million blocks. */
function letGoAll({ session }: TestTab): void {
  const { ledger } = (session.sim as unknown as { network: { ledger: Ledger } }).network;
  for (let index = 0; index < session.sim.pages.sealed.blocks; index++) {
    ledger.blocks.sealed.release(index);
  }
}

interface Long {
  readonly tab: Opened;
  /** Its storage after the last save; each test has a copy. */
  readonly saved: Opened;
}

let long: Promise<Opened> | undefined;
let records: MemoryStorage["records"] | undefined;

/** One world of 30 000 rounds, which several tests reopen. */
async function longPlayed(): Promise<Long> {
  long ??= played(30_000);
  const tab = await long;
  records ??= new Map(tab.storage.records);
  return { tab, saved: { ...tab, storage: new MemoryStorage(records) } };
}

const remove = ({ storage }: Opened, part: string): void => {
  for (const key of [...storage.records.keys()]) {
    if (key.includes(part)) storage.records.delete(key);
  }
};

const blockAt = ({ session }: TestTab, height: number) =>
  until(
    session,
    session.query((queries) => queries.labReading("getBlock", { height })),
  );

const punish = (tab: TestTab, height: number) =>
  until(
    tab.session,
    tab.session.runStep(
      JSON.stringify({ misbehavior: { type: "duplicate_vote", validators: ["val-1"], height } }),
    ),
  );

const place = ({ session: { sim } }: TestTab) => [
  sim.rounds,
  sim.height,
  toHex(sim.appHash),
  sim.journalLength,
];

describe("what needs an old block that was let go", () => {
  test("is done with its page from storage, and no world is led through the past", async () => {
    const { tab, saved } = await longPlayed();
    const back = await reopened(saved);
    const created = vi.spyOn(Simulation, "create");
    expect(back.session.sim.missingPages(BLOCK_100)).toHaveLength(1);
    expect(await punish(back, 100)).toMatchObject({ ok: true });
    blocks(back.session, 3);
    expect(created).not.toHaveBeenCalled();
    created.mockRestore();
    expect(await punish(tab, 100)).toMatchObject({ ok: true });
    blocks(tab.session, 3);
    expect(place(back)).toEqual(place(tab));
    expect(back.session.sim.node("val-1")?.power).toBe(tab.session.sim.node("val-1")?.power);
  });

  test("is begun once, though it is tried again: a step does nothing before all is there", async () => {
    const { saved } = await longPlayed();
    const back = await reopened(saved);
    await punish(back, 100);
    expect(back.session.sim.journal.map(({ command }) => command.type)).toEqual(["misbehavior"]);
  });

  test("leads another world there in slices where the page is lost, from the keyframe below it", async () => {
    const { tab, saved } = await longPlayed();
    const whole = await blockAt(tab, 20_000);
    remove(saved, "/page/");
    let time = 0;
    const delay = vi.fn((ms: number) =>
      ms === 0
        ? new Promise<void>((resolve) => setImmediate(resolve))
        : new Promise<void>(() => {}),
    );
    const host = testHost({ clock: () => (time += 1), delay });
    const back = openTab(new MemoryStorage(saved.storage.records), host);
    await back.worlds.open(saved.id);
    await until(back.session, back.session.restored);
    letGoAll(back);
    delay.mockClear();
    const created = vi.spyOn(Simulation, "create");
    expect(await blockAt(back, 20_000)).toEqual(whole);
    // From the keyframe at 18 000 to the end of the page.
    expect(delay.mock.calls.length).toBeGreaterThan(10);
    expect(created).not.toHaveBeenCalled();
    created.mockRestore();
    expect(back.session.player.recalling).toBeUndefined();
  });

  test("the validators of two distant blocks are replayed from the keyframes below them, not from one to the other", async () => {
    const { saved } = await longPlayed();
    const back = await reopened(saved);
    const advance = vi.spyOn(Simulation.prototype, "advance");
    const roundsFor = async (height: number): Promise<number> => {
      advance.mockClear();
      const request = messageFromJson(GetValidatorSetByHeightRequestSchema, {
        height: String(height),
      });
      const { validators } = (await until(
        back.session,
        back.session.query((queries) => queries.reading(SETS, request)),
      )) as { validators: unknown[] };
      expect(validators).toHaveLength(4);
      return advance.mock.calls.length;
    };
    expect(await roundsFor(2_000)).toBeLessThanOrEqual(2_000);
    expect(await roundsFor(27_100)).toBeLessThanOrEqual(200);
    // The world that was led there goes on.
    expect(await roundsFor(27_150)).toBeLessThanOrEqual(60);
    advance.mockRestore();
  });

  test("goes on with the world that it led, unless a keyframe is nearer", async () => {
    const { saved } = await longPlayed();
    remove(saved, "/page/");
    const back = await reopened(saved);
    letGoAll(back);
    const advance = vi.spyOn(Simulation.prototype, "advance");
    const roundsFor = async (height: number): Promise<number> => {
      advance.mockClear();
      expect(await blockAt(back, height)).toMatchObject({ height });
      return advance.mock.calls.length;
    };
    expect(await roundsFor(100)).toBeGreaterThan(4000);
    expect(await roundsFor(4200)).toBeLessThan(4200);
    // Between the second and the sixth page are keyframes.
    expect(await roundsFor(23_000)).toBeLessThan(9000);
    advance.mockRestore();
  });

  test("is led to from the beginning by another build, which reads no keyframe twice to refuse it", async () => {
    const tab = await played(3000);
    blocks(tab.session, 6000);
    await tab.save();
    const back = openTab(new MemoryStorage(tab.storage.records), testHost({ build: "another" }));
    await back.worlds.open(tab.id);
    await until(back.session, back.session.restored);
    letGoAll(back);
    const read = vi.spyOn(back.storage, "read");
    expect(await blockAt(back, 5000)).toEqual(await blockAt(tab, 5000));
    const keys = read.mock.calls.flat(2);
    expect(keys.filter((key) => key.includes("/page/"))).toHaveLength(1);
    expect(keys.filter((key) => key.includes("/keyframe/"))).toEqual([]);
  });

  test("is asked of keyframes in memory where nothing can be saved", async () => {
    const storage = new MemoryStorage();
    const tab = await played(30, storage);
    storage.failure = new Error("no storage");
    for (let i = 0; i < 3; i++) {
      blocks(tab.session, 9000);
      await tab.save();
    }
    expect(tab.saving.state).toBe("unsaved");
    const whole = await blockAt(tab, 20_000);
    letGoAll(tab);
    const created = vi.spyOn(Simulation, "create");
    expect(await blockAt(tab, 20_000)).toEqual(whole);
    expect(created).not.toHaveBeenCalled();
    created.mockRestore();
    letGoAll(tab);
    expect(await blockAt(tab, 100)).toMatchObject({ height: 100 });
  });

  test("is done although the journal is not in memory, nor its pages in storage", async () => {
    const tab = await played(10);
    for (let i = 0; i < 600; i++) {
      const url = `https://a.example/${"x".repeat(400)}/${i}`;
      tab.session.sim.apply({ type: "release", name: "v1", url, serves: "empty" });
    }
    blocks(tab.session, 9000);
    await tab.save();
    remove(tab, "/page/");
    // As during that load, and with a journal that does not fit in memory.
    const verify = vi.spyOn(History.prototype, "verify").mockResolvedValue(undefined);
    const back = await reopened(tab);
    verify.mockRestore();
    letGoAll(back);
    expect(() => [...(back.session.player.live.historySource.journal?.(0) ?? [])]).toThrow(
      "it needs blocks so old",
    );
    expect(await punish(back, 100)).toMatchObject({ ok: true });
    expect(await punish(tab, 100)).toMatchObject({ ok: true });
    for (const each of [tab, back]) blocks(each.session, 3);
    expect(place(back)).toEqual(place(tab));

    // A branch of it reads these actions once it is stored.
    remove(back, "/page/");
    let write = (): void => {};
    const source = new Promise<void>((resolve) => {
      write = resolve;
    });
    const { loadPart } = back.session;
    vi.spyOn(back.storage, "write").mockImplementationOnce(async (...records) => {
      await source;
      return MemoryStorage.prototype.write.apply(back.storage, records);
    });
    await back.worlds.fork(0, "branch", "");
    letGoAll(back);
    const requested = new Promise<void>((resolve) => {
      back.session.loadPart = async (...part) => {
        setImmediate(resolve);
        return loadPart?.(...part) ?? {};
      };
    });
    const old = blockAt(back, 100);
    await requested;
    expect(back.saving.state).toBe("saving");
    write();
    expect(await old).toEqual(await blockAt(tab, 100));
  });
});

describe("a block that is asked for by its hash", () => {
  test("is found on pages that were let go, and what is not there is said not to be", async () => {
    const { tab, saved } = await longPlayed();
    const { hash } = await blockAt(tab, 100);
    const back = await reopened(saved);
    const before = back.session.sim.pages.residentBytes;
    const byHash = (wanted: string) =>
      back.session.query((queries) => queries.labReading("getBlock", { hash: wanted }));
    expect(await byHash(hash)).toEqual(await blockAt(tab, 100));
    expect(back.session.sim.pages.residentBytes).toBeLessThan(before + 1_000_000);
    await expect(byHash("00".repeat(32))).rejects.toThrow("in memory and in storage");
  });
});

describe("old blocks in which nothing happened", () => {
  test("are not read for a transaction that there is not, nor for those with events", async () => {
    const { saved } = await longPlayed();
    const back = await reopened(saved);
    letGoAll(back);
    const { session } = back;
    const { sim } = session;
    const advance = vi.spyOn(Simulation.prototype, "advance");
    const read = vi.spyOn(back.storage, "read");
    const history = openHistory(session, session.player.live);
    const found = history.read(function* () {
      const heights: number[] = [];
      for (const one of sim.searchEventful(1, sim.height, true)) {
        if (typeof one === "number") heights.push(one);
        else yield one;
      }
      return { heights, tx: yield* sim.searchTx(new Uint8Array(32)) };
    });
    expect(await until(session, found)).toEqual({ heights: [], tx: undefined });
    expect(advance).not.toHaveBeenCalled();
    expect(read).not.toHaveBeenCalled();
    advance.mockRestore();
  });
});

describe("a storage that fails while the past is read", () => {
  test("has an old block led to, what only it can tell refused with its reason, and the chain run on", async () => {
    const { tab, saved } = await longPlayed();
    const whole = await blockAt(tab, 100);
    const back = await reopened(saved);
    letGoAll(back);
    back.storage.failure = new Error("the disk is gone");
    const byHash = back.session.query((queries) =>
      queries.labReading("getBlock", { hash: whole.hash }),
    );
    await expect(until(back.session, byHash)).rejects.toThrow("the disk is gone");
    expect(await blockAt(back, 100)).toEqual(whole);
    const { height } = back.session.sim;
    blocks(back.session, 3);
    expect(back.session.sim.height).toBe(height + 3);
  });
});

describe("a page that two ask for", () => {
  test("is read from storage once", async () => {
    const { saved } = await longPlayed();
    const back = await reopened(saved);
    letGoAll(back);
    const read = vi.spyOn(back.storage, "read");
    const [one, other] = await Promise.all([blockAt(back, 100), blockAt(back, 101)]);
    expect([one?.height, other?.height]).toEqual([100, 101]);
    expect(read.mock.calls.flat(2).filter((key) => key.includes("/page/"))).toHaveLength(1);
  });
});

describe("a world that is opened to be read", () => {
  test("is as it was saved in the middle of a step, which does not run again", async () => {
    const tab = await played(10);
    void tab.session.runStep(JSON.stringify({ run: 40_000 }));
    while (tab.session.sim.height < 12_000) {
      await Promise.resolve();
      let time = 0;
      tab.session.player.play();
      tab.session.player.pace.speed = 0;
      tab.session.player.slice(2000, () => (time += 1));
      await tab.save();
    }
    const advance = vi.spyOn(Simulation.prototype, "advance");
    const back = await reopened(tab, "openToRead");
    expect(advance.mock.calls.length).toBeLessThan(8192);
    advance.mockRestore();
    expect(place(back)).toEqual(place(tab));
    expect(back.session.player.live.tasks.busy).toBe(false);
    const records = new Map(back.storage.records);
    await back.save();
    await back.worlds.close();
    expect(back.storage.records).toEqual(records);
  });
});
