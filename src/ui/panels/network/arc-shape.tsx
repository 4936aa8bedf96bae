/** Shape of a validator on the ring, drawn as its own element or as one of many. */
import { type Arc, pointAt } from "../../widgets/ring-geometry.ts";
import css from "./Ring.module.css";

/** Radii of the ring's arcs. */
export const INNER = 100;
export const OUTER = 124;

/** Appearance of a validator on the ring. */
export interface Shape extends Arc {
  readonly name: string;
  /** The part of the name that fits beside the ring. */
  readonly text: string;
  readonly color: string;
  readonly label: string;
  readonly tone: string;
  readonly proposer: boolean;
  /** Sides of its nodes in a partitioned network, e.g. `A+B`. */
  readonly sides: string;
  /** True if the partition cuts off its votes. */
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
