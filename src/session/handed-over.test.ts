/** An imported world is inspected first, and is paused when it is opened. */
import { expect, test } from "vitest";
import { FIRST_ORIGIN } from "./first-world.ts";
import { SEGMENTS, worldPrefix } from "./history/keys.ts";
import { FORMAT, frameRecord, HEADER, RECORD } from "./history/record.ts";
import { summaryOf } from "./summary.ts";
import { MemoryStorage, openTab, settle, until } from "./testing.ts";
import { worldSummary } from "./world-calls.ts";

const TEXT = `
scenario: 1
name: told
title: Told
about: Two steps.
genesis: { chain_id: hall-1, validators: 7 }
steps:
  - run: 5
  - run: 2
`;

test("a scenario says what it holds, and what is wrong with it", () => {
  expect(summaryOf(TEXT, "told.yaml")).toEqual({
    ...{ problems: [], name: "told", title: "Told", about: "Two steps.", chainId: "hall-1" },
    ...{ validators: 7, steps: 2, initialHeight: 1 },
  });
  const { problems, validators } = summaryOf(TEXT.replace("run: 5", "runn: 5"), "told.yaml");
  expect(problems).toMatchObject([{ path: "steps[0].runn", line: 8 }]);
  expect(validators).toBe(0);
});

test("a scenario that is loaded paused makes no block before it is played", async () => {
  const { session } = openTab(new MemoryStorage());
  session.player.play();
  await session.loadScenario({ text: TEXT, file: "told.yaml", paused: true });
  await settle(session);
  expect(session.sim.height).toBe(0);
  const { player, story } = session.getFrame({});
  expect(player).toMatchObject({ playing: false, busy: false });
  expect(story).toMatchObject({ state: "running", beat: 0 });
  expect(story?.beats[0]?.state).toBe("pending");
  session.control({ case: "speed", value: 0 });
  session.control({ case: "play", value: true });
  await settle(session);
  expect(session.sim.height).toBe(7);
});

test("a paused scenario that was saved and opened again still waits", async () => {
  const tab = openTab(new MemoryStorage());
  await tab.worlds.create(FIRST_ORIGIN);
  await tab.session.loadScenario({ text: TEXT, file: "told.yaml", paused: true });
  await tab.save();
  const id = tab.worlds.current ?? "";
  const other = openTab(tab.storage);
  await other.worlds.open(id);
  await until(other.session, other.session.restored);
  await settle(other.session);
  expect(other.session.sim.height).toBe(0);
  other.session.control({ case: "play", value: true });
  other.session.control({ case: "speed", value: 0 });
  await settle(other.session);
  expect(other.session.sim.height).toBe(7);
});

test("the file of a world that was playing says what it holds, and is opened standing still", async () => {
  const tab = openTab(new MemoryStorage());
  const id = await tab.worlds.create(FIRST_ORIGIN, "mine");
  tab.session.control({ case: "pause", value: true });
  tab.session.control({ case: "stepBlocks", value: 3 });
  await settle(tab.session);
  await until(tab.session, tab.session.runStep(`{"nodes":{"which":["val-3"],"stop":true}}`));
  tab.session.control({ case: "play", value: true });
  await tab.save();
  const file = await tab.worlds.exportFile(id);
  const found = await worldSummary(file);
  expect(found).toMatchObject({ problem: "", name: "mine", validators: 4, actions: 1 });
  expect(found.height).toBeGreaterThanOrEqual(3);

  const other = openTab(new MemoryStorage());
  await other.worlds.open(await other.worlds.importFile(file, true));
  await until(other.session, other.session.restored);
  await settle(other.session);
  expect(other.session.sim.height).toBe(found.height);
  expect(other.session.getFrame({}).player?.playing).toBe(false);
});

test("the file of a world says before it is opened what of its journal a later version wrote", async () => {
  const tab = openTab(new MemoryStorage());
  const id = await tab.worlds.create(FIRST_ORIGIN, "mine");
  tab.session.control({ case: "pause", value: true });
  await until(tab.session, tab.session.runStep(`{"nodes":{"which":["val-3"],"stop":true}}`));
  await tab.save();
  expect((await worldSummary(await tab.worlds.exportFile(id))).loss).toBe("");
  const { records } = tab.storage;
  for (const [key, record] of records)
    if (key.startsWith(worldPrefix(id) + SEGMENTS))
      records.set(key, frameRecord(RECORD.journal, record.slice(HEADER), FORMAT + 1));
  expect(await worldSummary(await tab.worlds.exportFile(id))).toMatchObject({
    problem: "",
    loss: "In what is saved of this world, from action 1 on its journal was written by a later version of Chainlab.",
  });
});

test("a file that holds no world says what is wrong", async () => {
  expect(await worldSummary(new Uint8Array([1, 2, 3]))).toMatchObject({
    problem: "expected a world that Chainlab exported, found another kind of file",
    validators: 0,
  });
});
