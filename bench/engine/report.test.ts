import { expect, test } from "vitest";
import { quantile } from "./clock.ts";
import { pairOf } from "./pairs.ts";
import { type Measured, reportOf } from "./report.ts";

const measured: Measured = {
  platform: "chromium 1",
  pairs: [],
  allocations: [{ load: "send", bytes: [50_000, 20_000] }],
  keeping: [{ load: "send", recent: [undefined, undefined], forEver: [undefined, undefined] }],
  ratios: {
    validators: 100,
    low: 1000,
    high: 100_000,
    blockRatio: 1.04,
    tombstonedRatio: 1.02,
    heightRatio: 1.13,
  },
};
const report = reportOf({ before: "abc", measured: [measured], runs: [], counts: [] });

test("two builds are compared turn by turn: a machine that was slow for a while changes no ratio", () => {
  const pair = pairOf("blocks", [
    [1, 0.5],
    [10, 5],
    [1, 0.5],
  ]);
  expect(pair.ratio).toBe(0.5);
  expect(pair.quartiles).toEqual([0.5, 0.5]);
});

test("memory that cannot be measured is shown as not available", () => {
  expect(report.table).toContain("not available → not available while its state is recent");
});

test("a frame beside a tombstoned validator is compared at the same height and at the low one", () => {
  expect(report.table).toMatch(/healthy chain at 100,000, 100 validators: 1\.02 \(target/);
  expect(report.table).toMatch(/healthy chain at 1,000, 100 validators: 1\.13 \(target/);
});

test("a quantile is one of the values", () => {
  expect([0, 0.25, 0.5, 0.75].map((part) => quantile([30, 10, 40, 20], part))).toEqual([
    10, 20, 30, 40,
  ]);
  expect(() => quantile([], 0.5)).toThrow("nothing");
});
