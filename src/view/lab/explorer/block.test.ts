import { expect, test } from "vitest";
import { Simulation } from "../../../engine/simulation/simulation.ts";
import { runTo, worldSpec } from "../../../engine/simulation/testing.ts";
import { lazyObserver } from "../frame/observed.ts";
import { WorldQueries } from "../world-queries.ts";

test("a block's steps carry the number of the piece of evidence they belong to, 0 for none", () => {
  const sim = Simulation.create(worldSpec());
  runTo(sim, 5);
  sim.apply({ type: "misbehavior", kind: 1, validator: "val-3", height: 2 });
  sim.apply({ type: "misbehavior", kind: 0, validator: "val-2", height: 2 });
  runTo(sim, 6);
  const { steps } = new WorldQueries(sim, lazyObserver(sim)).lab("getBlock", { height: 6 });
  const modules = (item: number) =>
    new Set(steps.filter((step) => step.item === item).map(({ module }) => module));
  expect(modules(1)).toEqual(new Set(["evidence", "slashing", "staking"]));
  expect(modules(2)).toEqual(new Set(["evidence"]));
  expect(modules(3)).toEqual(new Set());
  expect(modules(0)).toEqual(new Set(["staking"]));
});
