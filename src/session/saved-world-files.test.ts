import { describe, expect, test } from "vitest";
import { toHex } from "../base/bytes.ts";
import { INPUT } from "../base/limits.ts";
import { STATUS } from "../engine/framework/errors.ts";
import { FIRST_ORIGIN } from "./first-world.ts";
import { headRecord, storeGenesis } from "./history/head.ts";
import { History } from "./history/history.ts";
import type { Head } from "./saved.ts";
import type { Session } from "./session.ts";
import { MemoryStorage, openTab, settle, testHost, turnsUntil, until } from "./testing.ts";
import { firstOutline, worldFile } from "./world-file.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

/** A tab with a paused world of three blocks and an action. */
async function fresh(storage = new MemoryStorage(), host = testHost()) {
  const tab = openTab(storage, host);
  const id = await tab.worlds.create(FIRST_ORIGIN, "mine");
  tab.session.control({ case: "pause", value: true });
  blocks(tab.session, 3);
  stop(tab.session);
  await tab.save();
  return { ...tab, storage, id };
}

function blocks(session: Session, count: number): void {
  session.control({ case: "stepBlocks", value: count });
  settle(session);
}

function stop(session: Session): void {
  session.sim.apply({ type: "node", node: "val-3", action: { kind: "stop" } });
  session.player.changed();
}

/** The world as reopened by another tab. */
async function reopened({ records }: MemoryStorage, id: string) {
  const tab = openTab(new MemoryStorage(records));
  await tab.worlds.open(id);
  await until(tab.session, tab.session.restored);
  return tab;
}

const place = ({ sim }: Session) => [sim.rounds, sim.height, toHex(sim.appHash), sim.journalLength];

function damage({ records }: MemoryStorage, key: string): void {
  const record = records.get(key)?.slice() ?? new Uint8Array(1);
  record[record.length - 1] = (record.at(-1) ?? 0) ^ 1;
  records.set(key, record);
}

const bytesOf = ({ records }: MemoryStorage, id: string): number =>
  [...records].reduce((sum, [key, { length }]) => (key.includes(id) ? sum + length : sum), 0);

describe("a saved world", () => {
  test("is renamed by its own head where another world's, saved more often, took the place of a copy", async () => {
    const { worlds, storage, id } = await fresh();
    await worlds.close();
    const { head } = await History.open(storage, id);
    if (head === undefined) throw new Error("it has a head");
    const foreign = { ...head, beginning: new Uint8Array(32), seq: head.seq + 5 };
    storage.records.set(`worlds/${id}/head-1`, headRecord(foreign));
    await worlds.rename(id, "mine still");
    expect((await reopened(storage, id)).worlds.name).toBe("mine still");
  });

  test("is not renamed by another world's head where that is the only one beside a beginning", async () => {
    const { worlds, storage, id } = await fresh();
    await worlds.close();
    const { head } = await History.open(storage, id);
    if (head === undefined) throw new Error("it has a head");
    const foreign = headRecord({ ...head, beginning: new Uint8Array(32), seq: head.seq + 5 });
    storage.records.set(`worlds/${id}/head-0`, foreign);
    storage.records.delete(`worlds/${id}/head-1`);
    storage.records.delete(`worlds/${id}/beginning-1`);
    await expect(worlds.rename(id, "mine still")).rejects.toThrow("it cannot be read");
    expect(storage.records.has(`worlds/${id}/head-1`)).toBe(false);
  });

  test("that is closed in the middle of a step has the same blocks where it is then served in another namespace", async () => {
    const { session, worlds, storage, id } = await fresh(
      new MemoryStorage(),
      testHost({ namespace: "cosmos" }),
    );
    const messages = [{ "@type": "/chain.upgrade.v1beta1.MsgCancelUpgrade", authority: `\${gov}` }];
    const step = { pass: { title: "t", messages } };
    let ended: unknown;
    void session.runStep(JSON.stringify(step)).then((result) => {
      ended = result;
    });
    let time = 0;
    const now = (): number => {
      time += 200;
      return time;
    };
    await turnsUntil(() => {
      session.player.slice(500, now);
      if (ended) throw new Error(JSON.stringify(ended));
      return session.sim.height >= 7;
    }, "a block of the step");
    const at = session.sim.height;
    const hashes = ({ sim }: Session) =>
      Array.from({ length: at }, (_, i) => toHex(sim.block(i + 1)?.hash ?? new Uint8Array()));
    const made = hashes(session);
    expect(session.sim.block(4)?.txs).toHaveLength(1);
    await worlds.close();
    const { session: again } = await reopened(storage, id);
    expect(again.sim.height).toBe(at);
    expect(hashes(again)).toEqual(made);
    // The step keeps its reference to the end.
    const { live } = again.player;
    expect([live.context.namespace, live.namespace]).toEqual(["cosmos", "chain"]);
  });

  test("is renamed, whether it is played or not", async () => {
    const { worlds, storage, id } = await fresh();
    await worlds.rename(id, "played");
    expect(worlds.name).toBe("played");
    const next = await worlds.create(FIRST_ORIGIN, "next");
    await worlds.rename(id, "not played");
    const list = await openTab(storage).worlds.list();
    expect(list.map((one) => [one.id, one.name]).sort()).toEqual(
      [
        [id, "not played"],
        [next, "next"],
      ].sort(),
    );
    expect((await reopened(storage, id)).worlds.name).toBe("not played");
  });

  test("is duplicated with its history, and the two go apart from there", async () => {
    const { worlds, storage, session, id, save } = await fresh();
    blocks(session, 300);
    await save();
    const copy = await worlds.duplicate(id);
    const at = place(session);
    stop(session);
    await save();
    const other = await reopened(storage, copy);
    expect(other.worlds.name).toBe("mine (copy)");
    expect(other.saving.notices).toEqual([]);
    expect(place(other.session)).toEqual(at);
    expect([...storage.records.keys()].some((key) => key.includes(`${copy}/keyframe/`))).toBe(true);
    expect(place((await reopened(storage, id)).session)).toEqual(place(session));
  });

  test.each(["while it is played", "when another is"])(
    "is removed %s, and comes back whole",
    async (when) => {
      const { worlds, storage, session, id } = await fresh();
      const at = place(session);
      if (when === "while it is played") await worlds.remove(id);
      await worlds.create(FIRST_ORIGIN, "next");
      if (when === "when another is") await worlds.remove(id);
      expect((await worlds.list()).find((one) => one.id === id)).toMatchObject({ removedMs: 1e6 });
      await worlds.restore(id);
      expect((await worlds.list()).find((one) => one.id === id)).not.toHaveProperty("removedMs");
      expect(place((await reopened(storage, id)).session)).toEqual(at);
    },
  );

  test("that never was is not found, and nothing is written for it", async () => {
    const { worlds, storage } = await fresh();
    const before = [...storage.records.keys()];
    for (const requested of [
      worlds.open("nothing"),
      worlds.remove("nothing"),
      worlds.restore("nothing"),
      worlds.rename("nothing", "x"),
      worlds.duplicate("nothing"),
      worlds.exportFile("nothing"),
    ]) {
      await expect(requested).rejects.toMatchObject({ code: STATUS.notFound });
    }
    expect([...storage.records.keys()]).toEqual(before);
  });

  test("that was removed is erased when worlds are listed after a month", async () => {
    const { worlds, storage, id } = await fresh();
    const next = await worlds.create(FIRST_ORIGIN, "next");
    await worlds.remove(id);
    const later = (days: number) => openTab(storage, testHost({ now: () => 1e6 + days * DAY_MS }));
    expect(await later(29).worlds.list()).toHaveLength(2);
    expect(bytesOf(storage, id)).toBeGreaterThan(0);
    expect((await later(31).worlds.list()).map((one) => one.id)).toEqual([next]);
    expect(bytesOf(storage, id)).toBe(0);
  });

  test("takes what the storage holds of it: journal, keyframes, pages, and what was set aside", async () => {
    const { worlds, storage, session, id, save } = await fresh();
    blocks(session, 9000);
    for (let i = 0; i < 1000; i++) stop(session);
    await save();
    await save();
    const keys = [...storage.records.keys()];
    for (const kind of ["/keyframe/", "/page/"]) {
      expect(keys.some((key) => key.includes(kind))).toBe(true);
    }
    expect((await worlds.list())[0]?.bytes).toBe(bytesOf(storage, id));
    // Entries after the newest keyframe.
    stop(session);
    await save();
    const segments = [...storage.records.keys()].filter((key) => key.includes("/journal/"));
    damage(storage, segments.sort().at(-1) ?? "");
    const other = openTab(storage);
    await other.worlds.open(id);
    await until(other.session, other.session.restored);
    // Entries before the damage are counted by reading them.
    for (let turns = 0; turns < 5; turns++) await new Promise((resolve) => setImmediate(resolve));
    await other.save();
    expect([...storage.records.keys()].some((key) => key.startsWith("aside/"))).toBe(true);
    expect((await other.worlds.list())[0]?.bytes).toBe(bytesOf(storage, id));
  });
});

describe("a world whose beginning is lost", () => {
  test("is listed as what it is, with why it cannot be opened", async () => {
    const { worlds, storage, id } = await fresh();
    const [before] = await worlds.list();
    for (const copy of [0, 1]) damage(storage, `worlds/${id}/beginning-${copy}`);
    expect(await openTab(storage).worlds.list()).toEqual([
      { ...before, problem: "How it began cannot be read." },
    ]);
  });

  test("and whose heads are lost too has no name and no dates, but its size", async () => {
    const { storage, id } = await fresh();
    for (const copy of [0, 1]) {
      damage(storage, `worlds/${id}/beginning-${copy}`);
      damage(storage, `worlds/${id}/head-${copy}`);
    }
    expect(await openTab(storage).worlds.list()).toMatchObject([
      { name: "World without a name", createdMs: 0, savedMs: 0, bytes: bytesOf(storage, id) },
    ]);
  });

  test("is removed and restored", async () => {
    const { storage, id } = await fresh();
    for (const copy of [0, 1]) {
      damage(storage, `worlds/${id}/beginning-${copy}`);
      damage(storage, `worlds/${id}/head-${copy}`);
    }
    const { worlds } = openTab(storage);
    await worlds.remove(id);
    expect(await worlds.list()).toMatchObject([{ id, removedMs: 1e6 }]);
    await worlds.restore(id);
    expect((await worlds.list())[0]).not.toHaveProperty("removedMs");
  });

  test("is not opened while it is removed, which would take that back", async () => {
    const { storage, id } = await fresh();
    const { worlds } = openTab(storage);
    await worlds.remove(id);
    await expect(worlds.open(id)).rejects.toThrow("the world was deleted: restore it first");
    expect(await worlds.list()).toMatchObject([{ id, removedMs: 1e6 }]);
  });
});

describe("a file of a world", () => {
  test("brings it back in another storage, as it was", async () => {
    const { worlds, session, id } = await fresh();
    const other = openTab();
    const copy = await other.worlds.importFile(await worlds.exportFile(id));
    const [entry] = await other.worlds.list();
    expect(entry).toMatchObject({ id: copy, name: "mine", bytes: bytesOf(other.storage, copy) });
    expect(place((await reopened(other.storage, copy)).session)).toEqual(place(session));
  });

  test.each([["exportFile"], ["duplicate"]] as const)(
    "or a copy is of one moment, whatever is saved meanwhile (%s)",
    async (how) => {
      const { storage, session, id, save } = await fresh();
      const at = place(session);
      const other = openTab(storage);
      const { keys } = storage;
      storage.keys = async (prefix) => {
        const listed = await keys.call(storage, prefix);
        if (prefix === `worlds/${id}/`) {
          storage.keys = keys;
          for (let i = 0; i < 1000; i++) stop(session);
          blocks(session, 300);
          await save();
        }
        return listed;
      };
      const made = await other.worlds[how](id);
      const copy = typeof made === "string" ? made : await other.worlds.importFile(made);
      const back = await reopened(storage, copy);
      expect(place(back.session)).toEqual(at);
      expect(back.saving.notices).toEqual([]);
    },
  );

  test("that cannot be kept leaves nothing behind", async () => {
    const { worlds, id } = await fresh();
    const file = await worlds.exportFile(id);
    const other = openTab();
    const { write } = other.storage;
    other.storage.write = async (puts, removals) => {
      await write.call(other.storage, puts, removals);
      if (puts.size > 0) throw new Error("it is full");
    };
    await expect(other.worlds.importFile(file)).rejects.toThrow("it is full");
    expect(other.storage.records.size).toBe(0);
  });

  /** A modified file of the first world. */
  async function changed(over: Partial<Head>, validators = 4): Promise<Uint8Array> {
    const { storage, session, id } = await fresh();
    const { spec } = session.sim;
    const [first] = spec.validators;
    if (first === undefined) throw new Error("it has validators");
    const many = Array.from({ length: validators }, (_, i) => ({ ...first, name: `v${i}` }));
    const genesis = storeGenesis({ spec: { ...spec, validators: many }, text: "", file: "" });
    const { head } = await History.open(storage, id);
    if (head === undefined) throw new Error("it has a head");
    const { hash } = genesis;
    const none = { ...head, entries: 0, chain: hash, beginning: hash };
    return worldFile(firstOutline(genesis, { ...none, ...over }));
  }

  test.each([
    ["rounds", { rounds: 2 ** 32 - 1 }, 4, `at most ${INPUT.worldRounds} rounds, found 4294967295`],
    ["validators", {}, 10_001, "at most 10000 validators, found 10001"],
    ["a step after its end", { began: { rounds: 4, entries: 0 } }, 4, "began in round 4"],
  ])("with too many %s is refused before anything is done", async (_, over, validators, text) => {
    const { worlds, storage } = openTab();
    const file = await changed({ rounds: 3, ...over }, validators);
    await expect(worlds.importFile(file)).rejects.toThrow(text);
    expect(storage.records.size).toBe(0);
  });

  test("that is too large is refused before it is read", async () => {
    const file = { length: INPUT.worldBytes + 1 } as Uint8Array;
    await expect(openTab().worlds.importFile(file)).rejects.toThrow(
      `expected at most ${INPUT.worldBytes} bytes, found ${INPUT.worldBytes + 1}`,
    );
  });

  test("with an action after its last round is refused", async () => {
    const { storage, id, worlds } = await fresh();
    const { head } = await History.open(storage, id);
    if (head === undefined) throw new Error("it has a head");
    for (const copy of [0, 1]) {
      storage.records.set(`worlds/${id}/head-${copy}`, headRecord({ ...head, rounds: 2 }));
    }
    const file = await openTab(storage).worlds.exportFile(id);
    await expect(worlds.importFile(file)).rejects.toThrow(
      "an action in round 3 and ends after 2 rounds",
    );
  });
});
