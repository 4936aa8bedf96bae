import { expect, test } from "vitest";
import { lanesOf, valuesOf } from "./series-lanes.ts";

type Given = readonly (readonly [height: number, value?: string])[];

const series = (expression: string, numbers: boolean, input: Given, missing = "") => ({
  ...{ expression, numbers, missing },
  steps: input.map(([height, value]) => (value === undefined ? { height } : { height, value })),
});

test("a value holds until the next one, and where there is none there is none", () => {
  const one = series("a", true, [[2, "5"], [4], [6, "7"]]);
  expect(valuesOf(one, [2, 3, 4, 5, 6, 7])).toEqual(["5", "5", undefined, undefined, "7", "7"]);
});

test("numbers of like size share an axis, and small ones have their own", () => {
  const { lines } = lanesOf({
    heights: [1, 2, 3],
    series: [
      series("{ tokens: val-0 }", true, [[1, "9000000"]]),
      series("{ events: { type: slash } }", true, [
        [1, "0"],
        [2, "1"],
        [3, "0"],
      ]),
      series("{ tokens: val-1 }", true, [
        [1, "9000000"],
        [3, "8000000"],
      ]),
      series("chain", false, [[1, "running"]]),
      series("{ tokens: alice }", false, [[1]], "alice is no validator"),
    ],
  });
  expect(lines.map((lane) => lane.lines.map(({ expression }) => expression))).toEqual([
    ["{ tokens: val-0 }", "{ tokens: val-1 }"],
    ["{ events: { type: slash } }"],
  ]);
  expect(lines[0]?.rows.at(-1)).toEqual({ height: 3, s0: 9_000_000, s2: 8_000_000 });
  expect(lines[1]).toMatchObject({ least: 0, greatest: 1 });
});

test("words are bands from edge to edge, the last height in the middle of its own", () => {
  const heights = [0, 1, 2, 3, 4];
  const input: Given = [[0, "running"], [2, "running, halted"], [3], [4, "running"]];
  const [lane] = lanesOf({ heights, series: [series("chain", false, input)] }).bands;
  expect(lane?.bands).toEqual([
    { from: 0, to: 1, value: "running", kind: 0, start: 0, end: 0.375 },
    { from: 2, to: 2, value: "running, halted", kind: 1, start: 0.375, end: 0.625 },
    { from: 4, to: 4, value: "running", kind: 0, start: 0.875, end: 1 },
  ]);
});

test("heights that were left out lie between those that were asked for", () => {
  const input: Given = [
    [0, "up"],
    [10, "down"],
  ];
  const [lane] = lanesOf({ heights: [0, 5, 10], series: [series("x", false, input)] }).bands;
  expect(lane?.bands.map(({ from, to, start, end }) => [from, to, start, end])).toEqual([
    [0, 5, 0, 0.75],
    [10, 10, 0.75, 1],
  ]);
});

test("one height alone is as wide as all", () => {
  const [lane] = lanesOf({
    heights: [7],
    series: [series("chain", false, [[7, "running"]])],
  }).bands;
  expect(lane?.bands).toMatchObject([{ start: 0, end: 1 }]);
});

test("of more bands than can be told apart none is drawn", () => {
  const heights = Array.from({ length: 300 }, (_, i) => i);
  const input = heights.map((height) => [height, `hash ${height}`] as const);
  const [lane] = lanesOf({ heights, series: [series("x", false, input)] }).bands;
  expect(lane).toMatchObject({ bands: [], count: 300 });
});
