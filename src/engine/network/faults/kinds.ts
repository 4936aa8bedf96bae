/** The kinds of faults and their texts, as `fault.proto` has them: the one place to add a kind. */
import type { FaultText } from "../../../gen/lab/v1/fault_plain.ts";
import { FAULTS } from "../../../gen/lab/v1/faults.ts";

/** Every kind, also `signer`, which is not injected but follows from the file of a node's signer. */
export type AnyFaultKind = keyof typeof FAULTS;
/** What can be injected. */
export type FaultKind = Exclude<AnyFaultKind, "signer">;
/** What can be injected into one node. */
export type NodeFaultKind = Exclude<FaultKind, "partition">;

export const FAULT_KINDS: readonly FaultKind[] = (Object.keys(FAULTS) as AnyFaultKind[]).filter(
  (kind) => kind !== "signer",
);
export const NODE_FAULTS: readonly NodeFaultKind[] = FAULT_KINDS.filter(
  (kind) => kind !== "partition",
);

/** What a kind of fault does, brings at its end, and keeps a node from. */
export const faultText = (kind: AnyFaultKind): FaultText => FAULTS[kind];
