import { expect, test } from "vitest";
import { ticks } from "./axis.ts";

test("an axis of heights has few, whole, round marks", () => {
  expect(ticks(1, 4, 600)).toEqual([1, 2, 3, 4]);
  expect(ticks(1, 69_279, 600)).toEqual([20_000, 40_000, 60_000]);
  expect(ticks(5, 5, 600)).toEqual([5]);
});

test("a narrow axis has no more marks than there is room for", () => {
  expect(ticks(1, 1_000_000, 240)).toEqual([500_000, 1_000_000]);
  expect(ticks(1, 1_000_000, 0)).toEqual([1_000_000]);
});
