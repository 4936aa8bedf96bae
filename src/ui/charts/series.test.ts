import { expect, test } from "vitest";
import { sampleOf } from "../testing.ts";
import { lastUpTo, OTHERS, partOf, partText, powerSeries } from "./series.ts";

test("few validators are all named", () => {
  const { names, rows } = powerSeries([sampleOf({ height: 1, powers: [5, 9] })], ["a", "b"], 8);
  expect(names).toEqual(["b", "a"]);
  expect(rows).toEqual([{ height: 1, a: 5, b: 9 }]);
});

test("of many the strongest are named and no power is lost", () => {
  const nodes = Array.from({ length: 20 }, (_, i) => `val-${i}`);
  const powers = nodes.map((_, i) => i + 1);
  const { names, rows } = powerSeries([sampleOf({ height: 3, powers })], nodes, 8);
  expect(names).toHaveLength(8);
  expect(names).toContain(OTHERS);
  expect(names[0]).toBe("val-19");
  const sum = names.reduce((total, name) => total + (rows[0]?.[name] ?? 0), 0);
  expect(sum).toBe(210);
});

test("what is said of a height is that of the last sample up to it", () => {
  const samples = [1, 9, 33].map((height) => sampleOf({ height, powers: [] }));
  expect([0, 1, 8, 9, 20, 33, 99].map((at) => lastUpTo(samples, at))).toEqual([
    0, 0, 0, 1, 1, 2, 2,
  ]);
});

test("where quiet blocks are left out it is said of how many the numbers are", () => {
  const at = (...heights: readonly number[]) => heights.map((height) => ({ height }));
  expect([at(), at(7), at(7, 8, 9)].map(partOf)).toEqual([undefined, undefined, undefined]);
  expect(partText(at(7, 8, 9))).toBe("");
  expect(partOf(at(1, 4, 5, 150))).toEqual({ some: 4, all: 150 });
  expect(partText(at(1, 4, 5, 1_500))).toContain("Numbers of 4 of 1,500 blocks");
});
