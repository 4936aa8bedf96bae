/** The kinds of faults and their texts, from `fault.proto`. */
import { FAULT_PHRASES } from "../gen/lab/v1/fault_phrases.ts";
import { FAULTS } from "../gen/lab/v1/faults.ts";

/** Kinds of faults that can be injected into one node. */
export type NodeFaultKind = Exclude<keyof typeof FAULTS, "partition" | "signer">;

const PHRASES = new Map<string, { readonly does: string }>(Object.entries(FAULT_PHRASES));

/** The text for a node with a fault, by the name of its kind: "is stopped". */
export const faultDoes = (kind: string): string | undefined => PHRASES.get(kind)?.does;

/** Every kind of fault of one node, with its text; byzantine if the node then double-signs. */
export const NODE_FAULTS = (Object.keys(FAULTS) as (keyof typeof FAULTS)[])
  .filter((kind): kind is NodeFaultKind => kind !== "partition" && kind !== "signer")
  .map((kind) => {
    const { does } = FAULT_PHRASES[kind];
    return [kind, { does, byzantine: "byzantine" in FAULTS[kind] }] as const;
  });
