import { expect, test } from "vitest";
import { FAULT_PHRASES } from "../../../gen/lab/v1/fault_phrases.ts";
import { FAULT_KINDS, faultAbsence, isByzantineKind, NODE_FAULTS } from "./kinds.ts";

test("all kinds but the signer's own can be injected, all of these but a partition into one node", () => {
  expect(NODE_FAULTS).toEqual([
    "mute",
    "slow",
    "flaky",
    "crash",
    "clock",
    "stop",
    "double_sign",
    "twin",
    "lose_signer_state",
  ]);
  expect(FAULT_KINDS).toHaveLength(NODE_FAULTS.length + 1);
  expect(FAULT_KINDS).toContain("partition");
});

test("every kind says what it does", () => {
  for (const kind of FAULT_KINDS) expect(FAULT_PHRASES[kind].does).not.toBe("");
});

test("those that keep a node from voting say so", () => {
  const absent = ([...FAULT_KINDS, "signer"] as const).filter(faultAbsence);
  expect(absent).toEqual(["mute", "slow", "flaky", "signer"]);
});

test("those with which a validator signs twice, or may, are byzantine", () => {
  expect(FAULT_KINDS.filter(isByzantineKind)).toEqual(["double_sign", "twin", "lose_signer_state"]);
});
