import { expect, test } from "vitest";
import { gradientOf } from "./gradient.ts";

test("a gradient along a side ends where the box does", () => {
  const found = gradientOf("linear-gradient(to right, rgb(1, 2, 3) 0%, rgb(4, 5, 6) 100%)", 80, 10);
  expect(found?.repeats).toBe(false);
  expect([found?.from.x, found?.to.x]).toEqual([0, 80]);
  expect(found?.stops).toEqual([
    { at: 0, color: "rgb(1, 2, 3)" },
    { at: 1, color: "rgb(4, 5, 6)" },
  ]);
});

test("a box is filled up to where both colours end", () => {
  const part = gradientOf("linear-gradient(to right, blue 25%, white 25%)", 40, 10);
  expect([part?.from.x, part?.to.x]).toEqual([0, 40]);
  expect(part?.stops).toEqual([
    { at: 0.25, color: "blue" },
    { at: 0.25, color: "white" },
  ]);
});

test("an edge between two colours lies at one place", () => {
  const hatched = gradientOf(
    "repeating-linear-gradient(90deg, color(srgb 1 0 0) 0px, red 3px, white 3px, white 12px)",
    ...([120, 20] as const),
  );
  expect(hatched?.repeats).toBe(true);
  expect(hatched?.from.x).toBeCloseTo(0);
  expect(hatched?.to.x).toBeCloseTo(12);
  expect(hatched?.stops.map(({ at, color }) => `${color} ${at}`)).toEqual([
    ...["color(srgb 1 0 0) 0", "red 0.25", "white 0.25", "white 1"],
  ]);
});

test("a slanted gradient runs from corner to corner", () => {
  const slanted = gradientOf("linear-gradient(-45deg, red 0%, blue 100%)", 10, 10);
  expect(slanted?.from.x).toBeCloseTo(10);
  expect(slanted?.from.y).toBeCloseTo(10);
  expect(slanted?.to.x).toBeCloseTo(0);
  expect(slanted?.to.y).toBeCloseTo(0);
});

test.each(["none", "url(a.png)", "radial-gradient(red, blue)", "linear-gradient(red, blue)"])(
  "%s is none that is drawn",
  (computed) => {
    expect(gradientOf(computed, 10, 10)).toBeUndefined();
  },
);
