import { expect, test } from "vitest";
import { heightAt, laneEnd, spanFor, xOf } from "./timeline-layout.ts";

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

test("chains that have met stay side by side up to where they met", () => {
  const lane = { common: 10, newest: 14, mergedAt: 16 };
  expect(laneEnd(lane, 40)).toBe(16);
  expect(laneEnd({ ...lane, mergedAt: 0 }, 40)).toBe(40);
});
