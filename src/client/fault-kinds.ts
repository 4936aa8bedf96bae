/** The kinds of faults and their texts, as `fault.proto` has them. */
import { FAULT_PHRASES } from "../gen/lab/v1/fault_phrases.ts";
import { FAULTS } from "../gen/lab/v1/faults.ts";

/** Kinds of faults that can be injected into one node. */
export type NodeFaultKind = Exclude<keyof typeof FAULTS, "partition" | "signer">;

const PHRASES = new Map<string, { readonly does: string }>(Object.entries(FAULT_PHRASES));

/** The words for a node with a fault, by the name of its kind: "is stopped". */
export const faultDoes = (kind: string): string | undefined => PHRASES.get(kind)?.does;

/** Every kind that one node can have, with its words, byzantine if the node then signs two things. */
export const NODE_FAULTS = (Object.keys(FAULTS) as (keyof typeof FAULTS)[])
  .filter((kind): kind is NodeFaultKind => kind !== "partition" && kind !== "signer")
  .map((kind) => {
    const { does } = FAULT_PHRASES[kind];
    return [kind, { does, byzantine: "byzantine" in FAULTS[kind] }] as const;
  });
