import { expect, test } from "vitest";
import { heightAt, markLabels, spanFor, xOf } from "./timeline-layout.ts";

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
