/** Layout of a heat map's cells, in CSS pixels. */
import type { Size } from "../widgets/use-size.ts";

/** Tallest and lowest row: below that they would not be seen, and one scrolls. */
const TALLEST = 18;
const LOWEST = 4;
/** Room for a name beside the row, and for the heights below. */
const LABEL = 14;
const NAMES = 104;
const NAMES_NARROW = 64;
const AXIS = 20;
/** Rows that are tall if there are no more, and the height that others share, at least. */
const TALL_ROWS = 20;
/** From this height on one scrolls. */
const MOST = 420;

export interface HeatMapLayout {
  readonly width: number;
  readonly height: number;
  /** Left edge of the first column. */
  readonly left: number;
  readonly columns: number;
  readonly rows: number;
  readonly rowHeight: number;
  /** Height of all rows, and of those in sight. */
  readonly allRows: number;
  readonly inSight: number;
  /** Every so many rows one has its name beside it. */
  readonly named: number;
}

/** The height that all rows need, with the axis. */
export const wholeHeight = (rows: number): number =>
  Math.max(TALLEST * Math.min(rows, TALL_ROWS), LOWEST * rows) + AXIS;

/** The height of a map that has its place on the page. */
export const shownHeight = (rows: number): number => Math.min(wholeHeight(rows), MOST);

export function layoutOf({ width, height }: Size, rows: number, columns: number): HeatMapLayout {
  const inSight = Math.max(0, height - AXIS);
  const fitting = Math.floor(inSight / Math.max(1, rows));
  const rowHeight = Math.min(TALLEST, Math.max(LOWEST, fitting));
  return {
    ...{ width, height, columns, rows, rowHeight },
    left: width < 520 ? NAMES_NARROW : NAMES,
    allRows: rows * rowHeight,
    inSight: Math.min(inSight, rows * rowHeight),
    named: Math.ceil(LABEL / rowHeight),
  };
}

/** The left edge of a column, on a whole pixel; of the one after the last, the right edge of all. */
export const xOf = ({ left, width, columns }: HeatMapLayout, column: number): number =>
  Math.round(left + (column * (width - left)) / Math.max(1, columns));

export interface Place {
  readonly row: number;
  readonly column: number;
}

/** The cell at a point; undefined beside the cells. `top` is how far it is scrolled. */
export function cellAt(
  layout: HeatMapLayout,
  x: number,
  y: number,
  top: number,
): Place | undefined {
  const { left, width, columns, rows, rowHeight, inSight } = layout;
  if (x < left || x >= width || y < 0 || y >= inSight) return undefined;
  const column = Math.floor(((x - left) * columns) / (width - left));
  const row = Math.floor((y + top) / rowHeight);
  return row < rows && column < columns ? { row, column } : undefined;
}

/** The row whose name is at a point; undefined beside the names. */
export function rowAt(
  layout: HeatMapLayout,
  x: number,
  y: number,
  top: number,
): number | undefined {
  const row = Math.floor((y + top) / layout.rowHeight);
  const beside = x < 0 || x >= layout.left || y < 0 || y >= layout.inSight;
  return beside || row >= layout.rows ? undefined : row;
}

/** Returns the smallest scroll offset that brings a row into sight. */
export function scrolledTo(
  { rowHeight, inSight }: HeatMapLayout,
  row: number,
  top: number,
): number {
  return Math.max((row + 1) * rowHeight - inSight, Math.min(top, row * rowHeight));
}
