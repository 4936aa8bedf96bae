import { expect, test } from "vitest";
import type { Profile } from "../../framework/profile.ts";
import { TestChain } from "../../framework/testing.ts";
import { ageOf, blockTimeAt, tooOldBy } from "./age.ts";
import { ignoredText } from "./ignored.ts";

const LIMITS = { duration: 100n, blocks: 10 };

/** Returns true if evidence of this age, in nanoseconds and blocks, is too old in block 50. */
function isTooOld(evidenceAge: Profile["evidenceAge"], age: bigint, blocks: number): boolean {
  const ctx = new TestChain("evidence").block(50, {
    profile: { evidenceAge },
    maxEvidenceAge: LIMITS,
  });
  return ageOf(ctx, 50 - blocks, ctx.time - age).tooOld;
}

test.each([
  [100n, 0, false, false],
  [101n, 10, true, false],
  [101n, 11, true, true],
  [100n, 11, false, false],
  [0n, 49, false, false],
  [-1n, 11, false, false],
])(
  "an age of %d ns and %d blocks: by time %s, by time and blocks %s",
  (age, blocks, time, both) => {
    expect(isTooOld("time", age, blocks)).toBe(time);
    expect(isTooOld("time-and-blocks", age, blocks)).toBe(both);
  },
);

test("the time of the block being executed is its own, of others that in the record", () => {
  const record = {
    timeAt: (height: number) => (height < 50 ? BigInt(height) : undefined),
    blockHashAt: () => undefined,
    validatorAt: () => undefined,
  };
  const ctx = new TestChain("evidence").block(50, { record });
  expect(blockTimeAt(ctx, 50)).toBe(ctx.time);
  expect(blockTimeAt(ctx, 49)).toBe(49n);
  expect(blockTimeAt(ctx, 51)).toBeUndefined();
});

test("the limit is said as CometBFT says it, with the least height where blocks count", () => {
  const at = (evidenceAge: Profile["evidenceAge"]) => {
    const ctx = new TestChain("evidence").block(50, {
      profile: { evidenceAge },
      maxEvidenceAge: LIMITS,
      time: 1_767_225_600_000_000_100n,
    });
    return ignoredText(tooOldBy(ctx, 8, ctx.time));
  };
  const notBefore = "evidence can not be older than 2026-01-01 00:00:00 +0000 UTC";
  const what = "evidence from height 8 (created at: 2026-01-01T00:00:00.0000001Z) is too old; ";
  expect(at("time")).toBe(what + notBefore);
  expect(at("time-and-blocks")).toBe(`${what}min height is 40 and ${notBefore}`);
});
