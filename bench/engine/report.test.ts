import { expect, test } from "vitest";
import { quantile } from "./clock.ts";
import { reportOf } from "./report.ts";

const speed = {
  validators: 100,
  blocksPerSecond: 20_000,
  hashesPerSecond: 1_000_000,
  hashEquivalentsPerBlock: 50,
  spread: 0.1,
};
const result = {
  hashesPerSecond: 1_000_000,
  speeds: [
    { ...speed, transactions: 0 },
    { ...speed, transactions: 20 },
  ],
  growth: {
    validators: 100,
    low: 1000,
    high: 100_000,
    costRatio: 1.04,
    residentBytesPerBlock: undefined,
  },
  frames: {
    validators: 100,
    low: 1000,
    high: 100_000,
    tombstonedRatio: 1.02,
    heightRatio: 1.13,
  },
};

test("the target stands beside the one speed it is set for", () => {
  const { table } = reportOf([{ platform: "node 1", result }]);
  const aimedAt = table.split("\n").filter((line) => line.includes("≤ 300, design 75"));
  expect(aimedAt).toEqual([expect.stringContaining("quiet")]);
});

test("memory that cannot be measured is shown as not available, in text and in JSON", () => {
  const { table, json } = reportOf([{ platform: "chromium 1", result }]);
  expect(table).toContain("resident bytes per quiet block: not available");
  expect(JSON.parse(JSON.stringify(json)).platforms[0].growth).not.toHaveProperty(
    "residentBytesPerBlock",
  );
});

test("a frame beside a tombstoned validator is compared at the same height and at the low one", () => {
  const { table } = reportOf([{ platform: "node 1", result }]);
  expect(table).toMatch(/healthy chain at 100,000, 100 validators: 1\.02 \(target/);
  expect(table).toMatch(/healthy chain at 1,000, 100 validators: 1\.13 \(target/);
});

test("a quantile is one of the values", () => {
  expect([0, 0.25, 0.5, 0.75].map((part) => quantile([30, 10, 40, 20], part))).toEqual([
    10, 20, 30, 40,
  ]);
  expect(() => quantile([], 0.5)).toThrow("nothing");
});
