import { expect, test } from "vitest";
import { cellAt, layoutOf, rowAt, scrolledTo, shownHeight, xOf } from "./heat-map-layout.ts";

const SIZE = { width: 904, height: 420 };

test("rows of few validators are tall and all in sight, those of many low, and one scrolls", () => {
  expect(layoutOf(SIZE, 4, 100)).toMatchObject({ rowHeight: 18, inSight: 72, named: 1 });
  expect(layoutOf(SIZE, 100, 100)).toMatchObject({ rowHeight: 4, inSight: 400, named: 4 });
  expect(layoutOf(SIZE, 1000, 100)).toMatchObject({ rowHeight: 4, allRows: 4000, inSight: 400 });
});

test("a map is as tall as its rows, up to a height from which one scrolls", () => {
  expect([1, 4, 60, 100, 1000].map(shownHeight)).toEqual([38, 92, 380, 420, 420]);
});

test("every point of the grid belongs to the cell that is drawn there", () => {
  const layout = layoutOf(SIZE, 1000, 300);
  for (const column of [0, 1, 150, 299]) {
    const middle = (xOf(layout, column) + xOf(layout, column + 1)) / 2;
    expect(cellAt(layout, middle, 10, 400)).toEqual({ row: 102, column });
  }
  expect(cellAt(layout, 3, 10, 0)).toBeUndefined();
  expect(cellAt(layout, 300, 410, 0)).toBeUndefined();
});

test("a row is brought into sight by the shortest way", () => {
  const layout = layoutOf(SIZE, 1000, 100);
  expect(scrolledTo(layout, 50, 0)).toBe(0);
  expect(scrolledTo(layout, 150, 0)).toBe(204);
  expect(scrolledTo(layout, 10, 400)).toBe(40);
});

test("beside the cells every point belongs to the row whose name stands there", () => {
  const layout = layoutOf(SIZE, 1000, 300);
  expect(rowAt(layout, 3, 10, 400)).toBe(102);
  expect(rowAt(layout, layout.left, 10, 400)).toBeUndefined();
  expect(rowAt(layout, 3, layout.inSight, 0)).toBeUndefined();
});
