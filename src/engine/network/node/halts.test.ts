import { expect, test } from "vitest";
import { Halts } from "./halts.ts";

const halt = (height: number) => ({
  height,
  nodes: [],
  cause: { kind: "crashed", height } as const,
  steps: [],
});

test("halts are numbered from 1, and those after a number are given oldest first", () => {
  const halts = new Halts();
  expect(halts.since(0)).toEqual([]);
  for (const height of [7, 8, 9]) halts.record(halt(height));
  expect(halts.since(0).map(({ seq, height }) => [seq, height])).toEqual([
    [1, 7],
    [2, 8],
    [3, 9],
  ]);
  expect(halts.since(2)).toEqual([{ seq: 3, ...halt(9) }]);
  expect(halts.since(3)).toEqual([]);
});

test("at least the newest 500 are kept, and their numbers stay", () => {
  const halts = new Halts();
  for (let height = 1; height <= 1000; height++) halts.record(halt(height));
  expect(halts.since(0)).toHaveLength(1000);
  halts.record(halt(1001));
  expect(halts.since(0).map(({ seq }) => seq)).toEqual(
    Array.from({ length: 500 }, (_, i) => 502 + i),
  );
  expect(halts.since(1000).map(({ height }) => height)).toEqual([1001]);
});
