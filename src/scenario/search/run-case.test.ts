import { expect, test } from "vitest";
import { parseScenario } from "../parse.ts";
import type { Scenario } from "../scenario.ts";
import { ofCase } from "./run-batch.ts";
import { runCase } from "./run-case.ts";

function scenarioOf(text: string): Scenario {
  const read = parseScenario(text, "case.yaml");
  if ("problems" in read) throw new Error(JSON.stringify(read.problems));
  return read.scenario;
}

const PLAIN = scenarioOf(
  "scenario: 1\nname: plain\nnever: [{ app_hash: diverged }]\nsteps: [{ run: 2 }]\n",
);

/** The case with a first step that contains a bug of the simulator. */
const withBug = (error: Error): Scenario => {
  const [step] = PLAIN.steps;
  if (step === undefined) throw new Error("no step");
  const action = {
    ...step.action,
    // biome-ignore lint/correctness/useYield: it fails before it has come to a round
    *run(): Generator<void, undefined> {
      throw error;
    },
  };
  return { ...PLAIN, steps: [{ ...step, action }, step] };
};

test("a bug of the simulator is no step that could not be done: it ends the search, with case and seed", () => {
  expect(() => runCase(withBug(new TypeError("x is not a function")))).toThrow(
    "steps[0]: this is a bug of Chainlab (TypeError)",
  );
  expect(() =>
    ofCase({ number: 7, seed: 3 }, () => runCase(withBug(new RangeError("out")))),
  ).toThrow("case 7 of seed 3: steps[0]: this is a bug of Chainlab (RangeError)");
});

test("a step that fails by the rules of what is modelled leaves the case unfinished", () => {
  expect(runCase(withBug(new Error("no such account")))?.unfinished).toEqual({
    step: 0,
    message: "no such account",
  });
});

test("a draw with whose genesis no chain begins did not run", () => {
  const { spec } = PLAIN;
  const unsound = { ...PLAIN, spec: { ...spec, validators: [] } };
  expect(runCase(unsound)).toBeUndefined();
});
