import { expect, test } from "vitest";
import { sampleOf } from "../testing.ts";
import { OTHERS, powerSeries } from "./series.ts";

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

test("the total is that of the newest sample and of every validator, named or not", () => {
  const nodes = Array.from({ length: 100 }, (_, i) => `val-${i}`);
  const samples = [100, 99].map((power, i) =>
    sampleOf({ height: i + 1, powers: nodes.map(() => power) }),
  );
  expect(powerSeries(samples, nodes, 6).total).toBe(9900);
});
