import { expect, test } from "vitest";
import { toHex } from "../base/bytes.ts";
import { FIRST_ORIGIN } from "./first-world.ts";
import type { Session } from "./session.ts";
import { MemoryStorage, openTab, settle, until } from "./testing.ts";

/** A storage that rejects writes of one world. */
class Refusing extends MemoryStorage {
  refused = "";

  override async write(...[puts, removals]: Parameters<MemoryStorage["write"]>) {
    if (this.refused !== "" && [...puts.keys()].some((key) => key.includes(this.refused))) {
      throw new Error("it cannot be written");
    }
    await super.write(puts, removals);
  }
}

/** A tab whose world has an unwritable action, and which now plays another world. */
async function left() {
  const storage = new Refusing();
  const tab = openTab(storage);
  const id = await tab.worlds.create(FIRST_ORIGIN, "mine");
  tab.session.control({ case: "pause", value: true });
  await tab.save();
  storage.refused = id;
  stop(tab.session);
  const place = placeOf(tab.session);
  const next = await tab.worlds.create(FIRST_ORIGIN, "next");
  tab.session.control({ case: "pause", value: true });
  return { ...tab, storage, id, next, place };
}

function stop(session: Session): void {
  session.sim.apply({ type: "node", node: "val-3", action: { kind: "stop" } });
  session.player.changed();
}

const placeOf = ({ sim }: Session) => [sim.rounds, toHex(sim.appHash), sim.journalLength];

/** As after a kill: only the storage survives. */
async function placeIn({ records }: MemoryStorage, id: string) {
  const tab = openTab(new MemoryStorage(records));
  await tab.worlds.open(id);
  await until(tab.session, tab.session.restored);
  return placeOf(tab.session);
}

test("a world that could not be written when another took its place is written when it can be", async () => {
  const { storage, id, next, place, save, saving, session, settled: source } = await left();
  let isWritten = false;
  void source(id).then(() => {
    isWritten = true;
  });
  stop(session);
  await save();
  await save();
  expect(saving.state).toBe("unsaved");
  const texts = saving.notices.map(({ text }) => text);
  expect(texts.filter((text) => text.includes("“mine” is not saved"))).toHaveLength(1);
  expect(isWritten).toBe(false);
  // It does not block the played world.
  expect(await placeIn(storage, next)).toEqual(placeOf(session));
  storage.refused = "";
  await save();
  expect(saving.state).toBe("saved");
  expect(await placeIn(storage, id)).toEqual(place);
  await expect.poll(() => isWritten).toBe(true);
});

test("a world that was closed and could not be written is written when it can be", async () => {
  const storage = new Refusing();
  const { worlds, session, save } = openTab(storage);
  const id = await worlds.create(FIRST_ORIGIN, "mine");
  session.control({ case: "pause", value: true });
  storage.refused = id;
  stop(session);
  const place = placeOf(session);
  await worlds.close();
  storage.refused = "";
  await save();
  expect(await placeIn(storage, id)).toEqual(place);
});

test("a world that is not written yet is opened and exported as it is in memory", async () => {
  const { worlds, session, storage, id, place, save, saving } = await left();
  const other = openTab();
  const copy = await other.worlds.importFile(await worlds.exportFile(id));
  expect(await placeIn(other.storage, copy)).toEqual(place);
  await expect(worlds.duplicate(id)).rejects.toThrow("not saved yet");
  await worlds.open(id);
  expect(worlds).toMatchObject({ current: id, name: "mine" });
  expect(placeOf(session)).toEqual(place);
  expect(saving.state).toBe("unsaved");
  storage.refused = "";
  stop(session);
  await save();
  expect(saving.state).toBe("saved");
  expect(await placeIn(storage, id)).toEqual(placeOf(session));
});

test("a world that was never written is listed while it waits", async () => {
  const storage = new Refusing();
  const { worlds, session } = openTab(storage);
  storage.refused = "head-0";
  const id = await worlds.create(FIRST_ORIGIN, "first");
  session.control({ case: "stepBlocks", value: 2 });
  settle(session);
  await worlds.create(FIRST_ORIGIN, "second");
  const listed = (await worlds.list()).find((one) => one.id === id);
  expect(listed).toMatchObject({ name: "first", height: 2 });
});

test("a world that another tab went on with meanwhile is kept as a world of its own", async () => {
  const { worlds, storage, id, place, save, saving } = await left();
  storage.refused = "";
  const other = openTab(storage);
  await other.worlds.open(id);
  await until(other.session, other.session.restored);
  for (let i = 0; i < 3; i++) {
    stop(other.session);
    await other.save();
  }
  await save();
  await save();
  expect(saving.state).toBe("saved");
  const copy = (await worlds.list()).find(({ name }) => name === "mine (of another tab)");
  expect(saving.notices.at(-1)?.text).toContain(copy?.name);
  expect(await placeIn(storage, copy?.id ?? "")).toEqual(place);
  expect((await placeIn(storage, id)).at(-1)).toBe(3);
});
