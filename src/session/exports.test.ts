import { expect, test } from "vitest";
import { INPUT } from "../base/limits.ts";
import type { WorldSpec } from "../engine/simulation/genesis/world-spec.ts";
import { FIRST_ORIGIN } from "./first-world.ts";
import { headRecord, storeGenesis } from "./history/head.ts";
import { History } from "./history/history.ts";
import { JournalWriter } from "./history/journal.ts";
import { segmentKey } from "./history/keys.ts";
import { frameRecord, HEADER, RECORD, splitRecords } from "./history/record.ts";
import { openWorlds } from "./open-worlds.ts";
import { Session } from "./session.ts";
import { MemoryStorage, openTab, settle, type TestTab, testHost, until } from "./testing.ts";
import { firstOutline, worldFile } from "./world-file.ts";

async function fresh(storage = new MemoryStorage()) {
  const tab = openTab(storage);
  const id = await tab.worlds.create(FIRST_ORIGIN, "mine");
  tab.session.control({ case: "pause", value: true });
  tab.session.control({ case: "stepBlocks", value: 3 });
  settle(tab.session);
  await tab.save();
  return { ...tab, id };
}

/** Keys of the records of an exported file. */
const keysIn = (file: Uint8Array | undefined): string[] =>
  file === undefined ? [] : [...splitRecords(file.subarray(HEADER))].map(([key]) => key);

/** Flips a bit of the last byte. */
function damage({ records }: MemoryStorage, key: string): void {
  const record = records.get(key)?.slice() ?? new Uint8Array(1);
  record[record.length - 1] = (record.at(-1) ?? 0) ^ 1;
  records.set(key, record);
}

test("a world of which one copy of the beginning is damaged is exported whole", async () => {
  const { storage, id } = await fresh();
  damage(storage, `worlds/${id}/beginning-0`);
  const other = openTab(storage);
  const copy = await other.worlds.importFile(await other.worlds.exportFile(id));
  await other.worlds.open(copy);
  await until(other.session, other.session.restored);
  expect(other.session.sim.height).toBe(3);
});

test("a world that cannot be opened is exported by the notice that says so", async () => {
  const { storage, id } = await fresh();
  for (const copy of [0, 1]) damage(storage, `worlds/${id}/beginning-${copy}`);
  const other = openTab(storage);
  await other.worlds.create(FIRST_ORIGIN);
  await expect(other.worlds.open(id)).rejects.toThrow("beginning");
  const [notice] = other.saving.notices;
  expect(notice?.actions).toContain("export");
  const file = await other.saving.answer(notice?.id ?? "", "export");
  expect(file?.name).toBe("mine");
  expect(keysIn(file?.content)).toContain("head-0");
});

test("what was set aside of a world is in its file, which is opened like any other", async () => {
  const { storage, session, id, save } = await fresh();
  await until(session, session.runStep(`{"nodes":{"which":["val-3"],"stop":true}}`));
  await save();
  const segment = [...storage.records.keys()].find((key) => key.includes("/journal/")) ?? "";
  damage(storage, segment);
  const damaged = storage.records.get(segment);
  const other = openTab(storage);
  await other.worlds.open(id);
  await until(other.session, other.session.restored);
  const file = await other.saving.answer(other.saving.notices[0]?.id ?? "", "export");
  expect(file?.name).toBe(other.worlds.name);
  expect(keysIn(file?.content).some((key) => key.startsWith("aside/"))).toBe(true);
  const third = openTab();
  const copy = await third.worlds.importFile(file?.content ?? new Uint8Array());
  await third.worlds.open(copy);
  await until(third.session, third.session.restored);
  expect(third.saving.notices).toEqual([]);
  expect(third.session.sim.appHash).toEqual(other.session.sim.appHash);
  const { content } = await third.worlds.exportNamed(copy);
  const kept = [...splitRecords(content.subarray(HEADER))].filter(([key]) =>
    key.startsWith("aside/"),
  );
  expect(kept.map(([, record]) => record)).toContainEqual(damaged);
});

test("a world whose journal is damaged comes back from its file up to the damage, which is said", async () => {
  const { storage, session, id, save } = await fresh();
  const stop = `{"nodes":{"which":["val-3"],"stop":true}}`;
  await until(session, session.runStep(stop));
  session.control({ case: "stepBlocks", value: 3 });
  settle(session);
  await save();
  const segment = [...storage.records.keys()].find((key) => key.includes("/journal/")) ?? "";
  damage(storage, segment);
  const file = await openTab(storage).worlds.exportFile(id);
  const opened = async (tab: TestTab, world: string) => {
    await tab.worlds.open(world);
    await until(tab.session, tab.session.restored);
    await tab.save();
    return { height: tab.session.sim.height, notices: tab.saving.notices.map(({ text }) => text) };
  };
  const other = openTab();
  const back = await opened(other, await other.worlds.importFile(file));
  expect(back.notices).toEqual([expect.stringContaining("Everything before that was kept")]);
  expect(back).toEqual(await opened(openTab(storage), id));
  expect([...other.storage.records.keys()].some((key) => key.startsWith("aside/"))).toBe(true);
});

test.each([
  [{ rounds: INPUT.worldRounds + 1 }, `it has ${INPUT.worldRounds + 1} rounds`],
  [{ bytes: INPUT.worldBytes + 1 }, `its file would have ${INPUT.worldBytes + 1} bytes`],
])(
  "a world of %j, which could not be imported, is not exported, and none of it is read",
  async (over, words) => {
    const { storage, id } = await fresh();
    const { head } = await History.open(storage, id);
    if (head === undefined) throw new Error("it has a head");
    for (const copy of [0, 1])
      storage.records.set(`worlds/${id}/head-${copy}`, headRecord({ ...head, ...over }));
    const other = openTab(storage);
    storage.keys = () => Promise.reject(new Error("it is read"));
    await expect(other.worlds.exportFile(id)).rejects.toThrow(words);
  },
);

test("a world of which nothing can be read is not exported as an empty file", async () => {
  await expect(openTab().worlds.exportFile("gone")).rejects.toThrow("nothing of this world");
});

test("what an earlier version saved is asked for again after a storage that did not answer", async () => {
  const storage = new MemoryStorage();
  let requested = 0;
  const readOld = async (keys: readonly string[]): Promise<unknown[]> => {
    requested += 1;
    if (requested === 1) throw new Error("it does not answer");
    return keys.map(() => undefined);
  };
  const start = () => openWorlds(new Session(), storage, testHost(), readOld);
  storage.failure = new Error("it does not answer");
  const first = start();
  await expect(first.worlds.list()).rejects.toThrow("answer");
  storage.failure = undefined;
  expect(await first.worlds.list()).toEqual([]);
  expect(first.saving.notices).toMatchObject([{ kind: "moved" }]);
  expect(await start().worlds.list()).toEqual([]);
  expect(requested).toBe(2);
  expect(await start().worlds.list()).toEqual([]);
  expect(requested).toBe(2);
});

const listOf = <T>(one: T): T[] => Array<T>(200_000).fill(one);

test("the file of a world that cannot begin is refused, and nothing of it is kept", async () => {
  const { worlds, storage, session, id } = await fresh();
  const genesis = { spec: { ...session.sim.spec, validators: [] }, text: "", file: "" };
  const stored = storeGenesis(genesis);
  const { head } = await History.open(storage, id);
  if (head === undefined) throw new Error("it has a head");
  const file = worldFile(
    firstOutline(stored, { ...head, beginning: stored.hash, chain: stored.hash }),
  );
  const before = [...storage.records.keys()];
  await expect(worlds.importFile(file)).rejects.toThrow("the world of the file cannot begin: ");
  expect([...storage.records.keys()]).toEqual(before);
});

test("the size of a world counts how it began, and is the same after it was opened again", async () => {
  const { worlds, storage, session, id } = await fresh();
  session.sim.apply({ type: "node", node: "val-3", action: { kind: "stop" } });
  session.player.changed();
  const [entry] = await worlds.list();
  expect(entry?.bytes).toBeGreaterThanOrEqual(
    storage.records.get(`worlds/${id}/beginning-0`)?.length ?? 0,
  );
  await worlds.close();
  const [before] = await worlds.list();
  const other = openTab(storage);
  await other.worlds.open(id);
  await until(other.session, other.session.restored);
  await other.worlds.rename(id, "MINE");
  expect((await other.worlds.list())[0]).toMatchObject({ name: "MINE", bytes: before?.bytes });
});

test.each([
  [
    "in which a binary was installed outside an upgrade",
    { type: "node", node: "val-3", action: { kind: "install", binary: "v2" } },
  ],
  [
    "with misbehavior made by hand",
    { type: "misbehavior", kind: 1, validator: "val-2", height: 0, time: -5n, power: 0 },
  ],
] as const)("a world %s is exported, and comes back from its file", async (_, command) => {
  const { worlds, session, id } = await fresh();
  session.sim.apply(command);
  session.player.changed();
  session.control({ case: "stepBlocks", value: 5 });
  settle(session);
  const other = openTab();
  const copy = await other.worlds.importFile(await worlds.exportFile(id));
  await other.worlds.open(copy);
  await until(other.session, other.session.restored);
  expect(other.saving.notices).toEqual([]);
  expect(other.session.sim.appHash).toEqual(session.sim.appHash);
  expect(other.session.sim.journal).toEqual(session.sim.journal);
});

test.each([
  ["bytes of anything", new Uint8Array(500).fill(3)],
  ["nothing", new Uint8Array(0)],
  ["a sound record of junk", frameRecord(RECORD.journal, new Uint8Array(500).fill(0x91))],
])("a last segment of %s in a file costs only itself", async (_, junk) => {
  const { worlds, storage, session, id } = await fresh();
  for (const kind of ["stop", "start"] as const) {
    session.sim.apply({ type: "node", node: "val-3", action: { kind } });
    session.control({ case: "stepBlocks", value: 2 });
    settle(session);
  }
  await worlds.close();
  const { head } = await History.open(storage, id);
  if (head === undefined) throw new Error("it has a head");
  const prefix = `worlds/${id}/`;
  const records = [...storage.records].flatMap(([key, record]) =>
    key.startsWith(prefix) && /beginning|head|journal/.test(key)
      ? [[key.slice(prefix.length), record] as const]
      : [],
  );
  for (const key of [segmentKey(head.entries), segmentKey(head.entries + 1000)]) {
    const other = openTab();
    const copy = await other.worlds.importFile(worldFile([...records, [key, junk]]));
    await other.worlds.open(copy);
    await until(other.session, other.session.restored);
    expect(other.session.sim.journal).toEqual(session.sim.journal);
    expect(other.session.sim.appHash).toEqual(session.sim.appHash);
  }
});

test("actions of a file whose last save is not of its journal have the same limits", async () => {
  const { worlds, storage, session, id } = await fresh();
  session.control({ case: "stepBlocks", value: 2 });
  settle(session);
  await worlds.close();
  const { head } = await History.open(storage, id);
  if (head === undefined) throw new Error("it has a head");
  const genesis = storeGenesis({ spec: session.sim.spec, text: "", file: "" });
  const action = { kind: "stop" } as const;
  const fileWith = (at: number): Uint8Array => {
    const writer = new JournalWriter({ entries: 0, chain: genesis.hash, frames: [] });
    writer.add({ at, command: { type: "node", node: "val-3", action } });
    const other = { ...head, beginning: genesis.hash, entries: 1, chain: genesis.hash };
    return worldFile([...firstOutline(genesis, other), ...writer.unwritten()]);
  };
  const { worlds: others } = openTab();
  await expect(others.importFile(fileWith(INPUT.worldRounds + 1))).rejects.toThrow(
    "the file has an action in",
  );
  await expect(others.importFile(fileWith(1))).resolves.toBeTypeOf("string");
});

test.each([
  [
    "200000 validators",
    { validators: listOf({ name: "v", stake: 1n, binary: "v1" }) },
    "at most 10000 validators, found 200000",
  ],
  [
    "200000 accounts",
    { accounts: listOf({ name: "a", amount: 1n }) },
    "at most 10000 accounts, found 200000",
  ],
  ["200000 routes", { evidenceRoutes: listOf("r") }, "at most 150 evidence routes, found 200000"],
  ...[2 ** 53 - 1, 2 ** 53 - 2, 2 ** 53, 2 ** 32, 2 ** 31, 1_000_000_001, 0, Number.NaN].map(
    (first) =>
      [
        `${first} as its first height`,
        { initialHeight: first },
        `a block from 1 to 1000000000, found ${first}`,
      ] as const,
  ),
  ["a time beyond all years", { genesisTime: 2n ** 70n }, "in the years 1 to 9999"],
  ["a long time between blocks", { blockTime: 2n ** 80n }, "at most 100 years between blocks"],
] as const)(
  "a world with %s is refused in words, from a file and where it is kept",
  async (_, over, words) => {
    const { worlds, storage, session, id } = await fresh();
    await worlds.close();
    const { head } = await History.open(storage, id);
    if (head === undefined) throw new Error("it has a head");
    const spec = { ...session.sim.spec, ...over } as WorldSpec;
    const genesis = storeGenesis({ spec, text: "", file: "" });
    const forged = { ...head, beginning: genesis.hash, chain: genesis.hash };
    const records = firstOutline(genesis, forged);
    await expect(openTab().worlds.importFile(worldFile(records))).rejects.toThrow(words);
    for (const [key, record] of records) storage.records.set(`worlds/${id}/${key}`, record);
    const { worlds: kept } = openTab(storage);
    expect((await kept.list())[0]?.problem).toContain(words);
    await expect(kept.open(id)).rejects.toThrow(words);
  },
);
