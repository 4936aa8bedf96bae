/** What the ring draws of a validator, whether it has an element of its own or is one of many. */
import { type Arc, pointAt } from "../../widgets/ring-geometry.ts";
import css from "./Ring.module.css";

/** Radii of the ring's arcs. */
export const INNER = 100;
export const OUTER = 124;

/** How a validator is drawn. */
export interface Shape extends Arc {
  readonly name: string;
  /** As much of the name as fits beside the ring. */
  readonly text: string;
  readonly color: string;
  readonly label: string;
  readonly tone: string;
  readonly proposer: boolean;
  /** Where its nodes are in a cut network, e.g. `A+B`. */
  readonly sides: string;
  /** Whether the cut keeps its votes away. */
  readonly absent: boolean;
  readonly labelled: boolean;
  readonly selected: boolean;
}

export const titleOf = ({ name, label, proposer }: Shape): string =>
  `${name}: ${label}${proposer ? ", proposes the next block" : ""}`;

/** The dot at an arc, inside the ring. */
export function ProposerMark({ from, to }: Arc) {
  const { x, y } = pointAt((from + to) / 2, 93);
  return <circle className={css.proposer} cx={x} cy={y} r="3.2" />;
}
