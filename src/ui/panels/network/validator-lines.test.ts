import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { NodeSchema, ValidatorSchema } from "../../../gen/lab/v1/lab_pb.ts";
import { frameOf } from "../../testing.ts";
import { linesOf } from "./validator-lines.ts";

const namesWith = (partitions: readonly number[]): string[] => {
  const nodes = [
    ["val-0", "val-0"],
    ["val-1", "val-1"],
    ["val-1-twin", "val-1"],
    ["val-2", "val-2"],
  ].map(([name = "", validator = ""], i) =>
    create(NodeSchema, { name, validator, partition: partitions[i] ?? 0 }),
  );
  const validators = [0, 1, 2].map((n) => create(ValidatorSchema, { name: `val-${n}`, power: 1 }));
  return linesOf(frameOf({ nodes, validators })).map(({ name }) => name);
};

test("a second node stands below the validator whose key it has", () => {
  expect(namesWith([])).toEqual(["val-0", "val-1", "val-1-twin", "val-2"]);
});

test("of a network that is cut, each side stands together", () => {
  expect(namesWith([1, 2, 1, 2])).toEqual(["val-0", "val-1-twin", "val-1", "val-2"]);
});
