import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hasTwoThirds, MAX_TOTAL_VOTING_POWER, oneThirdOf, powerNeeded } from "./quorum.ts";

describe("more than two thirds", () => {
  test.each([
    [4, 3],
    [3, 3],
    [6, 5],
    [1, 1],
    [100, 67],
  ])("of %i equal validators %i must agree", (total, needed) => {
    expect(powerNeeded(total)).toBe(needed);
    expect(hasTwoThirds(needed, total)).toBe(true);
    expect(hasTwoThirds(needed - 1, total)).toBe(false);
  });

  test("is decided as in unbounded integers, at every size", () => {
    const total = fc.integer({ min: 1, max: MAX_TOTAL_VOTING_POWER });
    fc.assert(
      fc.property(total, fc.double({ min: 0, max: 1, noNaN: true }), (all, share) => {
        for (const power of [Math.floor(all * share), powerNeeded(all), powerNeeded(all) - 1]) {
          expect(hasTwoThirds(power, all)).toBe(3n * BigInt(power) > 2n * BigInt(all));
        }
        expect(BigInt(oneThirdOf(all))).toBe(BigInt(all) / 3n);
      }),
    );
  });
});
