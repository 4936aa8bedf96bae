/** Validators with their nodes: each counts once, however many nodes have its key. */
import type { Frame, Node, Validator } from "./types.ts";

export interface Holder {
  readonly validator: Validator;
  /** The nodes with its key, its own first; none if no node has it. */
  readonly nodes: readonly Node[];
}

/** Every validator with its nodes. */
export function holders({ validators, nodes }: Pick<Frame, "validators" | "nodes">): Holder[] {
  const found = new Map(validators.map((validator) => [validator.name, [] as Node[]]));
  for (const node of nodes) found.get(node.validator)?.push(node);
  return validators.map((validator) => ({ validator, nodes: found.get(validator.name) ?? [] }));
}
