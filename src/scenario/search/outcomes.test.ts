import { expect, test } from "vitest";
import { registeredErrors } from "../../engine/framework/errors.ts";
import { parseScenario } from "../parse.ts";
import type { Scenario } from "../scenario.ts";
import { type CoveredRun, coverageOf, coveredBy } from "./coverage.ts";
import { OUTCOMES } from "./outcomes.ts";

function read(text: string, file: string): Scenario {
  const found = parseScenario(text, file);
  if ("problems" in found) throw new Error(JSON.stringify(found.problems, undefined, 2));
  return found.scenario;
}

const runOf = (text: string): CoveredRun["outcomes"] =>
  coveredBy(read(text, "a.yaml"), "a.yaml").run.outcomes;

const steps = (genesis: string, ...lines: readonly string[]): string =>
  ["scenario: 1", "name: a", `genesis: ${genesis}`, "steps:", ...lines.map((l) => `  - ${l}`)].join(
    "\n",
  );

test("every outcome has a name of its own, says what it is and what reaches it", () => {
  const names = OUTCOMES.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const { name, group, words, by } of OUTCOMES) {
    expect(name.startsWith(`${group}/`), name).toBe(true);
    expect(
      [words, by].map((text) => text === ""),
      name,
    ).toEqual([false, false]);
  }
});

test("every error that is registered is an outcome", () => {
  const names = new Set(OUTCOMES.map(({ name }) => name));
  const errors = registeredErrors.map(({ codespace, code }) => `error/${codespace}/${code}`);
  expect(errors.length).toBeGreaterThan(60);
  expect(errors.filter((name) => !names.has(name))).toEqual([]);
});

test("a chain to which nothing happens reaches nothing", () => {
  expect(runOf(steps("{ validators: 4 }", "run: 20"))).toEqual({});
});

test("outcomes are counted: nodes that halt, and evidence", () => {
  const found = runOf(
    steps(
      "{ validators: 4 }",
      "double_sign: { node: val-3 }",
      "run: { until: { event: slash } }",
      "nodes: { which: [val-0, val-1], halt_height: 8 }",
      "run: { until: halted }",
    ),
  );
  expect(found["evidence/punished"]).toBe(1);
  expect(found["halt/halt_height"]).toBe(2);
  expect(found["profile/evidenceAge/time"]).toBe(1);
});

test("a row of the profile is reached by the value that the chain's profile has", () => {
  const misbehavior = "misbehavior: { type: duplicate_vote, validators: [val-1], height: 2 }";
  const found = runOf(
    steps("{ validators: 4, profile: sdk-0.53 }", "run: 3", misbehavior, "run: 1"),
  );
  expect(found["profile/evidenceTime/carried"]).toBe(1);
  expect(found["profile/evidenceTime/block-at-height"]).toBeUndefined();
});

test("coverage adds up what several runs reached, and names the files in their order", () => {
  const { outcomes, files, reached } = coverageOf([
    { file: "b.yaml", outcomes: { "proposal/passed": 2 } },
    { file: "a.yaml", outcomes: { "proposal/passed": 1, "halt/crashed": 1 } },
    { file: "c.yaml", outcomes: {} },
  ]);
  expect(files).toEqual(["b.yaml", "a.yaml", "c.yaml"]);
  expect(reached).toBe(2);
  const passed = outcomes.find(({ name }) => name === "proposal/passed");
  expect(passed).toMatchObject({ times: 3, files: ["b.yaml", "a.yaml"] });
});

test("a run whose step fails still says what it had reached until then", () => {
  const text = steps(
    "{ validators: 4 }",
    "double_sign: { node: val-3 }",
    "run: 3",
    "expect: { tokens: val-3, is: '1' }",
  );
  const { run, failure } = coveredBy(read(text, "a.yaml"), "a.yaml");
  expect(failure).toMatch(/^steps\[2\]: /);
  expect(run.outcomes["evidence/punished"]).toBe(1);
});
