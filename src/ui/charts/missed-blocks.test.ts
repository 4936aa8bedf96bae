import { create } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import { ParticipationSchema } from "../../gen/lab/v1/lab_pb.ts";
import { missedBlocks, rangesText, runsIn } from "./missed-blocks.ts";

/** `c` joins at 12; `b` misses 11 to 13, `a` 13. `d` votes in none of these blocks. */
const answer = create(ParticipationSchema, {
  first: 1,
  newest: 13,
  validators: ["a", "b", "c", "d"],
  blocks: [
    { height: 10, set: 0, absent: [] },
    { height: 11, set: 0, absent: [1] },
    { height: 12, set: 1, absent: [1] },
    { height: 13, set: 1, absent: [1, 0] },
  ],
  sets: [{ members: [1, 0] }, { members: [1, 0, 2] }],
});

describe("missed blocks as a grid", () => {
  test("a cell says that the validator signed, missed, or was not in the set", () => {
    const { heights, rows, cells } = missedBlocks(answer, "set");
    expect(heights).toEqual([10, 11, 12, 13]);
    expect(rows).toEqual([
      { name: "a", inSet: 4, missed: [13] },
      { name: "b", inSet: 4, missed: [11, 12, 13] },
      { name: "c", inSet: 2, missed: [] },
    ]);
    expect([...cells]).toEqual([1, 1, 1, 2, 1, 2, 2, 2, 0, 0, 1, 1]);
  });

  test("those that missed most come first if that is asked for", () => {
    const grid = missedBlocks(answer, "missed");
    expect(grid.rows.map(({ name }) => name)).toEqual(["b", "a", "c"]);
    expect([...runsIn(grid, 0)]).toEqual([
      { kind: 1, from: 0, to: 1 },
      { kind: 2, from: 1, to: 4 },
    ]);
  });

  test("nothing is drawn of a chain without blocks", () => {
    const { rows, cells } = missedBlocks(create(ParticipationSchema, { validators: ["a"] }), "set");
    expect([rows.length, cells.length]).toEqual([0, 0]);
  });
});

test("heights that follow one another are joined", () => {
  expect(rangesText([3, 4, 5, 9, 11, 12])).toBe("3–5, 9, 11–12");
  expect(rangesText([])).toBe("");
});
