import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { TallyHistorySchema } from "../../gen/lab/v1/lab_pb.ts";
import { tallyPoints } from "./tally-series.ts";

const history = (last: number) =>
  create(TallyHistorySchema, {
    first: 3,
    last,
    points: [
      { height: 3, yes: "0", no: "0", abstain: "0", veto: "0", bonded: "400" },
      { height: 5, yes: "100", no: "0", abstain: "200", veto: "0", bonded: "400" },
    ],
  });

test("votes are shares of what is bonded, and stand until they are counted", () => {
  const heightsAndYes = tallyPoints(history(15), 90).map(({ height, yes }) => [height, yes]);
  expect(heightsAndYes).toEqual([
    [3, 0],
    [5, 25],
    [15, 25],
  ]);
});

test("while voting is open, they stand as of the newest block", () => {
  expect(tallyPoints(history(0), 9).at(-1)).toMatchObject({ height: 9, yes: 25, abstain: 50 });
  expect(tallyPoints(history(0), 5)).toHaveLength(2);
});
