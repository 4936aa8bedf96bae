import { describe, expect, test } from "vitest";
import { MOST, Samples } from "./samples.ts";

/** A chain of which only the powers matter. */
function follow(
  heights: number,
  powersAt: (height: number) => number[],
  burnedAt = (_: number) => 0n,
) {
  const samples = new Samples();
  for (let height = 1; height <= heights; height++) {
    const burned = String(burnedAt(height));
    samples.add({ height, powers: powersAt(height), burned, intervalSeconds: 5 });
  }
  return samples.all();
}

describe("the history kept for charts", () => {
  test("of a quiet chain is few blocks, from the first to the newest", () => {
    const kept = follow(10_000, () => [100, 100]);
    expect([kept[0]?.height, kept.at(-1)?.height]).toEqual([1, 10_000]);
    expect(kept.length).toBeGreaterThan(MOST / 2);
    expect(kept.length).toBeLessThanOrEqual(MOST + 1);
  });

  test("still has a slash of long ago at its own height, and a burn of less than a million whole", () => {
    const kept = follow(
      20_000,
      (height) => (height < 9 ? [100, 100] : [100, 0]),
      (height) => (height < 9 ? 0n : 17n),
    );
    expect(kept.find(({ height }) => height === 9)).toMatchObject({
      powers: [100, 0],
      burned: "17",
    });
    expect(kept.filter(({ height }) => height < 9).every(({ burned }) => burned === "0")).toBe(
      true,
    );
  });

  test("gives up the slightest changes first and stays bounded", () => {
    const kept = follow(3_000, (height) => [height === 700 ? 5_000 : 10_000 + (height % 2), 100]);
    expect(kept.length).toBeLessThanOrEqual(2 * MOST + 1);
    expect(kept.find(({ height }) => height === 700)?.powers).toEqual([5_000, 100]);
  });

  test("counts every validator, however many", () => {
    const [first] = follow(1, () => Array.from({ length: 120 }, () => 7));
    expect(first?.powers).toHaveLength(120);
  });
});
