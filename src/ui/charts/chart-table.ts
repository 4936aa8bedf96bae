/** The numbers of a chart as a table: what is on screen, what is copied and what is saved as CSV. */
import { csvRow } from "../../input/csv.ts";

export interface Column {
  readonly title: string;
  /** Formats a value for display. */
  readonly show: (value: number | string) => string;
}

export type Row = readonly (number | string)[];

export interface ChartTable {
  readonly columns: readonly Column[];
  /** Made only when they are looked at. Those of heights begin with the oldest. */
  readonly rows: () => readonly Row[];
  /** On screen the last row is the first: of heights, the newest. */
  readonly lastFirst: boolean;
  /** Of how many of all blocks the rows are, where they are not of all: the file's name says it. */
  readonly part?: { readonly some: number; readonly all: number } | undefined;
}

/** The table as CSV: numbers as programs read them. */
export const csvOf = ({ columns, rows }: Pick<ChartTable, "columns" | "rows">): string =>
  [columns.map(({ title }) => title), ...rows()].map(csvRow).join("");
