import { expect, test } from "vitest";
import { frameOf } from "../testing.ts";
import { readyParts, votingParts } from "./power-parts.ts";

const NAMES = ["a", "b", "c", "d"];
const BINARIES = [{ name: "v1" }, { name: "v2", handlers: ["v2"] }];

interface NodeOf {
  readonly binary?: string;
  readonly forPlan?: string;
}

/**
 * Four validators of 100 power; `d` has a second node. `nodes` overrides a node's fields by its
 * name.
 */
const frame = (missing: readonly string[], nodes: Readonly<Record<string, NodeOf>> = {}) =>
  frameOf({
    binaries: BINARIES,
    chainStatus: { totalPower: 400, missing: [{ nodes: [...missing] }] },
    validators: NAMES.map((name) => ({ name, power: 100 })),
    nodes: [...NAMES, "d-twin"].map((name) => ({
      name,
      validator: name.replace("-twin", ""),
      binary: "v1",
      ...nodes[name],
    })),
  });

const shares = (parts: readonly { label: string; power: number; binary: number | undefined }[]) =>
  parts.map(({ label, power, binary }) => [label, power, binary]);

test("of a chain in which all vote the parts are its power, twins or not", () => {
  expect(shares(votingParts(frame([])))).toEqual([["votes on v1", 400, 0]]);
});

test("a twin that votes alone is its validator's power, and what is missing is the rest", () => {
  const halted = frame(["a", "b", "c", "d"], { "d-twin": { binary: "v2" } });
  expect(shares(votingParts(halted))).toEqual([
    ["votes on v2", 100, 1],
    ["does not vote", 300, undefined],
  ]);
});

test("twins that both vote count as the first of them", () => {
  const both = frame(["a", "b", "c"], { "d-twin": { binary: "v2" } });
  expect(shares(votingParts(both))).toEqual([
    ["votes on v1", 100, 0],
    ["does not vote", 300, undefined],
  ]);
});

test("what is ready for a plan is counted by validator, each by its surest node", () => {
  const planned = frame([], {
    a: { forPlan: "none" },
    b: { forPlan: "skips" },
    c: { forPlan: "staged" },
    d: { forPlan: "skips" },
    "d-twin": { forPlan: "handler" },
  });
  expect(shares(readyParts(planned, "v2"))).toEqual([
    ["runs the Handler", 100, 1],
    ["has it on disk, its sidecar switches", 100, 1],
    ["skips the upgrade", 100, 0],
  ]);
  const twins = frame([], { d: { forPlan: "handler" }, "d-twin": { forPlan: "handler" } });
  expect(shares(readyParts(twins, "v2"))).toEqual([["runs the Handler", 100, 1]]);
});
