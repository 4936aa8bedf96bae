/** The kinds of faults and their texts, as `fault.proto` has them: the one place to add a kind. */
import { getOption } from "@bufbuild/protobuf";
import {
  type FaultKind as FaultEnum,
  FaultKindSchema,
  type FaultText,
  fault_text,
} from "../../../gen/lab/v1/fault_pb.ts";

/** Every kind, also `signer`, which is not injected but follows from the file of a node's signer. */
export type AnyFaultKind = Lowercase<Exclude<keyof typeof FaultEnum, "UNSPECIFIED">>;
/** What can be injected. */
export type FaultKind = Exclude<AnyFaultKind, "signer">;
/** What can be injected into one node. */
export type NodeFaultKind = Exclude<FaultKind, "partition">;

const TEXTS = new Map(
  FaultKindSchema.values
    .filter(({ number }) => number > 0)
    .map((value) => [value.localName.toLowerCase() as AnyFaultKind, getOption(value, fault_text)]),
);

export const FAULT_KINDS: readonly FaultKind[] = [...TEXTS.keys()].filter(
  (kind) => kind !== "signer",
);
export const NODE_FAULTS: readonly NodeFaultKind[] = FAULT_KINDS.filter(
  (kind) => kind !== "partition",
);

/** What a kind of fault does, brings at its end, and keeps a node from. */
export function faultText(kind: AnyFaultKind): FaultText {
  const text = TEXTS.get(kind);
  if (text === undefined) throw new TypeError(`there is no fault ${kind}`);
  return text;
}
