import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { BlockCellSchema } from "../../../gen/lab/v1/lab_pb.ts";
import { heightAt, labelledFrom, laneEnd, markLabels, spanFor, xOf } from "./timeline-layout.ts";

test("a young chain begins at the left edge", () => {
  expect(spanFor(1280, 5, 0, 1).first).toBe(1);
  expect(spanFor(1280, 105, 0, 101).first).toBe(101);
});

test("the newest block leaves room for the future", () => {
  const span = spanFor(1280, 500, 0, 1);
  expect(500 - span.first).toBeLessThan(span.cells);
  expect(span.first + span.cells).toBeGreaterThan(500 + 5);
});

test("a click finds the block that was painted there", () => {
  const span = spanFor(1280, 500, 30, 1);
  for (const height of [span.first, span.first + 7, span.first + span.cells - 1]) {
    expect(heightAt(span, xOf(span, height) + 3)).toBe(height);
  }
  expect(heightAt(span, 0)).toBeUndefined();
  expect(heightAt(span, 5000)).toBeUndefined();
});

test("marks have labels, the strongest first", () => {
  expect(markLabels(1 | 2 | 32)).toEqual(["slash", "evidence", "tx"]);
  expect(markLabels(0)).toEqual([]);
});

test("from one labelled block the next one is found, either way", () => {
  const cells = [1, 2, 3, 4, 5, 6].map((height) =>
    create(BlockCellSchema, { height, marks: { 2: 4, 4: 32, 5: 2 }[height] ?? 0 }),
  );
  expect(labelledFrom(cells, 6, -1)).toBe(5);
  expect(labelledFrom(cells, 5, -1)).toBe(2);
  expect(labelledFrom(cells, 2, -1)).toBeUndefined();
  expect(labelledFrom(cells, 2, 1)).toBe(5);
});

test("chains that have met stay side by side up to where they met", () => {
  const lane = { common: 10, newest: 14, met: 16 };
  expect(laneEnd(lane, 40)).toBe(16);
  expect(laneEnd({ ...lane, met: 0 }, 40)).toBe(40);
});
