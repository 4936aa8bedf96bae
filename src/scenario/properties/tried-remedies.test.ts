import { describe, expect, test } from "vitest";
import { drain } from "../../base/drain.ts";
import { consensusHalt } from "../../engine/framework/halt.ts";
import type { Simulation } from "../../engine/simulation/simulation.ts";
import { createContext } from "../create-context.ts";
import { parseScenario } from "../parse.ts";
import { runScenario } from "../report.ts";
import { runStep } from "../runner.ts";
import { type HaltedNodesView, helpFor, remedyThatFails } from "./tried-remedies.ts";

const HALTED = `
scenario: 1
name: a
genesis: { validators: 4, gov: { voting_period: 10s } }
binaries: { v2: { handlers: [v2] } }
steps:
  - upgrade: { name: v2, at: 12 }
  - run: { until: halted }
`;

/** Two of five nodes lack a block before the upgrade, which adds a store. */
const ROLLED_BACK = `
scenario: 1
name: a
genesis: { validators: 5, gov: { voting_period: 10s } }
binaries: { v2: { modules: { bank: 5, oracle: 1 }, handlers: [v2], stores: { v2: { added: [oracle] } } } }
steps:
  - upgrade: { name: v2, at: 12 }
  - run: { until: halted }
  - nodes: { which: [val-0, val-1], roll_back: 1 }
`;

/** A node stops and starts with a binary that mounts a store which its own upgrade has deleted. */
const DELETED = `
scenario: 1
name: a
genesis: { validators: 4, gov: { voting_period: 10s } }
binaries:
  v2: { modules: { bank: 5, oracle: 1 }, handlers: [v2], stores: { v2: { added: [oracle] } } }
  v3: { modules: { bank: 5, oracle: 1 }, handlers: [v2, v3], stores: { v3: { deleted: [oracle] } } }
steps:
  - upgrade: { name: v2, at: 12 }
  - run: { until: halted }
  - nodes: { which: all, binary: v2 }
  - run: 3
  - upgrade: { name: v3, at: 25 }
  - run: { until: halted }
  - nodes: { which: all, binary: v3 }
  - run: 3
  - nodes: { which: [val-0], stop: true }
  - nodes: { which: [val-0], start: true }
  - run: 2
`;

/** The world at the end of a scenario. */
function worldOf(text: string): Simulation {
  const read = parseScenario(text, "a.yaml");
  if ("problems" in read) throw new Error(JSON.stringify(read.problems));
  const context = createContext(read.scenario);
  for (const [index, step] of read.scenario.steps.entries())
    expect(drain(runStep(context, step, index)).message).toBe("");
  return context.sim;
}

/** Halted as long as any node of a world is, with some remedies. */
const viewWith =
  (...remedies: readonly object[]) =>
  (sim: Simulation): HaltedNodesView => {
    const halted = sim.nodes().filter(consensusHalt);
    return {
      halted: halted.map(({ name, reason }) => `${name}: ${reason}`),
      missing: halted.map(({ name, reason, height }) => `${name} ${reason} ${height}`).join(),
      remedies: remedies.map((remedy) => ({ label: "Do it", step: JSON.stringify(remedy) })),
      help: helpFor(
        sim,
        halted.map(({ name }) => name),
      ),
    };
  };

describe("what is known to help halted nodes is tried once a run is over", () => {
  test("a remedy that brings them back is no finding, and the world stays where it stands", () => {
    const sim = worldOf(HALTED);
    const before = sim.nodes();
    const remedy = { nodes: { which: "all", binary: "v2" } };
    expect(remedyThatFails(sim, viewWith(remedy))).toBeUndefined();
    expect(sim.height).toBe(11);
    expect(sim.nodes()).toEqual(before);
  });

  test("nodes that were rolled back to before the upgrade that they wait for come over it with what is said to help", () => {
    const read = parseScenario(ROLLED_BACK, "a.yaml");
    if ("problems" in read) throw new Error(JSON.stringify(read.problems));
    expect(runScenario(read.scenario, { file: "a.yaml" })).toMatchObject({
      ok: true,
      violations: [],
    });
  });

  test("a remedy that changes nothing is one", () => {
    expect(remedyThatFails(worldOf(HALTED), viewWith({ partition: "heal" }))).toMatch(
      /^none of 1 remedies changes anything; val-0: UPGRADE "v2" NEEDED at height: 12: /,
    );
  });

  test("a remedy that cannot be done is one", () => {
    const remedy = { nodes: { which: ["val-9"], binary: "v2" } };
    expect(remedyThatFails(worldOf(HALTED), viewWith(remedy))).toMatch(/^“Do it” cannot be done: /);
  });

  test.each([
    [
      "a binary of the world",
      HALTED,
      /^no remedy, although binary v2 brings val-0, .* back; val-0: UPGRADE/,
    ],
    [
      "the state of a node that votes",
      `${HALTED}  - nodes: { which: [val-0, val-1, val-2], skip_upgrades: [12] }\n  - run: 2\n`,
      /^no remedy, although the state of val-0 brings val-3 back; val-3: UPGRADE/,
    ],
  ])("that there is none is one where %s helps", (_, text, said) => {
    expect(remedyThatFails(worldOf(text), viewWith())).toMatch(said);
  });

  test.each([
    ["no binary applies the plan", HALTED.replace("handlers: [v2]", "handlers: []")],
    [
      "the only binary mounts a store that its upgrade deletes, as does the one of every peer",
      DELETED,
    ],
  ])("that there is none is none where %s", (_, text) => {
    const sim = worldOf(text);
    const before = sim.height;
    expect(sim.nodes().some(({ process }) => process !== "running")).toBe(true);
    expect(remedyThatFails(sim, viewWith())).toBeUndefined();
    expect(sim.height).toBe(before);
  });

  test("nothing is said while more faults are to come", () => {
    const planned = `${HALTED}  - fault: { node: val-1, kind: crash, at: 40, for: 5 }\n`;
    expect(remedyThatFails(worldOf(planned), viewWith({ partition: "heal" }))).toBeUndefined();
  });

  test("a folder whose name looks like a reference is made as it is called", () => {
    const steps = `nodes: { which: [val-0], sidecar: { mode: download, backup_dir: "/mnt/${"$"}{$}{backups}" } }`;
    const stopped = "nodes: { which: [val-0], stop: true }";
    const read = parseScenario(
      `scenario: 1\nname: a\ngenesis: { validators: 4 }\nsteps:\n  - ${stopped}\n  - ${steps}\n`,
      "a.yaml",
    );
    if ("problems" in read) throw new Error(JSON.stringify(read.problems));
    const { violations, nodes } = runScenario(read.scenario, { file: "a.yaml" });
    expect(nodes[0]?.process).toBe("stopped");
    expect(violations).toEqual([]);
  });

  test("of an upgrade that no node has installed, the remedies of the page work", () => {
    const read = parseScenario(HALTED, "a.yaml");
    if ("problems" in read) throw new Error(JSON.stringify(read.problems));
    const { ok, violations, nodes } = runScenario(read.scenario, { file: "a.yaml", isCase: true });
    expect({ ok, violations }).toEqual({ ok: true, violations: [] });
    expect(nodes.map(({ process }) => process)).toEqual(Array(4).fill("exited"));
  });

  test("nodes that began with the binary of an upgrade to come are brought back by one without its store", () => {
    const read = parseScenario(
      `
scenario: 1
name: a
genesis: { validators: 4, gov: { voting_period: 10s } }
binaries: { v2: { modules: { extra: 1 }, handlers: [v2], stores: { v2: { added: [extra] } } } }
steps:
  - nodes: { which: all, binary: v2 }
  - upgrade: { name: v2, at: 12 }
  - run: { until: halted }
`,
      "a.yaml",
    );
    if ("problems" in read) throw new Error(JSON.stringify(read.problems));
    const { ok, violations, nodes } = runScenario(read.scenario, { file: "a.yaml" });
    expect({ ok, violations }).toEqual({ ok: true, violations: [] });
    expect(nodes[0]?.reason).toMatch(/^BINARY UPDATED BEFORE TRIGGER! UPGRADE "v2"/);
  });
});
