import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { genesisToJson } from "../api/genesis.ts";
import type { Json } from "../api/json.ts";
import { ask } from "../api/lab/ask.ts";
import { toHex } from "../engine/primitives/bytes.ts";
import { Simulation } from "../engine/simulation/simulation.ts";
import { act, newWorld, type StoryStep, step, story } from "../engine/simulation/story.testing.ts";
import {
  install,
  pass,
  propose,
  runRounds,
  runTo,
  softwareUpgrade,
  V2_WITH_STORE,
  worldSpec,
} from "../engine/simulation/testing.ts";
import { Query } from "../gen/chain/upgrade/v1beta1/query_pb.ts";
import { parseScenario } from "./parse.ts";

const NODES = ["val-0", "val-1", "val-2", "val-3", "val-4"];

const exportOf = (sim: Simulation, height = sim.height): Json =>
  genesisToJson(sim.exportGenesis(height));

/** The chain that an export begins, under the same seed. */
function continued(sim: Simulation, height = sim.height): Simulation {
  const file = {
    scenario: 1,
    name: "continued",
    seed: sim.spec.seed,
    genesis: { import: exportOf(sim, height) },
    steps: [],
  };
  const read = parseScenario(JSON.stringify(file), "export.json");
  if (!("scenario" in read)) throw new Error(JSON.stringify(read.problems));
  return Simulation.create(read.scenario.spec);
}

/** What a block was, apart from the hashes that go back to the chain's first block. */
function blockOf(sim: Simulation, height: number) {
  const block = sim.block(height);
  if (block === undefined) throw new Error(`there is no block ${height}`);
  const { time, proposer, round, misbehavior, events, txs } = block;
  return {
    height,
    time,
    proposer: toHex(proposer),
    round,
    misbehavior,
    events,
    txs: txs.map(({ code, log, events: of }) => ({ code, log, of })),
    after: exportOf(sim, height),
  };
}

/** Compares all blocks from a height on, and who votes and proposes next. */
function expectAlike(straight: Simulation, other: Simulation, from: number): void {
  expect(other.height).toBe(straight.height);
  for (let height = from; height <= straight.height; height++) {
    expect(blockOf(other, height)).toEqual(blockOf(straight, height));
  }
  expect(other.validators()).toEqual(straight.validators());
  expect(toHex(other.proposer())).toBe(toHex(straight.proposer()));
}

/** What can be done to both chains: nothing that speaks of blocks which only one of them has. */
const later = fc.array(
  step.filter(
    (doing) =>
      doing.do !== "misbehavior" &&
      !(doing.do === "submit" && doing.outcome === "equivocation") &&
      !isFresh(doing),
  ),
  { maxLength: 15 },
);
/** A key that no node of the world has: a chain with such a validator cannot be imported. */
const isFresh = (doing: StoryStep): boolean => doing.do === "create" && doing.key === "fresh";

describe("a chain that is exported and imported", () => {
  test("continues as if there had been no export: proposers, results, state, the next export", () => {
    fc.assert(
      fc.property(story, later, fc.integer({ min: 0, max: 3 }), (before, after, back) => {
        const straight = newWorld();
        for (const doing of before) if (!isFresh(doing)) act(straight, doing);
        // What is pending on nodes is no part of the export: all run, and nothing waits for a block.
        for (const node of straight.nodes()) {
          if (node.process !== "running") act(straight, { do: "start", who: node.name });
        }
        runRounds(straight, 12);
        fc.pre(straight.chainStatus().state !== "halted");
        const at = straight.height - back;
        const other = continued(straight, at);
        runRounds(other, back);
        for (const doing of after) for (const sim of [straight, other]) act(sim, doing);
        for (const sim of [straight, other]) runRounds(sim, 5);
        expectAlike(straight, other, at + 1);
      }),
      { numRuns: 10 },
    );
  });

  test.each([0, 400])("keeps how much evidence fits into a block: %d bytes", (maxEvidenceBytes) => {
    const sim = Simulation.create({ ...worldSpec(), maxEvidenceBytes });
    runTo(sim, 3);
    const other = continued(sim);
    expect(other.spec.maxEvidenceBytes).toBe(maxEvidenceBytes);
    for (const each of [sim, other]) runRounds(each, 2);
    expectAlike(sim, other, 4);
  });

  test("still stops for the plan that was scheduled, and knows which upgrades were done", () => {
    const V3 = {
      ...V2_WITH_STORE,
      name: "v3",
      handlers: ["v2", "v3"],
      modules: { ...V2_WITH_STORE.modules, gov: 6 },
    };
    const straight = Simulation.create(worldSpec({ binaries: [V2_WITH_STORE, V3] }, 5));
    runTo(straight, 2);
    pass(straight, softwareUpgrade(straight, "v2", 20));
    runTo(straight, 19);
    runRounds(straight, 2);
    install(straight, "v2", ...NODES);
    runTo(straight, 21);
    pass(straight, softwareUpgrade(straight, "v3", 50));
    const from = straight.height + 1;
    const other = continued(straight);
    expect(ask(other, Query.method.currentPlan, {})).toMatchObject({
      plan: { name: "v3", height: 50n },
    });
    for (const sim of [straight, other]) {
      runTo(sim, 49);
      runRounds(sim, 3);
      expect(sim.height).toBe(49);
      expect(sim.node("val-0")?.reason).toBe('UPGRADE "v3" NEEDED at height: 50: ');
      install(sim, "v3", ...NODES);
      runTo(sim, 55);
    }
    expectAlike(straight, other, from);
    propose(other, 3n, softwareUpgrade(other, "v2", 90));
    runRounds(other, 15);
    expect(JSON.stringify(exportOf(other))).toContain(
      "upgrade with name v2 has already been completed",
    );
  });

  test.each([
    ["another proposer", { proposer: 9 }, "the priorities or the proposer are not those"],
    ["other validators", { validators: [] }, "the priorities or the proposer are not those"],
  ])("is refused with %s", (_, change, text) => {
    const sim = Simulation.create(worldSpec());
    runTo(sim, 3);
    const file = exportOf(sim) as { lab: { continuation: { next_validators: object } } };
    Object.assign(file.lab.continuation.next_validators, change);
    const written = {
      scenario: 1,
      name: "changed",
      seed: 7,
      genesis: { import: file },
      steps: [],
    };
    expect(JSON.stringify(parseScenario(JSON.stringify(written), "x.json"))).toContain(text);
  });
});
