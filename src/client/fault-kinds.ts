/** The kinds of faults with their texts, as `fault.proto` has them. */
import type { FaultText } from "../gen/lab/v1/fault_plain.ts";
import { FAULTS } from "../gen/lab/v1/faults.ts";

/** What can be injected into one node. */
export type NodeFaultKind = Exclude<keyof typeof FAULTS, "partition" | "signer">;

/** By the name that steps and nodes use. */
export const FAULT_TEXTS: ReadonlyMap<string, FaultText> = new Map(Object.entries(FAULTS));

const OTHERS = ["partition", "signer"];

export const NODE_FAULTS = [...FAULT_TEXTS].filter(
  (entry): entry is [NodeFaultKind, FaultText] => !OTHERS.includes(entry[0]),
);
