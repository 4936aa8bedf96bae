import { afterEach, describe, expect, test, vi } from "vitest";
import { BlockStore } from "../../../engine/network/chain/block-store.ts";
import { SIGNER_STATE } from "../../../engine/network/node/signer-state.ts";
import { Simulation } from "../../../engine/simulation/simulation.ts";
import {
  pass,
  runRounds,
  runTo,
  softwareUpgrade,
  worldSpec,
} from "../../../engine/simulation/testing.ts";
import { lazyObserver } from "./observed.ts";

const PLAN_AFTER = 20;

const stop = (sim: Simulation, ...nodes: readonly string[]): void => {
  for (const node of nodes) sim.apply({ type: "node", node, action: { kind: "stop" } });
};

afterEach(() => vi.restoreAllMocks());

describe("a frame costs the same at any height", () => {
  /** Block record reads per frame of a watched chain. */
  function readsOfAFrame(sim: Simulation): number {
    const follow = lazyObserver(sim);
    follow().frames.build({});
    const newest = { blocksAfter: sim.height, activityAfter: Number.MAX_SAFE_INTEGER };
    return readsOf(() => follow().frames.build({ ...newest, samples: true }));
  }

  /** Actions at height 3, and at the height of the frame. */
  test.each<[string, (sim: Simulation) => void, (sim: Simulation) => void]>([
    ["of a healthy chain", () => {}, () => {}],
    ["with a validator tombstoned whose node runs", tombstone, () => {}],
    ["with a stopped node", (sim) => stop(sim, "val-1"), () => {}],
    ["of a halted chain", tombstone, (sim) => halt(sim, "val-2", "val-3")],
    ["of a chain that waits for an upgrade", tombstone, upgradeDue],
  ])("%s", (_, before, after) => {
    const at = (height: number): number => {
      const sim = Simulation.create(worldSpec());
      runTo(sim, 3);
      before(sim);
      runTo(sim, height);
      after(sim);
      return readsOfAFrame(sim);
    };
    // The cancellation deadline is a binary search; a linear scan would take 1 250 more.
    expect(at(1_400) - at(150)).toBeLessThan(50);
  });
});

test.each<[string, (sim: Simulation) => void]>([
  ["of a healthy chain", () => {}],
  ["with a validator tombstoned whose node runs", tombstone],
  ["with a stopped node", (sim) => stop(sim, "val-1")],
])("a frame %s computes no signer's file", (_, change) => {
  const sim = Simulation.create(worldSpec());
  runTo(sim, 3);
  change(sim);
  runRounds(sim, 10);
  const computed = vi.spyOn(BlockStore.prototype, "lastSignedBy");
  lazyObserver(sim)().frames.build({ samples: true });
  expect(computed).not.toHaveBeenCalled();
  // The file is computed on reading, by the counted call.
  sim.file("val-0", SIGNER_STATE);
  expect(computed).toHaveBeenCalledOnce();
});

test("the file of a tombstoned validator's signer costs the same at any height", () => {
  const sim = Simulation.create(worldSpec());
  runTo(sim, 3);
  tombstone(sim);
  const at = (height: number): number => {
    runTo(sim, height);
    return readsOf(() => sim.file("val-1", SIGNER_STATE));
  };
  expect(at(150)).toBe(at(1_400));
});

/** Block record reads of a function. */
function readsOf(work: () => void): number {
  const spies = Object.entries(Object.getOwnPropertyDescriptors(BlockStore.prototype))
    .filter(([name, { value }]) => name !== "constructor" && typeof value === "function")
    .map(([name]) => vi.spyOn(BlockStore.prototype, name as "validatorsAt"));
  work();
  const reads = spies.reduce((sum, { mock }) => sum + mock.calls.length, 0);
  vi.restoreAllMocks();
  return reads;
}

function tombstone(sim: Simulation): void {
  sim.apply({ type: "double_sign", node: "val-1" });
}

function halt(sim: Simulation, ...nodes: readonly string[]): void {
  stop(sim, ...nodes);
  runRounds(sim, 3);
  expect(sim.chainStatus().state).toBe("halted");
}

function upgradeDue(sim: Simulation): void {
  const height = sim.height + PLAN_AFTER;
  pass(sim, softwareUpgrade(sim, "v2", height));
  runTo(sim, height - 1);
  runRounds(sim, 3);
  expect(sim.chainStatus().state).toBe("halted");
}
