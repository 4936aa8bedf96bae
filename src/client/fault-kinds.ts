/** The kinds of faults and their texts, as `fault.proto` has them. */
import { FAULT_PHRASES } from "../gen/lab/v1/fault_phrases.ts";
import { FAULTS } from "../gen/lab/v1/faults.ts";

/** What can be injected into one node. */
export type NodeFaultKind = Exclude<keyof typeof FAULTS, "partition" | "signer">;

/** What a fault does to its node, by the name that steps and nodes use. */
export const faultDoes = (kind: string): string | undefined =>
  new Map<string, { readonly does: string }>(Object.entries(FAULT_PHRASES)).get(kind)?.does;

/** What a fault of each kind does, and whether its node then signs what it must not. */
export const NODE_FAULTS = (Object.keys(FAULTS) as (keyof typeof FAULTS)[])
  .filter((kind): kind is NodeFaultKind => kind !== "partition" && kind !== "signer")
  .map((kind) => {
    const { does } = FAULT_PHRASES[kind];
    return [kind, { does, byzantine: "byzantine" in FAULTS[kind] }] as const;
  });
