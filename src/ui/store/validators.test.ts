import { expect, test } from "vitest";
import { frameOf } from "../testing.ts";
import { powerBy, powerOf } from "./power.ts";
import { holders } from "./validators.ts";

/** Four validators of 100 power, the last with a second node. */
const FRAME = frameOf({
  validators: ["a", "b", "c", "d"].map((name) => ({ name, power: 100 })),
  nodes: [
    ...["a", "b", "c", "d"].map((name) => ({ name, validator: name, process: "running" })),
    { name: "d-twin", validator: "d", process: "halted" },
  ],
});

test("each validator has the nodes with its key, its own first", () => {
  expect(holders(FRAME).map(({ validator, nodes }) => [validator.name, nodes.length])).toEqual([
    ["a", 1],
    ["b", 1],
    ["c", 1],
    ["d", 2],
  ]);
  expect(holders(FRAME)[3]?.nodes.map(({ name }) => name)).toEqual(["d", "d-twin"]);
});

test("one whose key is on no node here has none", () => {
  const frame = frameOf({ validators: [{ name: "far", power: 7 }], nodes: [{ name: "a" }] });
  expect(holders(frame)).toMatchObject([{ validator: { name: "far" }, nodes: [] }]);
});

test("the power of nodes is that of their keys, each once", () => {
  expect(powerOf(FRAME.validators, FRAME.nodes)).toBe(400);
  expect(powerOf(FRAME.validators, FRAME.nodes.slice(3))).toBe(100);
  expect(powerOf(FRAME.validators, [])).toBe(0);
});

test("power by kind counts each validator once, and none of which nothing is said", () => {
  const kinds = powerBy(FRAME, ({ validator, nodes }) =>
    validator.name === "a" ? undefined : `${nodes.length}`,
  );
  expect([...kinds]).toEqual([
    ["1", 200],
    ["2", 100],
  ]);
});
