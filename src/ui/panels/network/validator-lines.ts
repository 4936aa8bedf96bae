/** The lines of the table of validators. */

import { sidesOf } from "../../store/situation.ts";
import type { Frame, Node, Validator } from "../../store/types.ts";
import { holders } from "../../store/validators.ts";

/** A validator with its node, or a second node with the key of one. */
export interface Line {
  readonly name: string;
  readonly validator: Validator | undefined;
  readonly node: Node | undefined;
}

/** Filters and sorts lines. */
export type Arrange = (lines: readonly Line[]) => readonly Line[];

/**
 * Each validator, followed by the other nodes with its key; grouped by side in a partitioned
 * network.
 */
export function linesOf(frame: Frame): readonly Line[] {
  const lines = holders(frame).flatMap(({ validator, nodes: [first, ...others] }): Line[] => [
    { name: validator.name, validator, node: first },
    ...others.map((node) => ({ name: node.name, validator: undefined, node })),
  ]);
  if (sidesOf(frame.nodes) < 2) return lines;
  return lines.sort((a, b) => (a.node?.partition ?? 0) - (b.node?.partition ?? 0));
}
