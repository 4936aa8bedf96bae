import fc from "fast-check";
import { expect, inject, test } from "vitest";

test("properties are drawn from the seed that the run has printed", () => {
  const seed = inject("propertySeed");
  expect(fc.readConfigureGlobal()?.seed).toBe(seed);
  const drawn = () => fc.sample(fc.integer(), { numRuns: 3, seed });
  expect(fc.sample(fc.integer(), 3)).toEqual(drawn());
});
