import { describe, expect, test } from "vitest";
import type { JournalEntry } from "../engine/simulation/command.ts";
import { headRecord, OUTLINE_KEYS, readOutline } from "./history/head.ts";
import { History } from "./history/history.ts";
import { HEADS, QUARANTINE, worldPrefix } from "./history/keys.ts";
import { FORMAT, frameRecord } from "./history/record.ts";
import { genesisOf } from "./save.ts";
import type { Head } from "./saved.ts";
import {
  blocks,
  entryOf,
  MemoryStorage,
  openTab,
  playedFor,
  type TestTab,
  until,
} from "./testing.ts";
import { worldSummary } from "./world-calls.ts";

/** A node that does not exist in this version, which therefore rejects every such command. */
const REFUSED: JournalEntry = {
  at: 15,
  command: { type: "node", node: "val-99", action: { kind: "stop" } },
};

/** A branch from height 10 of a saved world of 20 blocks that is not played. */
async function branched(): Promise<TestTab & { readonly id: string; readonly branch: string }> {
  const tab = await playedFor(20);
  const branch = await tab.worlds.fork(10, "what if", "as it was there");
  blocks(tab, 10);
  await tab.saving.settled();
  await tab.save();
  await tab.worlds.open(tab.id);
  await until(tab.session, tab.session.restored);
  return { ...tab, branch };
}

/** The heads of a world as another version would have written them. */
async function rewriteHead(
  { storage }: TestTab,
  id: string,
  write: (head: Head) => Uint8Array,
): Promise<void> {
  const prefix = worldPrefix(id);
  const { head } = readOutline(await storage.read(OUTLINE_KEYS.map((key) => prefix + key)));
  if (head === undefined) throw new Error("it has no head");
  for (const key of HEADS) storage.records.set(prefix + key, write(head));
}

/** Records of a world, including quarantined ones. */
const recordsOf = ({ storage }: TestTab, id: string): Map<string, Uint8Array> =>
  new Map(
    [...storage.records].filter(
      ([key]) => key.startsWith(worldPrefix(id)) || key.startsWith(`${QUARANTINE}${id}/`),
    ),
  );

async function opened({ storage }: TestTab, id: string): Promise<TestTab> {
  const tab = openTab(new MemoryStorage(storage.records));
  await tab.worlds.open(id);
  await until(tab.session, tab.session.restored);
  return tab;
}

const textsOf = ({ saving }: TestTab): string => saving.notices.map(({ text }) => text).join();

describe("a branch that another version made", () => {
  test("and wrote in a later format is listed as such, not opened, stays as it is, and is a file", async () => {
    const tab = await branched();
    const { branch } = tab;
    await rewriteHead(tab, branch, (head) => {
      const record = headRecord(head);
      return frameRecord(record[4] as 1, record.slice(16), FORMAT + 1);
    });
    const before = recordsOf(tab, branch);
    expect((await entryOf(tab, branch))?.problem).toBe("A later version of Chainlab saved it.");
    const file = await tab.worlds.exportFile(branch);
    const problem = "a later version of Chainlab saved the world of the file";
    expect(await worldSummary(file)).toMatchObject({ problem });
    await expect(tab.worlds.importFile(file)).rejects.toThrow(problem);
    await expect(tab.worlds.open(branch)).rejects.toThrow("a later version");
    expect(tab.worlds.current).toBe(tab.id);
    blocks(tab, 5);
    await tab.save();
    expect(recordsOf(tab, branch)).toEqual(before);
    expect(await tab.worlds.exportFile(branch)).toEqual(file);
  });

  test("and came to other results in says so, can be exported first, and keeps its place among the worlds", async () => {
    const tab = await branched();
    const { branch } = tab;
    await rewriteHead(tab, branch, (head) => headRecord({ ...head, appHash: new Uint8Array(32) }));
    const back = await opened(tab, branch);
    const [notice] = back.saving.notices;
    expect([notice?.kind, notice?.actions]).toEqual([
      "mismatch",
      ["continue", "export", "start_anew"],
    ]);
    const exported = await back.saving.answer(notice?.id ?? "", "export");
    expect(await worldSummary(exported?.content ?? new Uint8Array())).toMatchObject({
      problem: "",
    });
    expect([back.session.sim.height, back.session.player.playing]).toEqual([20, false]);
    expect(await entryOf(back, branch)).toMatchObject({
      name: "what if",
      note: "as it was there",
      parent: { world: tab.id, height: 10 },
    });
  });

  test("and holds a command that is refused now stands before that, says so, and loses nothing of it", async () => {
    const tab = await branched();
    const { session, storage } = tab;
    const { sim } = session;
    const history = History.begin(storage, "other", genesisOf(session.player.live));
    history.name = "what if";
    history.parent = { world: tab.id, height: 10 };
    history.add({ at: 12, command: { type: "node", node: "val-3", action: { kind: "stop" } } });
    history.add(REFUSED);
    history.add({ at: 18, command: { type: "node", node: "val-3", action: { kind: "start" } } });
    const play = { playing: true, speed: 1, blocks: 0, held: false, results: [], steps: [] };
    const { appHash } = sim.lastBlock;
    const save = { height: 20, appHash, impossible: false, now: 1 };
    await history.write({ play: { ...play, rounds: 20 }, ...save });
    const file = await tab.worlds.exportFile("other");
    const before = recordsOf(tab, "other");

    const back = await opened(tab, "other");
    expect([back.session.sim.rounds, back.session.player.playing]).toEqual([15, false]);
    expect(textsOf(back)).toContain(
      "replayed to block 15: this version refuses what was done next",
    );
    expect(textsOf(back)).toContain("val-99");
    blocks(back, 3);
    await back.save();
    const kept = [...recordsOf(back, "other").values()].map(String);
    for (const [key, record] of before) {
      if (!key.includes("/head")) expect(kept, key).toContain(String(record));
    }
    expect(await worldSummary(file)).toMatchObject({ problem: "" });
    expect(await entryOf(back, "other")).toMatchObject({ parent: { world: tab.id, height: 10 } });
  });
});
