/** Events in blocks, from the marks of their cells. */
import type { BlockCell } from "./types.ts";

/** Events in a block, most important first. `marks` as in lab.v1.BlockCell. */
const MARKS = [
  [16, "upgraded"],
  [128, "halt"],
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

const LABELLED = 1 | 2 | 4 | 8 | 16 | 128;

/** True if a block has a label of its own. */
export const isLabelled = ({ marks }: BlockCell): boolean => (marks & LABELLED) !== 0;

/** The next height before or after one that has a label of its own; undefined if there is none. */
export function labelledFrom(
  cells: readonly BlockCell[],
  from: number,
  way: -1 | 1,
): number | undefined {
  const labelled = labelledOf(cells);
  const has = (cell: BlockCell): boolean => (cell.height - from) * way > 0;
  return (way > 0 ? labelled.find(has) : labelled.findLast(has))?.height;
}

const known = new WeakMap<readonly BlockCell[], readonly BlockCell[]>();

/** The few labelled cells among thousands, cached: they are needed at every change of the page. */
function labelledOf(cells: readonly BlockCell[]): readonly BlockCell[] {
  const found = known.get(cells) ?? cells.filter(isLabelled);
  known.set(cells, found);
  return found;
}
