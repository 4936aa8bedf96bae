import fc from "fast-check";
import { expect, inject, test } from "vitest";
import { seededRandom } from "./property-seed.ts";

test("properties are drawn from the seed that the run has printed", () => {
  const seed = inject("propertySeed");
  expect(fc.readConfigureGlobal()?.seed).toBe(seed);
  const drawn = () => fc.sample(fc.integer(), { numRuns: 3, seed });
  expect(fc.sample(fc.integer(), 3)).toEqual(drawn());
});

test("an end-to-end test draws the same again from its seed", () => {
  const drawn = (random: () => number) => [random(), random(), random()];
  expect(drawn(seededRandom(7))).toEqual(drawn(seededRandom(7)));
  expect(drawn(seededRandom(7))).not.toEqual(drawn(seededRandom(8)));
});
