/** The lines of the table of validators. */
import type { Frame, Node, Validator } from "../../store/types.ts";
import { holders } from "../../store/validators.ts";

/** A validator with its node, or a second node with the key of one. */
export interface Line {
  readonly name: string;
  readonly validator: Validator | undefined;
  readonly node: Node | undefined;
}

/** Which lines to show, and in which order. */
export type Arrange = (lines: readonly Line[]) => readonly Line[];

/** Each validator, and below it the other nodes that have its key. */
export const linesOf = (frame: Frame): readonly Line[] =>
  holders(frame).flatMap(({ validator, nodes: [first, ...others] }) => [
    { name: validator.name, validator, node: first },
    ...others.map((node) => ({ name: node.name, validator: undefined, node })),
  ]);
