import { expect, test } from "vitest";
import { Simulation } from "../../../engine/simulation/simulation.ts";
import { runRounds, runTo, worldSpec } from "../../../engine/simulation/testing.ts";
import { TEXTS } from "../texts.ts";
import { forksOf } from "./forks.ts";
import { Observer } from "./observer.ts";

/** Two keys are in both partitions, so both have enough power. */
function split(
  twins = ["val-2", "val-3"],
  groups = [
    ["val-0", "val-2", "val-3"],
    ["val-1", "val-2-twin", "val-3-twin"],
  ],
) {
  const sim = Simulation.create(worldSpec());
  const observer = new Observer(sim, TEXTS);
  runTo(sim, 5);
  for (const node of twins) sim.apply({ type: "node", node, action: { kind: "twin" } });
  sim.apply({ type: "partition", groups });
  observer.observe();
  return { sim, observer };
}

test("a fork that has met the main chain is remembered with where they parted and met", () => {
  const { sim, observer } = split();
  runTo(sim, 9);
  observer.observe();
  expect(observer.forks.rejoined).toEqual([]);
  const restored = new Observer(sim, TEXTS, structuredClone(observer.state()));
  sim.apply({ type: "partition", groups: [] });
  for (const each of [observer, restored]) {
    each.observe();
    expect(each.forks.rejoined).toMatchObject([{ common: 6, height: 7, newest: 9, met: 9 }]);
  }
  runRounds(sim, 3);
  observer.observe();
  expect(observer.forks.rejoined).toHaveLength(1);
});

test("a block that both sides made after they parted is the last in common", () => {
  const { sim, observer } = split(
    ["val-1", "val-2", "val-3"],
    [
      ["val-0", "val-1", "val-2"],
      ["val-3", "val-1-twin", "val-2-twin", "val-3-twin"],
    ],
  );
  runTo(sim, 6);
  expect(forksOf(sim)).toMatchObject([{ common: 6, height: 0 }]);
  runTo(sim, 12);
  const [fork] = sim.forks();
  expect(fork?.hashAt(6)).toEqual(sim.block(6)?.hash);
  expect(forksOf(sim)).toMatchObject([{ common: 6, height: 7 }]);
  observer.observe();
  expect(observer.forks.rejoined).toEqual([]);
  sim.apply({ type: "partition", groups: [] });
  observer.observe();
  expect(observer.forks.rejoined).toMatchObject([{ common: 6, height: 7 }]);
});

test("a fork without a block of its own leaves no trace", () => {
  const { sim, observer } = split();
  sim.apply({ type: "partition", groups: [] });
  observer.observe();
  expect(observer.forks.rejoined).toEqual([]);
});
