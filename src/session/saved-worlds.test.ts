import { describe, expect, test } from "vitest";
import { toHex } from "../base/bytes.ts";
import { FIRST_ORIGIN } from "./first-world.ts";
import { openWorlds } from "./open-worlds.ts";
import { Session } from "./session.ts";
import { MemoryStorage, openTab, settle, type TestTab, testHost, until } from "./testing.ts";

/** A tab with a new, paused world. */
async function fresh(storage = new MemoryStorage()): Promise<TestTab & { readonly id: string }> {
  const tab = openTab(storage);
  const id = await tab.worlds.create(FIRST_ORIGIN, "mine");
  tab.session.control({ case: "pause", value: true });
  return { ...tab, id };
}

/** The world as reopened by another tab from the same storage. */
async function reopened({ storage, id }: { storage: MemoryStorage; id: string }): Promise<TestTab> {
  const tab = openTab(new MemoryStorage(storage.records));
  await tab.worlds.open(id);
  await until(tab.session, tab.session.restored);
  return tab;
}

function blocks(session: Session, count: number): void {
  session.control({ case: "stepBlocks", value: count });
  settle(session);
}

function commands(session: Session, count: number): void {
  for (let i = 0; i < count; i++) {
    session.sim.apply({ type: "node", node: "val-3", action: { kind: i % 2 ? "start" : "stop" } });
  }
  session.player.changed();
}

const place = ({ sim }: Session) => [sim.rounds, sim.height, toHex(sim.appHash), sim.journalLength];

test("a world that never was is refused in a sentence, and no notice stays of it", async () => {
  const tab = await fresh();
  await expect(tab.worlds.open("none-such")).rejects.toThrow("there is no such world");
  expect(tab.saving.notices).toEqual([]);
  expect(tab.worlds.current).toBe(tab.id);
});

describe("a storage that was written at an earlier time", () => {
  const WRITTEN = Date.UTC(2026, 10, 24, 12);
  const begin = async (records = new Map<string, Uint8Array>()) => {
    const storage = Object.assign(new MemoryStorage(records), { writtenMs: async () => WRITTEN });
    const session = new Session();
    const tab = openWorlds(session, storage, testHost(), async (keys) => keys.map(() => undefined));
    await tab.worlds.list();
    return { ...tab, storage };
  };

  test("and is empty is said to have lost its worlds, once", async () => {
    const { saving, storage } = await begin();
    expect(saving.notices).toMatchObject([{ kind: "cleared", actions: ["continue"] }]);
    expect(saving.notices[0]?.text).toContain("worlds were saved in it on November 24, 2026");
    expect((await begin(storage.records)).saving.notices).toEqual([]);
  });

  test("and has worlds has lost nothing", async () => {
    const { storage } = await fresh();
    expect((await begin(storage.records)).saving.notices).toEqual([]);
  });
});

describe("a reload", () => {
  test("brings the world back where it was", async () => {
    const tab = await fresh();
    blocks(tab.session, 4);
    tab.session.sim.apply({ type: "double_sign", node: "val-1" });
    blocks(tab.session, 20);
    await tab.save();
    const back = await reopened(tab);
    expect(place(back.session)).toEqual(place(tab.session));
    expect(back.saving).toMatchObject({ state: "saved", pending: 0, notices: [] });
    expect(back.worlds).toMatchObject({ current: tab.id, name: "mine" });
  });

  test("brings back a world that had run before it was saved for the first time", async () => {
    const tab = openTab(new MemoryStorage());
    blocks(tab.session, 5);
    const id = await tab.worlds.saveCopy("mine");
    blocks(tab.session, 3);
    await tab.save();
    const back = await reopened({ storage: tab.storage, id });
    expect(place(back.session)).toEqual(place(tab.session));
    expect(back.worlds).toMatchObject({ current: id, name: "mine" });
  });

  test.each([0, 1, 500, 3000])("brings back a journal of %d entries", async (count) => {
    const tab = await fresh();
    commands(tab.session, count);
    await tab.save();
    const back = await reopened(tab);
    expect(back.session.sim.journal).toEqual(tab.session.sim.journal);
    expect(back.saving.notices).toEqual([]);
  });

  test("begins at a keyframe, and the world is the same from then on", async () => {
    const tab = await fresh();
    blocks(tab.session, 300);
    commands(tab.session, 3);
    await tab.save();
    blocks(tab.session, 30);
    commands(tab.session, 3);
    await tab.save();
    expect(
      [...tab.storage.records.keys()].filter((key) => key.includes("/keyframe/")),
    ).toHaveLength(1);
    const back = await reopened(tab);
    expect(back.session.sim.journalStart).toBe(3);
    expect(place(back.session)).toEqual(place(tab.session));
    for (const { session } of [tab, back]) {
      commands(session, 2);
      blocks(session, 30);
    }
    expect(place(back.session)).toEqual(place(tab.session));
    expect(back.session.getFrame({})).toEqual({
      ...tab.session.getFrame({}),
      revision: expect.anything(),
      world: expect.anything(),
    });
  });

  test("finds old blocks in storage again, and by replay where they are damaged", async () => {
    const tab = await fresh();
    commands(tab.session, 1);
    blocks(tab.session, 30_000);
    await tab.save();
    const pages = [...tab.storage.records.keys()].filter((key) => key.includes("/page/"));
    expect(pages.length).toBeGreaterThan(5);
    const back = await reopened(tab);
    expect(back.session.sim.missingPages({ kind: "blocks", from: 100, to: 100 })).toHaveLength(1);
    const old = ({ session }: Pick<typeof tab, "session">) =>
      session.query((queries) => queries.labReading("getBlock", { height: 100 }));
    expect(await old(back)).toEqual(await old(tab));
    expect(back.session.sim.missingPages({ kind: "blocks", from: 100, to: 100 })).toEqual([]);
    for (const key of pages) tab.storage.records.delete(key);
    const without = await reopened(tab);
    expect(await old(without)).toEqual(await old(tab));
  });
});

describe("a world that is not played", () => {
  test("is copied under a name no longer than a name may be", async () => {
    const tab = await fresh();
    await tab.worlds.rename(tab.id, "n".repeat(80));
    const copy = await tab.worlds.duplicate(tab.id);
    const { name } = (await tab.worlds.list()).find(({ id }) => id === copy) ?? {};
    expect(name).toBe(`${"n".repeat(73)} (copy)`);
  });

  test("has a name that no other has, however often it is copied and imported", async () => {
    const tab = await fresh();
    await tab.worlds.rename(tab.id, "One");
    const file = await tab.worlds.exportFile(tab.id);
    for (let i = 0; i < 2; i++) {
      await tab.worlds.duplicate(tab.id);
      await tab.worlds.importFile(file);
    }
    const names = (await tab.worlds.list()).map(({ name }) => name).sort();
    expect(names).toEqual(["One", "One (2)", "One (3)", "One (copy 2)", "One (copy)"]);
  });

  test("is erased with all that it takes, and the others stay", async () => {
    const tab = await fresh();
    const copy = await tab.worlds.duplicate(tab.id);
    await tab.worlds.remove(copy);
    expect((await tab.worlds.list()).map(({ id }) => id)).toContain(copy);
    await tab.worlds.erase(copy);
    expect([...tab.storage.records.keys()].filter((key) => key.includes(copy))).toEqual([]);
    expect((await tab.worlds.list()).map(({ id }) => id)).toEqual([tab.id]);
  });

  test("is no longer written when it was played and is erased, until another one is", async () => {
    const tab = await fresh();
    const { id, storage, worlds } = tab;
    await worlds.erase(id);
    blocks(tab.session, 3);
    await tab.save();
    expect([...storage.records.keys()].filter((key) => key.includes(id))).toEqual([]);
    expect(worlds.current).toBeUndefined();
    const next = await worlds.create(FIRST_ORIGIN);
    expect((await worlds.list()).map((world) => world.id)).toEqual([next]);
    expect(tab.saving).toMatchObject({ state: "saved", notices: [] });
  });

  test("is saved on when it is played and cannot be erased", async () => {
    const tab = await fresh();
    tab.storage.failure = new Error("it does not answer");
    await expect(tab.worlds.erase(tab.id)).rejects.toThrow("it does not answer");
    tab.storage.failure = undefined;
    blocks(tab.session, 3);
    await tab.save();
    expect(tab.worlds.current).toBe(tab.id);
    const { height } = tab.session.sim;
    expect(await tab.worlds.list()).toMatchObject([{ id: tab.id, height }]);
  });

  test("keeps its name, and can be renamed and deleted, when both copies of its beginning are lost", async () => {
    const tab = await fresh();
    const copy = await tab.worlds.duplicate(tab.id);
    for (const key of ["beginning-0", "beginning-1"])
      tab.storage.records.set(`worlds/${copy}/${key}`, new Uint8Array(30));
    const found = async () => (await tab.worlds.list()).find(({ id }) => id === copy);
    expect(await found()).toMatchObject({ name: "mine (copy)" });
    await tab.worlds.rename(copy, "broken");
    await expect(tab.worlds.open(copy)).rejects.toThrow(
      "The saved world “broken” cannot be opened: both copies of its beginning",
    );
    await tab.worlds.remove(copy);
    expect(await found()).toMatchObject({ name: "broken", removedMs: expect.any(Number) });
  });
});
