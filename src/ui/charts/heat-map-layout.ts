/** Layout of a heat map's cells, in CSS pixels. */
import type { Size } from "../widgets/use-size.ts";

/** Maximum and minimum row height: below the minimum rows are not visible, and the map scrolls. */
const TALLEST = 18;
const LOWEST = 4;
/** Space for a name beside the row, and for the heights below. */
const LABEL = 14;
const NAMES = 104;
const NAMES_NARROW = 64;
const AXIS = 20;
/** Maximum number of tall rows, and the minimum total height of more rows. */
const TALL_ROWS = 20;
/** Height above which the map scrolls. */
const MOST = 420;

export interface HeatMapLayout {
  readonly width: number;
  readonly height: number;
  /** Left edge of the first column. */
  readonly left: number;
  readonly columns: number;
  readonly rows: number;
  readonly rowHeight: number;
  /** Height of all rows, and of the visible ones. */
  readonly allRows: number;
  readonly inSight: number;
  /** Interval of rows with a name. */
  readonly named: number;
}

/** The total height of all rows, with the axis. */
export const fullHeight = (rows: number): number =>
  Math.max(TALLEST * Math.min(rows, TALL_ROWS), LOWEST * rows) + AXIS;

/** The visible height of the map on the page. */
export const shownHeight = (rows: number): number => Math.min(fullHeight(rows), MOST);

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

/**
 * The left edge of a column, on a whole pixel; for the index after the last column, the right edge.
 */
export const xOf = ({ left, width, columns }: HeatMapLayout, column: number): number =>
  Math.round(left + (column * (width - left)) / Math.max(1, columns));

export interface CellPosition {
  readonly row: number;
  readonly column: number;
}

/** The cell at a point; undefined outside the cells. `top` is the scroll offset. */
export function cellAt(
  layout: HeatMapLayout,
  x: number,
  y: number,
  top: number,
): CellPosition | undefined {
  const { left, width, columns, rows, rowHeight, inSight } = layout;
  if (x < left || x >= width || y < 0 || y >= inSight) return undefined;
  const column = Math.floor(((x - left) * columns) / (width - left));
  const row = Math.floor((y + top) / rowHeight);
  return row < rows && column < columns ? { row, column } : undefined;
}

/** The row whose name is at a point; undefined outside the names. */
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
