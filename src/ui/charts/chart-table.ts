/** The data of a chart as a table: as shown, copied and saved as CSV. */
import { csvRow } from "../../base/csv.ts";

export interface Column {
  readonly title: string;
  /** Formats a value for display. */
  readonly show: (value: number | string) => string;
}

export type Row = readonly (number | string)[];

export interface ChartTable {
  readonly columns: readonly Column[];
  /** Built on demand. Rows of heights start with the oldest. */
  readonly rows: () => readonly Row[];
  /** True to show the last row first: for heights, the newest. */
  readonly lastFirst: boolean;
  /** Number of included and of all blocks, if some are missing: the file's name shows it. */
  readonly part?: { readonly some: number; readonly all: number } | undefined;
}

/** The table as CSV: numbers as programs read them. */
export const csvOf = ({ columns, rows }: Pick<ChartTable, "columns" | "rows">): string =>
  [columns.map(({ title }) => title), ...rows()].map(csvRow).join("");
