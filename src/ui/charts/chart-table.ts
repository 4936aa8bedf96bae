/** The numbers of a chart as a table: what is on screen, what is copied and what is saved as CSV. */

export interface Column {
  readonly title: string;
  /** How a person reads a value of it. */
  readonly show: (value: number | string) => string;
}

export type Row = readonly (number | string)[];

export interface ChartTable {
  readonly columns: readonly Column[];
  /** Made only when they are looked at. Those of heights begin with the oldest. */
  readonly rows: () => readonly Row[];
  /** On screen the last row is the first: of heights, the newest. */
  readonly lastFirst: boolean;
}

/** The table as RFC 4180 has it; numbers as programs read them, text quoted where it must be. */
export function csvOf({ columns, rows }: Omit<ChartTable, "lastFirst">): string {
  const lines = [columns.map(({ title }) => title), ...rows()];
  return lines.map((line) => `${line.map(cell).join(",")}\r\n`).join("");
}

function cell(value: number | string): string {
  if (typeof value === "number") return String(value);
  // A spreadsheet must not take a name for a formula.
  const text = /^[=+\-@\t]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
