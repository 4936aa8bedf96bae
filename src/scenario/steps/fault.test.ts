import { describe, expect, test } from "vitest";
import { drain } from "../../base/drain.ts";
import { NODE_FAULTS } from "../../engine/network/faults/kinds.ts";
import type { Simulation } from "../../engine/simulation/simulation.ts";
import { createContext } from "../create-context.ts";
import { parseScenario } from "../parse.ts";
import { runStep } from "../runner.ts";

function read(...steps: readonly string[]) {
  const text = ["scenario: 1", "name: test", "steps:", ...steps.map((step) => `  - ${step}`)];
  return parseScenario(text.join("\n"), "test.yaml");
}

/** The world after these steps. Throws with the problem of a failed one. */
function play(...steps: readonly string[]): Simulation {
  const parsed = read(...steps);
  if ("problems" in parsed) throw new Error(JSON.stringify(parsed.problems));
  const world = createContext(parsed.scenario);
  for (const [index, step] of parsed.scenario.steps.entries()) {
    const { ok, message } = drain(runStep(world, step, index));
    if (!ok) throw new Error(message);
  }
  return world.sim;
}

const problems = (...steps: readonly string[]): readonly string[] => {
  const parsed = read(...steps);
  return "problems" in parsed
    ? parsed.problems.map(({ path, message }) => `${path}: ${message}`)
    : [];
};

describe("fault", () => {
  test.each(NODE_FAULTS)("of every kind begins at a height and lasts for some: %s", (kind) => {
    const sim = play(`fault: { node: val-1, kind: ${kind}, at: 4, for: 2 }`, "run: { to: 3 }");
    expect(sim.node("val-1")?.faults).toEqual([{ kind, from: 4, to: 5 }]);
    for (let i = 0; i < 6; i++) sim.advance();
    expect(sim.height).toBeGreaterThan(6);
    expect(sim.node("val-1")?.faults).toEqual([]);
    expect(sim.nodes().map(({ process }) => process)).toEqual(Array(4).fill("running"));
  });

  test.each(NODE_FAULTS)(
    "of every kind begins at once, and ends when it is cleared: %s",
    (kind) => {
      const sim = play(
        "run: 2",
        `fault: { node: val-1, kind: ${kind} }`,
        "fault: { clear: val-1 }",
      );
      expect(sim.node("val-1")).toMatchObject({ faults: [], process: "running" });
      for (let i = 0; i < 5; i++) sim.advance();
      expect(sim.height).toBe(7);
      for (let height = 1; height <= 7; height++) {
        expect(sim.block(height)).toMatchObject({ absent: [], misbehavior: 0 });
      }
      expect(sim.nodes()).toHaveLength(4);
    },
  );

  test("without a node partitions the network and heals it", () => {
    const groups = "[[val-0, val-1], [val-2, val-3]]";
    const sim = play(
      `fault: { kind: partition, groups: ${groups}, at: 3, for: 5 }`,
      "run: { until: halted }",
      "run: { until: running }",
      "run: 5",
    );
    expect(sim.nodes().map(({ partition }) => partition)).toEqual([0, 0, 0, 0]);
  });

  test("ends though it keeps the blocks from coming that it is counted in", () => {
    const sim = play(
      "run: 5",
      "fault: { node: val-0, kind: mute, for: 3 }",
      "fault: { node: val-1, kind: mute, for: 3 }",
      "run: { for: 24h }",
      "expect: { chain: running }",
    );
    expect(sim.height).toBeGreaterThan(17_000);
  });

  test("names what is wrong with it, and where", () => {
    expect(problems("fault: { kind: partition, groups: [[val-0], [val-0, val-9]] }")).toEqual([
      "steps[0].fault.groups[1][0]: val-0 is in two groups",
      'steps[0].fault.groups[1][1]: there is no node "val-9": expected val-0, val-1, val-2, val-3',
    ]);
    expect(problems("fault: { kind: partition, node: val-0 }").length).toBeGreaterThan(0);
    expect(problems("fault: { node: val-0, kind: stop, by: 3s }")).toEqual([
      "steps[0].fault.by: expected only of a clock that it is off by a time",
    ]);
  });
});

test("a twin is removed again", () => {
  const sim = play(
    "run: 2",
    "nodes: { which: [val-0], twin: true }",
    "nodes: { which: [val-0], twin: false }",
    "run: 3",
  );
  expect(sim.nodes().map(({ name }) => name)).toEqual(["val-0", "val-1", "val-2", "val-3"]);
});

test("evidence waits where a chain's blocks take none", () => {
  const beginning = (bytes: string) =>
    ["scenario: 1", "name: test", `genesis: { ${bytes} }`, "steps:", "  - run: 1"].join("\n");
  const bytes = (text: string) => {
    const parsed = parseScenario(beginning(text), "test.yaml");
    if ("problems" in parsed) return parsed.problems[0]?.message;
    return createContext(parsed.scenario).sim.exportGenesis(0).consensusParams.evidence.maxBytes;
  };
  expect(bytes("")).toBe(1_048_576);
  expect(bytes("max_evidence_bytes: 400")).toBe(400);
  expect(bytes("max_evidence_bytes: 22020097")).toContain("a whole number from 0 to 22020096");
});
