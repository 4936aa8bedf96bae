/** Rows of a table as programs and spreadsheets read them. */

/** Start of a formula in spreadsheets; a number may start in the same way, and is none. */
const FORMULA = /^[=+\-@\t\r\n]/;
const NUMBER = /^-?\d+(\.\d+)?$/;

/**
 * A row as RFC 4180 has it: numbers as they are, text quoted where it must be. Text that a spreadsheet would run as a
 * formula has an apostrophe before it, which spreadsheets do not show, and which other programs take away.
 */
export const csvRow = (cells: readonly (number | string)[]): string =>
  `${cells.map(cell).join(",")}\r\n`;

function cell(value: number | string): string {
  if (typeof value === "number") return String(value);
  const text = FORMULA.test(value) && !NUMBER.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
