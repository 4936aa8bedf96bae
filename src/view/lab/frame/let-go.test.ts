import { expect, test, vi } from "vitest";
import { Simulation } from "../../../engine/simulation/simulation.ts";
import { worldSpec } from "../../../engine/simulation/testing.ts";
import { lazyObserver } from "./observed.ts";

/** Pages of a few blocks, of which only the newest stays in memory. */
const TINY = {
  blocks: { pageBlocks: 4, pageBytes: 500, residentBytes: 1 },
  results: { pageBytes: 500, residentBytes: 1 },
  states: { count: 4, bytes: 1, inKeyframe: 1 },
};

test("a running world and its frames read nothing that was let go", () => {
  const spec = worldSpec();
  const below = vi.fn(() => Simulation.create(spec));
  const sim = Simulation.create(spec, { below }, TINY);
  const observed = lazyObserver(sim);
  for (let i = 0; i < 60; i++) {
    sim.advance();
    if (i === 10) sim.apply({ type: "double_sign", node: "val-0" });
    if (i === 20) sim.apply({ type: "node", node: "val-1", action: { kind: "stop" } });
    if (i === 40) sim.apply({ type: "node", node: "val-1", action: { kind: "start" } });
    const { frames } = observed();
    frames.build({ samples: true, blocksAfter: sim.height - 5, activityAfter: 0 });
  }
  expect(sim.pages.sealed.blocks).toBeGreaterThan(5);
  expect(below).not.toHaveBeenCalled();
});

test("a frame of a chain that stands does not read what a node signed last that left long ago", () => {
  const spec = worldSpec();
  const below = vi.fn(() => Simulation.create(spec));
  const sim = Simulation.create(spec, { below }, TINY);
  const stop = (node: string) => sim.apply({ type: "node", node, action: { kind: "stop" } });
  const observed = lazyObserver(sim);
  const run = (rounds: number): void => {
    for (let i = 0; i < rounds; i++) {
      sim.advance();
      observed();
    }
  };
  run(10);
  stop("val-1");
  run(60);
  stop("val-2");
  run(3);
  const { chainStatus } = observed().frames.build({ samples: true });
  expect(chainStatus?.state).toBe("halted");
  expect(chainStatus?.missing.flatMap(({ nodes }) => nodes)).toEqual(["val-1", "val-2"]);
  expect(below).not.toHaveBeenCalled();
});
