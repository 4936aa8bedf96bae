import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { BlockCellSchema } from "../../gen/lab/v1/lab_pb.ts";
import { labelledFrom, markLabels } from "./marks.ts";

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
