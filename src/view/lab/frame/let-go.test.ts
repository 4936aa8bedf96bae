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
