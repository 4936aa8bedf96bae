import { cpus } from "node:os";
import type { Report } from "../bench.ts";

/** One result. */
export interface Row {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  /** What it must not exceed; undefined for what is only said. */
  readonly limit?: number;
  /** Where or over what it was seen. */
  readonly note?: string;
}

export function reportOf(bench: string, rows: readonly Row[]): Report {
  const processor = `${cpus().length} × ${cpus()[0]?.model ?? "an unknown processor"}`;
  const judged = rows.map((row) => {
    return row.limit === undefined ? row : { ...row, met: row.value <= row.limit };
  });
  const json = { bench, processor, rows: judged };
  return { json, table: [processor, ...judged.map(lineOf)].join("\n") };
}

function lineOf({ what, value, unit, limit, met, note }: Row & { readonly met?: boolean }): string {
  const shown = (number: number): string => `${text(number)}${unit && ` ${unit}`}`;
  const target =
    limit === undefined ? "" : ` (target ≤ ${shown(limit)}: ${met ? "met" : "MISSED"})`;
  return `${what}: ${shown(value)}${target}${note ? `, ${note}` : ""}`;
}

const text = (value: number): string =>
  value.toLocaleString("en", { maximumFractionDigits: value < 1 ? 4 : value < 100 ? 1 : 0 });
