/** Visible heights of the timeline and their positions; pure, so that clicks and painting agree. */
import type { BlockCell, EndedPlan, PlanView, ProposalView } from "../../store/types.ts";

export const CELL = 14;
export const PITCH = 18;
/** Maximum letters of a name beside cells: on a phone it leaves space for its text. */
export const LONGEST = 20;
const MARGIN = 16;

export interface Span {
  /** Height of the first cell. */
  readonly first: number;
  /** Number of cells that fit. */
  readonly cells: number;
}

/** A chain parallel to this one. */
export interface Lane {
  /** Height of the last block in common. */
  readonly common: number;
  /** Height of its newest block. */
  readonly newest: number;
  /** Height of this chain when they rejoined; 0 while they are separate. */
  readonly mergedAt: number;
}

export interface TimelinePicture {
  readonly span: Span;
  readonly width: number;
  readonly height: number;
  /** Newest height, above `height` while the past is shown, and the visible cells up to it. */
  readonly newest: number;
  /** The requested height; undefined while the newest is shown. */
  readonly playhead: number | undefined;
  readonly cells: ReadonlyMap<number, BlockCell>;
  readonly binaries: readonly string[];
  readonly plan: PlanView | undefined;
  /** Plans in voting. */
  readonly proposed: readonly { readonly name: string; readonly height: number }[];
  /** Plans that were cancelled. */
  readonly ended: readonly EndedPlan[];
  /** Greatest decided height; above `height` while no node can apply it. */
  readonly decided: number;
  /** Status of the decided block, in a few words. */
  readonly stuck: string;
  /** Share of the power that has applied it. */
  readonly applied: number;
  readonly selected: number | undefined;
  /** The cell under the pointer. */
  readonly pointed: number | undefined;
  readonly lanes: readonly Lane[];
}

/**
 * Keeps the newest block at about four fifths of the width, so that the future is visible.
 * @param initial height of the chain's first block
 */
export function spanFor(
  width: number,
  height: number,
  scrolledBack: number,
  initial: number,
): Span {
  const cells = Math.max(1, Math.floor((width - 2 * MARGIN + PITCH - CELL) / PITCH));
  const past = Math.floor(cells * 0.8);
  return { first: Math.max(initial, height - past + 1 - scrolledBack), cells };
}

/**
 * Minimum cells between the playhead and the ends of the span, if there is more history beyond
 * them.
 */
const AHEAD = 3;

/** The minimally moved span that contains a height, away from its ends. */
export function spanWith({ first, cells }: Span, height: number, initial: number): Span {
  const ahead = Math.min(AHEAD, Math.floor((cells - 1) / 2));
  const low = height - cells + 1 + ahead;
  return { first: Math.max(initial, Math.min(Math.max(first, low), height - ahead)), cells };
}

export const xOf = (span: Span, height: number): number => MARGIN + (height - span.first) * PITCH;

export const isIn = ({ first, cells }: Span, height: number): boolean =>
  height >= first && height < first + cells;

/** The height under a point, or undefined outside the cells. */
export function heightAt(span: Span, x: number): number | undefined {
  const index = Math.floor((x - MARGIN) / PITCH);
  return index >= 0 && index < span.cells ? span.first + index : undefined;
}

/** The cells of a span; the list is ordered by height. */
export function cellsIn(span: Span, cells: readonly BlockCell[]): Map<number, BlockCell> {
  const found = new Map<number, BlockCell>();
  for (let i = cells.length - 1; i >= 0; i -= 1) {
    const cell = cells[i] as BlockCell;
    if (cell.height < span.first) break;
    if (isIn(span, cell.height)) found.set(cell.height, cell);
  }
  return found;
}

/** The last height at which a lane is drawn below the main one. */
export const laneEnd = ({ newest, mergedAt }: Lane, height: number): number =>
  Math.max(newest, mergedAt || height);

/** The parallel chain at a height. */
export const laneAt = ({ lanes, newest }: TimelinePicture, at: number): Lane | undefined =>
  lanes.find((lane) => at > lane.common && at <= laneEnd(lane, newest));

/** The proposals in voting that would schedule an upgrade. */
export const plansVotedOn = (proposals: readonly ProposalView[]): readonly ProposalView[] =>
  proposals.filter(({ status, planName }) => status === "voting" && planName !== "");
