import { expect, test } from "vitest";
import { toHex } from "../base/bytes.ts";
import { CommandError } from "../engine/framework/errors.ts";
import { FIRST_ORIGIN } from "./first-world.ts";
import type { Session } from "./session.ts";
import { MemoryStorage, openTab, settle, until } from "./testing.ts";

/** A storage in which other things happen during a request. */
class BusyStorage extends MemoryStorage {
  /** Called once, after the next write and before its answer. */
  written: (() => void | Promise<void>) | undefined;
  /** Called once, when the heads of a world are read next. */
  headsRead: (() => void | Promise<void>) | undefined;

  override async read(keys: readonly string[]) {
    const found = await super.read(keys);
    if (keys.every((key) => /head-[01]$/.test(key))) await this.#during("headsRead");
    return found;
  }

  override async write(...args: Parameters<MemoryStorage["write"]>) {
    await super.write(...args);
    await this.#during("written");
  }

  async #during(name: "written" | "headsRead"): Promise<void> {
    const act = this[name];
    this[name] = undefined;
    await act?.();
  }
}

async function fresh() {
  const storage = new BusyStorage();
  const tab = openTab(storage);
  const id = await tab.worlds.create(FIRST_ORIGIN, "mine");
  tab.session.control({ case: "pause", value: true });
  return { ...tab, storage, id };
}

/** As after a kill: only the storage survives. */
async function reopened({ storage, id }: { storage: MemoryStorage; id: string }) {
  const copy = new BusyStorage(storage.records);
  const tab = openTab(copy);
  await tab.worlds.open(id);
  await until(tab.session, tab.session.restored);
  return { ...tab, storage: copy, id };
}

function blocks(session: Session, count: number): void {
  session.control({ case: "stepBlocks", value: count });
  settle(session);
}

function stop(session: Session, node = "val-3"): void {
  session.sim.apply({ type: "node", node, action: { kind: "stop" } });
  session.player.changed();
}

const place = ({ sim }: Session) => [sim.rounds, sim.height, toHex(sim.appHash), sim.journalLength];

test("a page of blocks that were made after the last save and lost is not the page of those made anew", async () => {
  const tab = await fresh();
  blocks(tab.session, 4000);
  tab.storage.written = () => {
    stop(tab.session);
    blocks(tab.session, 200);
  };
  await tab.save();
  expect([...tab.storage.records.keys()].some((key) => key.includes("/page/"))).toBe(true);
  const back = await reopened(tab);
  expect(back.session.sim).toMatchObject({ height: 4000, journalLength: 0 });
  blocks(back.session, 5000);
  await back.save();
  const again = await reopened(back);
  const old = ({ session }: typeof back) =>
    session.query((queries) => queries.labReading("getBlock", { height: 4090 }));
  expect(await old(again)).toEqual(await old(back));
});

test("what is done while the world is saved before another takes its place is saved too", async () => {
  const tab = await fresh();
  blocks(tab.session, 3);
  let settled: Promise<void> | undefined;
  tab.storage.written = () => {
    stop(tab.session);
    settled = tab.saving.settled();
  };
  await tab.worlds.create(FIRST_ORIGIN, "next");
  await settled;
  expect((await reopened(tab)).session.sim.journalLength).toBe(1);
});

test("a head counts the actions up to its round, whatever is added while it is written", async () => {
  const tab = await fresh();
  blocks(tab.session, 3);
  tab.storage.headsRead = () => {
    blocks(tab.session, 2);
    stop(tab.session);
    // As when an old block is restored by replay.
    expect([...(tab.session.player.live.historySource.journal?.(0) ?? [])]).toHaveLength(1);
  };
  await tab.save();
  const back = await reopened(tab);
  expect(back.saving.notices).toEqual([]);
  expect(back.session.sim).toMatchObject({ height: 3, journalLength: 0 });
  await tab.save();
  expect(place((await reopened(tab)).session)).toEqual(place(tab.session));
});

test("a world that is being opened gives way to one that is begun meanwhile, which is saved", async () => {
  const tab = await fresh();
  blocks(tab.session, 300);
  await tab.save();
  const back = openTab(new MemoryStorage(tab.storage.records));
  const opening = back.worlds.open(tab.id);
  let begun: Promise<string> | undefined;
  const { read } = back.storage;
  back.storage.read = async (keys) => {
    // The journal or a keyframe: the world is not on screen yet.
    if (!keys.some((key) => /head|beginning/.test(key))) {
      begun ??= back.worlds.create(FIRST_ORIGIN, "next");
      await begun;
    }
    return read.call(back.storage, keys);
  };
  await until(back.session, opening);
  await until(back.session, back.session.restored);
  const id = (await begun) ?? "";
  expect(back.worlds.current).toBe(id);
  expect(back.session.sim.journalLength).toBe(0);
  back.session.control({ case: "pause", value: true });
  stop(back.session);
  await back.saving.settled();
  expect((await reopened({ storage: back.storage, id })).session.sim.journalLength).toBe(1);
});

test("a command that needs blocks which cannot come back is refused, and is not in the journal", async () => {
  const tab = await fresh();
  // More than one segment of a journal before the part that is read from a keyframe on.
  for (let i = 0; i < 1600; i++) {
    const kind = i % 2 ? "start" : "stop";
    tab.session.sim.apply({ type: "node", node: "val-2", action: { kind } });
  }
  blocks(tab.session, 10);
  stop(tab.session);
  blocks(tab.session, 30_000);
  await tab.save();
  const first = `worlds/${tab.id}/journal/000000000000`;
  const record = tab.storage.records.get(first)?.slice() ?? new Uint8Array();
  record[5000] = (record[5000] ?? 0) ^ 1;
  tab.storage.records.set(first, record);
  const back = await reopened(tab);
  await expect.poll(() => back.saving.notices).toHaveLength(1);
  const { sim } = back.session;
  const start = () => sim.apply({ type: "node", node: "val-3", action: { kind: "start" } });
  expect(start).toThrow(CommandError);
  expect(sim.journalLength).toBe(1601);
  for (const { session } of [tab, back]) blocks(session, 20);
  expect(place(back.session)).toEqual(place(tab.session));
});
