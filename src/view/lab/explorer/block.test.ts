import { expect, test } from "vitest";
import { SECOND } from "../../../base/time.ts";
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

test("times of blocks, commits and rounds have 0, 3, 6 or 9 digits (rules/evidence 6.4)", () => {
  const sim = Simulation.create(worldSpec({ blockTime: SECOND / 10n }));
  runTo(sim, 4);
  const queries = new WorldQueries(sim, lazyObserver(sim));
  const answers = [
    queries.lab("getBlock", { height: 3 }),
    queries.lab("getCommit", { height: 3 }),
    queries.lab("getRounds", {}),
  ];
  const text = JSON.stringify(answers, (_, value) =>
    typeof value === "bigint" ? `${value}` : value,
  );
  expect(text).toContain("2026-01-01T00:00:00.200Z");
  expect(text).not.toMatch(/\.(\d{1,2}|\d{4,5}|\d{7,8})Z/);
});
