import { cpus } from "node:os";
import type { Report } from "../bench.ts";

/** One result. */
export interface Row {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  /** Upper limit; undefined for results that are only reported. */
  readonly limit?: number;
  /** Condition or reference of the measurement. */
  readonly note?: string;
}

export function reportOf(bench: string, rows: readonly Row[]): Report {
  const processor = `${cpus().length} × ${cpus()[0]?.model ?? "an unknown processor"}`;
  const judged = rows.map(judge);
  const json = { bench, processor, rows: judged };
  return { json, table: [processor, ...judged.map(lineOf)].join("\n") };
}

/** Says rows as soon as they are known, since a run of many minutes can fail after them; returns them. */
export function said(rows: Row[]): Row[] {
  for (const row of rows) console.error(lineOf(judge(row)));
  return rows;
}

interface Judged extends Row {
  /** Absent for what has no limit. */
  readonly met?: boolean;
}

const judge = (row: Row): Judged =>
  row.limit === undefined ? row : { ...row, met: row.value <= row.limit };

function lineOf({ what, value, unit, limit, met, note }: Judged): string {
  const shown = (number: number): string => `${text(number)}${unit && ` ${unit}`}`;
  const target =
    limit === undefined ? "" : ` (target ≤ ${shown(limit)}: ${met ? "met" : "MISSED"})`;
  return `${what}: ${shown(value)}${target}${note ? `, ${note}` : ""}`;
}

const text = (value: number): string =>
  value.toLocaleString("en", { maximumFractionDigits: value < 1 ? 4 : value < 100 ? 1 : 0 });
