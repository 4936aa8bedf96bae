import { describe, expect, test } from "vitest";
import { toHexUpper } from "../base/bytes.ts";
import { edited } from "../scenario/edit-text.ts";
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

/** A tab with a new, paused world. */
async function fresh(): Promise<TestTab & { readonly id: string }> {
  const tab = openTab(new MemoryStorage());
  const id = await tab.worlds.create(FIRST_ORIGIN, "mine");
  tab.session.control({ case: "pause", value: true });
  return { ...tab, id };
}

/** Runs the recording of a session's world, which must end with the same app hash. */
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

describe("pinned to what was recorded", () => {
  /** Adds every offered condition of a height to the file, which is then run. */
  async function pinned(session: Session, text: string, kind: object, height: number) {
    const request = { ...{ text, file: "recorded.yaml" }, ...kind };
    const proposed = await until(session, expectationsOf(session, request, height));
    let pins = text;
    // Bottom up, so that earlier positions do not move.
    const { expectations } = proposed;
    for (const { at = 0, run = "", step = "" } of [...expectations].reverse()) {
      for (const json of [step, run]) {
        if (json) pins = edited(pins, "recorded.yaml", { kind: "insert", at, json });
      }
    }
    const read = parseScenario(pins, "recorded.yaml");
    if ("problems" in read) throw new Error(`${JSON.stringify(read.problems)}\n${pins}`);
    expect(runScenario(read.scenario, { file: "recorded.yaml" })).toMatchObject({ ok: true });
    const sentences = expectations.map(({ sentence }) => sentence);
    return { sentences, leftOut: proposed.leftOut, pins };
  }

  test("is what is so now, behind a run to where the chain has gone since", async () => {
    const { session } = await fresh();
    blocks(session, 17);
    const { text } = await recorded(session);
    blocks(session, 25);
    const { sentences, leftOut, pins } = await pinned(session, text, { kind: "chain" }, 0);
    expect(sentences).toContain("The chain is running at height 42.");
    expect(leftOut).toBe("");
    expect(pins).toContain("- run: { to: 42 }\n");
  });

  test("is what was so in the past, where the file is there", async () => {
    const { session } = await fresh();
    blocks(session, 12);
    session.sim.apply({ type: "double_sign", node: "val-2" });
    blocks(session, 28);
    const { text } = await recorded(session);
    const past = await pinned(session, text, { kind: "node", id: "val-2" }, 10);
    expect(past.sentences).toContain("val-2 has 100000000 tokens.");
    expect(past.leftOut).toBe("");
    expect(past.pins.indexOf("run: { to: 10 }")).toBeLessThan(past.pins.indexOf("double_sign"));
    const then = await pinned(session, text, { kind: "node", id: "val-2" }, 30);
    expect(then.sentences).toContain("val-2 has 95000000 tokens.");
    const whole = await pinned(session, text, { kind: "node", id: "val-2" }, 0);
    expect(whole.pins).toMatch(/tokens: val-2, is: "?95000000/);
    expect(whole.pins.match(/run:/g)).toHaveLength(2);
  });

  test("is not what the file does not come to, which is said", async () => {
    const { session } = await fresh();
    blocks(session, 5);
    const { text } = await recorded(session);
    session.sim.apply({ type: "double_sign", node: "val-1" });
    blocks(session, 10);
    const of = { kind: "node", id: "val-1" };
    const { sentences, leftOut } = await pinned(session, text, of, 0);
    expect(sentences).toContain("val-1 is running.");
    expect(sentences).not.toContain("val-1 has 95000000 tokens.");
    expect(leftOut).toMatch(
      /^\d of \d+ that are so at block 15 are not offered\. The file does not/,
    );
    const long = text.replace(/run: \{ to: 5 \}/, "run: 9").replace(/ {2}- expect[\s\S]*/, "");
    const beyond = await pinned(session, long, of, 7);
    expect(beyond.leftOut).toContain(
      "at block 7 are not offered. The file does not meet them there",
    );
    const refused = { text: "scenario: 1\nsteps: 7\n", file: "a.yaml", ...of };
    expect(await expectationsOf(session, refused, 0)).toMatchObject({
      expectations: [],
      leftOut: expect.stringMatching(/^What the file comes to is not known: line \d: /),
    });
  });
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
