import fc from "fast-check";
import { expect, test } from "vitest";
import { propertyRuns } from "../../base/property.testing.ts";
import { BlockSizes } from "./block-sizes.ts";
import { blockSize } from "./decided-blocks.ts";
import { Simulation } from "./simulation.ts";
import { pass, runRounds, softwareUpgrade, worldSpec } from "./testing.ts";

/** Height and both sizes of every block. */
function sizesOf(sim: Simulation): readonly (readonly [number, number | undefined, unknown])[] {
  const sizes = new BlockSizes(sim);
  return Array.from({ length: sim.height - sim.initialHeight + 1 }, (_, i) => {
    const height = sim.initialHeight + i;
    return [height, sizes.of(height), blockSize(sim, height)];
  });
}

test("are those of the blocks as they are written, with faults, evidence and transactions", () => {
  fc.assert(
    fc.property(
      fc.record({ seed: fc.nat(), validators: fc.integer({ min: 1, max: 9 }) }),
      fc.integer({ min: 1, max: 5 }),
      fc.constantFrom("full" as const, "compact" as const),
      ({ seed, validators }, level, commits) => {
        const sim = Simulation.create(worldSpec({ seed, commits }, validators));
        sim.apply({ type: "chaos", level, for: 60 });
        sim.apply({ type: "double_sign", node: "val-0" });
        runRounds(sim, 100);
        for (const [height, worked, source] of sizesOf(sim))
          expect([height, worked]).toEqual([height, source]);
      },
    ),
    { numRuns: propertyRuns(20) },
  );
});

test("are those of blocks with a proposal and its votes, and beyond height 127", () => {
  const sim = Simulation.create(worldSpec());
  pass(sim, softwareUpgrade(sim, "v2", 10_000));
  runRounds(sim, 140);
  const sizes = sizesOf(sim);
  expect(new Set(sizes.map(([, worked]) => worked)).size).toBeGreaterThan(4);
  for (const [height, worked, source] of sizes) expect([height, worked]).toEqual([height, source]);
});

test("there is none of a block that is not there", () => {
  expect(new BlockSizes(Simulation.create(worldSpec())).of(5)).toBeUndefined();
});
