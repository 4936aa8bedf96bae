/** The kinds of faults with their texts, as `fault.proto` has them. */
import { getOption } from "@bufbuild/protobuf";
import {
  type FaultKind,
  FaultKindSchema,
  type FaultText,
  fault_text,
} from "../gen/lab/v1/fault_pb.ts";

type AnyFaultKind = Lowercase<Exclude<keyof typeof FaultKind, "UNSPECIFIED">>;
/** What can be injected into one node. */
export type NodeFaultKind = Exclude<AnyFaultKind, "partition" | "signer">;

/** By the name that steps and nodes use. */
export const FAULT_TEXTS: ReadonlyMap<string, FaultText> = new Map(
  FaultKindSchema.values.map((value) => [
    value.localName.toLowerCase(),
    getOption(value, fault_text),
  ]),
);

const OTHERS = ["unspecified", "partition", "signer"];

export const NODE_FAULTS = [...FAULT_TEXTS].filter(
  (entry): entry is [NodeFaultKind, FaultText] => !OTHERS.includes(entry[0]),
);
