import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { ParticipationSchema } from "../../gen/lab/v1/lab_pb.ts";
import { type BlockWindow, hasOlder, moved, rangeText } from "./block-window.ts";

const windowOf = (last: number | undefined, shown: readonly number[]): BlockWindow => {
  const blocks = shown.map((height) => ({ height }));
  const answer = create(ParticipationSchema, { first: 1, newest: 450, blocks });
  return { last, count: 100, answer, problem: "" };
};

test("older blocks are those before the ones shown, down to the first of the chain", () => {
  expect(moved(windowOf(undefined, [351, 450]), -1)).toEqual({ last: 350 });
  expect(moved(windowOf(150, [51, 150]), -1)).toEqual({ last: 100 });
  expect(hasOlder(windowOf(100, [1, 100]))).toBe(false);
  expect(hasOlder(windowOf(150, [51, 150]))).toBe(true);
});

test("newer blocks end with the newest, which are followed from then on", () => {
  expect(moved(windowOf(200, [101, 200]), 1)).toEqual({ last: 300 });
  expect(moved(windowOf(380, [281, 380]), 1)).toEqual({ last: undefined });
});

test("the blocks shown are named by the first and the last of them", () => {
  const text = (...shown: number[]) =>
    rangeText(windowOf(undefined, shown).answer?.blocks ?? [], String);
  expect([text(), text(7), text(7, 8, 9)]).toEqual(["no blocks", "block 7", "blocks 7 to 9"]);
});
