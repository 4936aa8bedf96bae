import { expect, test } from "vitest";
import { ticks } from "./axis.ts";

test("an axis of heights has few, whole, round marks", () => {
  expect(ticks(1, 4)).toEqual([1, 2, 3, 4]);
  expect(ticks(1, 69_279)).toEqual([20_000, 40_000, 60_000]);
  expect(ticks(5, 5)).toEqual([5]);
});
