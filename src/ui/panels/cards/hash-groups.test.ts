import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { NodeSchema } from "../../../gen/lab/v1/lab_pb.ts";
import { hashGroups } from "./hash-groups.ts";

const node = (name: string, height: number, appHash: string, power = 100) =>
  create(NodeSchema, { name, height, appHash, power });

test("nodes of one height and one hash belong together, the strongest first", () => {
  const groups = hashGroups([node("a", 20, "X"), node("b", 20, "Y", 300), node("c", 20, "X")]);
  expect(groups.map(({ nodes, power }) => [nodes.join(), power])).toEqual([
    ["b", 300],
    ["a,c", 200],
  ]);
});

test("a node that is merely behind has not parted from anyone", () => {
  expect(hashGroups([node("a", 20, "X"), node("b", 19, "Y"), node("c", 20, "X")])).toEqual([]);
});

test("of several heights only the greatest counts at which hashes differ", () => {
  const nodes = [node("a", 9, "A"), node("b", 9, "B"), node("c", 8, "C"), node("d", 8, "D")];
  expect(hashGroups(nodes).map(({ height }) => height)).toEqual([9, 9]);
});
