import fc from "fast-check";
import { expect, test } from "vitest";
import { arcs, named } from "./ring-geometry.ts";

test("equal powers get equal arcs from the top", () => {
  const ring = arcs([100, 100, 100, 100]);
  const sizes = ring.map(({ from, to }) => to - from);
  expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThan(1e-9);
  expect(ring[0]?.from).toBeLessThan(0.05);
});

test("a validator without power stays visible", () => {
  const last = arcs([100, 100, 0]).at(-1);
  expect((last?.to ?? 0) - (last?.from ?? 0)).toBeGreaterThan(0);
});

test("hundreds without power, or with little, leave the ring to those with power", () => {
  const ofFirst = (powers: readonly number[], n: number): number =>
    (arcs(powers)[n - 1]?.to ?? 0) / (Math.PI * 2);
  const active = new Array<number>(100).fill(10);
  expect(ofFirst([...active, ...new Array<number>(900).fill(0)], 100)).toBeGreaterThan(0.95);
  expect(ofFirst([500, ...new Array<number>(999).fill(1)], 1)).toBeCloseTo(500 / 1499, 1);
});

test("arcs never overlap and never leave the circle, whatever the powers", () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 1e9 }), { minLength: 1, maxLength: 300 }), (powers) => {
      let at = 0;
      for (const { from, to } of arcs(powers)) {
        expect(from).toBeGreaterThanOrEqual(at - 1e-9);
        expect(to).toBeGreaterThan(from);
        at = to;
      }
      expect(at).toBeLessThanOrEqual(Math.PI * 2 + 1e-9);
    }),
  );
});

test("arcs too close to the one before have no room for a name", () => {
  expect(named(arcs([100, 100, 0, 0, 0]))).toEqual([true, true, true, false, false]);
});

test("a torn ring has a wide gap between its parts, the last and the first too", () => {
  const [a, b, c] = arcs([2, 1, 1], [1, 1, 2]);
  if (!a || !b || !c) throw new Error("three arcs are expected");
  expect(b.from - a.to).toBeLessThan(0.1);
  expect(c.from - b.to).toBeGreaterThan(0.3);
  expect(a.from + Math.PI * 2 - c.to).toBeGreaterThan(0.3);
  expect((a.to - a.from) / (c.to - c.from)).toBeCloseTo(2, 0);
});
