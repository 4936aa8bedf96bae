/** Table rows as CSV for programs and spreadsheets. */

/**
 * Text that a spreadsheet treats as the start of a formula; numbers may also start like this, but
 * are not formulas.
 */
const FORMULA = /^[=+\-@\t\r\n]/;
const NUMBER = /^-?\d+(\.\d+)?$/;

/**
 * Formats a row by RFC 4180: numbers unchanged, text quoted where necessary. Text that a
 * spreadsheet would execute as a formula is preceded by an apostrophe, which spreadsheets do not
 * show, and which other programs must remove.
 */
export const csvRow = (cells: readonly (number | string)[]): string =>
  `${cells.map(cell).join(",")}\r\n`;

function cell(value: number | string): string {
  if (typeof value === "number") return String(value);
  const text = FORMULA.test(value) && !NUMBER.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
