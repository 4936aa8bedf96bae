import { expect, test } from "vitest";
import { amounts, ticks } from "./axis.ts";

test("an axis of heights has few, whole, round marks", () => {
  expect(ticks(1, 4, 600)).toEqual([1, 2, 3, 4]);
  expect(ticks(1, 69_279, 600)).toEqual([20_000, 40_000, 60_000]);
  expect(ticks(5, 5, 600)).toEqual([5]);
});

test("a narrow axis has no more marks than there is room for", () => {
  expect(ticks(1, 1_000_000, 240)).toEqual([500_000]);
  expect(ticks(1, 1_000_000, 0)).toEqual([]);
});

test("an axis of amounts begins at 0 and has room for the greatest", () => {
  expect(amounts(400)).toMatchObject({ domain: [0, 400], ticks: [0, 100, 200, 300, 400] });
  expect(amounts(398)).toMatchObject({ domain: [0, 400] });
  expect(amounts(5_000_000).ticks).toEqual([0, 2_000_000, 4_000_000, 6_000_000]);
  expect(amounts(1).ticks).toEqual([0, 1]);
  expect(amounts(0).ticks).toEqual([0, 1, 2, 3, 4]);
});
