import { describe, expect, test } from "vitest";
import { toHexUpper } from "../engine/primitives/bytes.ts";
import { parseScenario } from "../scenario/parse.ts";
import { runScenario } from "../scenario/report.ts";
import { FIRST_ORIGIN } from "./first-world.ts";
import { recorded } from "./recorded.ts";
import { expectationsOf } from "./recording.ts";
import type { Session } from "./session.ts";
import { MemoryStorage, openTab, settle, type TestTab, until } from "./testing.ts";

function blocks(session: Session, count: number): void {
  session.control({ case: "stepBlocks", value: count });
  settle(session);
}

/** A tab with a new world that stands still. */
async function fresh(): Promise<TestTab & { readonly id: string }> {
  const tab = openTab(new MemoryStorage());
  const id = await tab.worlds.create(FIRST_ORIGIN, "mine");
  tab.session.control({ case: "pause", value: true });
  return { ...tab, id };
}

/** Runs what is recorded of a session's world, which must lead to the same app hash. */
async function expectSame(session: Session): Promise<string> {
  const { text, file, leftOut } = await recorded(session);
  expect(leftOut).toEqual([]);
  const read = parseScenario(text, file);
  if ("problems" in read) throw new Error(JSON.stringify(read.problems));
  const report = runScenario(read.scenario, { file });
  expect(report).toMatchObject({ ok: true, app_hash: toHexUpper(session.sim.appHash) });
  return text;
}

test("what can be expected of the chain at a past height is what was true there", async () => {
  const { session } = await fresh();
  blocks(session, 4);
  session.sim.apply({ type: "double_sign", node: "val-1" });
  blocks(session, 5);
  const found = async (height: number): Promise<string> => {
    const { expectations } = await until(
      session,
      expectationsOf(session, { kind: "chain" }, height),
    );
    return expectations.map(({ sentence }) => sentence).join("\n");
  };
  const [then, now] = [await found(4), await found(0)];
  expect(then).toContain("running at height 4.");
  expect(then).toContain("val-1 has 100000000 tokens.");
  expect(now).toContain("running at height 9.");
  expect(now).toContain("val-1 has 95000000 tokens.");
});

describe("the world that is played", () => {
  test("is recorded with all that was done in it", async () => {
    const { session } = await fresh();
    blocks(session, 3);
    session.sim.apply({ type: "double_sign", node: "val-1" });
    blocks(session, 4);
    const text = await expectSame(session);
    expect(text).toContain(
      "- run: { to: 3 }\n  - double_sign: { node: val-1 }\n  - run: { to: 7 }",
    );
  });

  test("is recorded from its first action on, also where only the last ones are in memory", async () => {
    const tab = await fresh();
    blocks(tab.session, 300);
    for (let i = 0; i < 6; i++) {
      tab.session.sim.apply({
        type: "node",
        node: "val-3",
        action: { kind: i % 2 ? "start" : "stop" },
      });
    }
    tab.session.player.changed();
    await tab.save();
    blocks(tab.session, 30);
    await tab.save();
    const back = openTab(new MemoryStorage(tab.storage.records));
    await back.worlds.open(tab.id);
    await until(back.session, back.session.restored);
    expect(back.session.sim.journalStart).toBeGreaterThan(0);
    back.session.sim.apply({ type: "double_sign", node: "val-2" });
    blocks(back.session, 3);
    const text = await expectSame(back.session);
    expect(text.match(/which: \[ val-3 \]/g)).toHaveLength(6);
    expect(text).toContain("double_sign: { node: val-2 }");
  });

  test("offers only expectations that hold now", async () => {
    const { session } = await fresh();
    blocks(session, 3);
    const { expectations } = await expectationsOf(session, { kind: "node", id: "val-1" }, 0);
    expect(expectations.map(({ sentence }) => sentence)).toEqual([
      "val-1 has 100000000 tokens.",
      "val-1 is running.",
      "val-1 is not jailed.",
      "The chain is running at height 3.",
      expect.stringMatching(/^The app hash after block 3 is [0-9A-F]{8}…\.$/),
      "All nodes hold the same app hash.",
      "val-0 has 100000000 tokens.",
      "val-2 has 100000000 tokens.",
      "val-3 has 100000000 tokens.",
    ]);
    for (const { step } of expectations) {
      expect(await until(session, session.runStep(step))).toMatchObject({ ok: true });
    }
    const nothing = await expectationsOf(session, { kind: "proposal", id: "99" }, 0);
    expect(nothing.expectations.some(({ sentence }) => sentence.startsWith("Proposal"))).toBe(
      false,
    );
  });
});
