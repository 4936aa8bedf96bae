import { expect, test } from "vitest";
import { areaPath, linePath, nearest, plotOf, stacked } from "./height-plot.ts";

const points = [{ height: 10 }, { height: 20 }, { height: 30 }];
const plot = plotOf(points, [0, 100], { width: 260, height: 136 });

test("the plot spans the heights and the values between the labels of its axes", () => {
  expect(plot).toMatchObject({ left: 52, right: 252, top: 8, bottom: 108 });
  expect(points.map(({ height }) => plot.x(height))).toEqual([52, 152, 252]);
  expect([0, 50, 100].map(plot.y)).toEqual([108, 58, 8]);
});

test("one point, no point and no room have their places too", () => {
  const one = plotOf([{ height: 5 }], [0, 1], { width: 260, height: 136 });
  expect(one.x(5)).toBe(52);
  const none = plotOf([], [0, 0], { width: 0, height: 0 });
  expect([none.x(0), none.y(0)].every(Number.isFinite)).toBe(true);
});

test("values are joined by lines, or hold up to the next", () => {
  const values = [0, 50, 100];
  expect(linePath(plot, { points, values, steps: false })).toBe("M52,108L152,58L252,8");
  expect(linePath(plot, { points, values, steps: true })).toBe("M52,108H152V58H252V8");
});

test("series lie on one another, and an area goes back along the one below it", () => {
  const edges = stacked([
    [10, 20, 30],
    [40, 30, 70],
  ]);
  expect(edges).toEqual([
    [10, 20, 30],
    [50, 50, 100],
  ]);
  const [below = [], values = []] = edges;
  expect(areaPath(plot, { points, values: below, steps: true }, undefined)).toBe(
    "M52,98H152V88H252V78V108H52Z",
  );
  expect(areaPath(plot, { points, values, steps: true }, below)).toBe(
    "M52,58H152V58H252V8L252,78V88H152V98H52Z",
  );
});

test("the point nearest to the pointer is read", () => {
  expect([0, 101, 103, 240, 900].map((x) => nearest(plot, points, x))).toEqual([0, 0, 1, 2, 2]);
});
