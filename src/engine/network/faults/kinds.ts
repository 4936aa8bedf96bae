/** Fault kinds, as defined in `fault.proto`: the only place to add a kind. */
import type { FaultText } from "../../../gen/lab/v1/fault_plain.ts";
import { FAULTS } from "../../../gen/lab/v1/faults.ts";

/** All kinds, including `signer`, which is not injected but follows from a node's signer file. */
export type AnyFaultKind = keyof typeof FAULTS;
/** Faults that can be injected. */
export type FaultKind = Exclude<AnyFaultKind, "signer">;
/** Faults that can be injected into one node. */
export type NodeFaultKind = Exclude<FaultKind, "partition">;

export const FAULT_KINDS: readonly FaultKind[] = (Object.keys(FAULTS) as AnyFaultKind[]).filter(
  (kind) => kind !== "signer",
);
export const NODE_FAULTS: readonly NodeFaultKind[] = FAULT_KINDS.filter(
  (kind) => kind !== "partition",
);

const TEXTS: Readonly<Record<AnyFaultKind, Partial<FaultText>>> = FAULTS;

/** Reason why a node with this kind of fault is absent from votes; "" if it is not. */
export const faultAbsence = (kind: AnyFaultKind): string => TEXTS[kind].absence ?? "";
export const isByzantineKind = (kind: AnyFaultKind): boolean => TEXTS[kind].byzantine ?? false;
