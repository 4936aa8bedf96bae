import { expect, test } from "vitest";
import type { ScenarioOutline, ScenarioReport } from "./context.ts";
import { toJunit } from "./output.ts";

const outline: ScenarioOutline = {
  name: "story",
  title: "A story",
  seed: 7,
  steps: [{ verb: "run" }],
  properties: [{ kind: "always", name: "live" }],
};

const report: ScenarioReport = {
  file: "a.yaml",
  name: "story",
  seed: 7,
  ok: false,
  height: 3,
  time: "2026-01-01T00:00:10Z",
  app_hash: "AB".repeat(32),
  steps: [{ index: 0, verb: "run", ok: false, height: 3, message: "a plan runs once: v2 twice" }],
  violations: [
    { property: "a plan runs once", kind: "invariant", height: 3, step: 0, message: "v2 twice" },
  ],
  reached: [],
  unasked: [],
  nodes: [],
};

test("JUnit has a case of its own for an invariant that is violated, and counts it", () => {
  const lines = toJunit([{ report, outline }]).split("\n");
  expect(lines).toContain(
    '  <testsuite name="story, seed 7" file="a.yaml" tests="3" failures="2" skipped="0">',
  );
  expect(lines).toContain('    <testcase classname="story" name="always live"/>');
  expect(lines).toContain(
    '    <testcase classname="story" name="invariant a plan runs once"><failure message="v2 twice">at height 3</failure></testcase>',
  );
});
