import { expect, test } from "vitest";
import { Simulation } from "../../../engine/simulation/simulation.ts";
import { runRounds, runTo, worldSpec } from "../../../engine/simulation/testing.ts";
import { WORDS } from "../words.ts";
import { Observer } from "./observer.ts";

/** Two keys are in both partitions, so both have enough power. */
function split() {
  const sim = Simulation.create(worldSpec());
  const observer = new Observer(sim, WORDS);
  runTo(sim, 5);
  for (const node of ["val-2", "val-3"])
    sim.apply({ type: "node", node, action: { kind: "twin" } });
  const groups = [
    ["val-0", "val-2", "val-3"],
    ["val-1", "val-2-twin", "val-3-twin"],
  ];
  sim.apply({ type: "partition", groups });
  observer.observe();
  return { sim, observer };
}

test("a fork that has met the main chain is remembered with where they parted and met", () => {
  const { sim, observer } = split();
  runTo(sim, 9);
  observer.observe();
  expect(observer.forks.met).toEqual([]);
  const restored = new Observer(sim, WORDS, structuredClone(observer.state()));
  sim.apply({ type: "partition", groups: [] });
  for (const each of [observer, restored]) {
    each.observe();
    expect(each.forks.met).toMatchObject([{ common: 5, height: 7, newest: 9, met: 9 }]);
  }
  runRounds(sim, 3);
  observer.observe();
  expect(observer.forks.met).toHaveLength(1);
});

test("a fork without a block of its own leaves no trace", () => {
  const { sim, observer } = split();
  sim.apply({ type: "partition", groups: [] });
  observer.observe();
  expect(observer.forks.met).toEqual([]);
});
