import { expect, test } from "vitest";
import { sampleOf } from "../testing.ts";
import { OTHERS, powerSeries, thinned } from "./series.ts";

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

test("thinning keeps both ends and the order", () => {
  const items = Array.from({ length: 299 }, (_, i) => i);
  const some = thinned(items, 100);
  expect(some.length).toBeLessThanOrEqual(101);
  expect([some[0], some.at(-1)]).toEqual([0, 298]);
  expect(thinned([1, 2], 100)).toEqual([1, 2]);
});
