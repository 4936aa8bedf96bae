/** Which heights the timeline shows and where; pure, so that clicks and paint agree. */
export const CELL = 14;
export const PITCH = 18;
const MARGIN = 16;

export interface Span {
  /** Height of the first cell. */
  readonly first: number;
  /** How many cells fit. */
  readonly cells: number;
}

/**
 * Keeps the newest block at about four fifths of the width, so that the future can be seen.
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

export const xOf = (span: Span, height: number): number => MARGIN + (height - span.first) * PITCH;

/** The height under a point, or undefined beyond the cells. */
export function heightAt(span: Span, x: number): number | undefined {
  const index = Math.floor((x - MARGIN) / PITCH);
  return index >= 0 && index < span.cells ? span.first + index : undefined;
}

/** What happened in a block, strongest first. `marks` as in lab.v1.BlockCell. */
const MARKS = [
  [16, "upgraded"],
  [2, "slash"],
  [1, "evidence"],
  [8, "plan"],
  [4, "proposal"],
  [32, "tx"],
  [64, "rounds"],
] as const;

export type MarkLabel = (typeof MARKS)[number][1];

export const markLabels = (marks: number): MarkLabel[] =>
  MARKS.filter(([bit]) => marks & bit).map(([, label]) => label);
