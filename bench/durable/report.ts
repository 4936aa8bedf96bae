import { cpus } from "node:os";
import type { Report } from "../bench.ts";

/** One result. */
export interface Row {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  /** What it must not exceed; undefined for what is only said. */
  readonly limit?: number;
}

export function reportOf(bench: string, rows: readonly Row[]): Report {
  const processor = `${cpus().length} × ${cpus()[0]?.model ?? "an unknown processor"}`;
  const lines = rows.map(({ what, value, unit, limit }) => {
    const target = limit === undefined ? "" : ` (target ≤ ${number(limit)}${unit && ` ${unit}`})`;
    return `${what}: ${number(value)}${unit && ` ${unit}`}${target}`;
  });
  return { json: { bench, processor, rows }, table: [processor, ...lines].join("\n") };
}

const number = (value: number): string =>
  value.toLocaleString("en", { maximumFractionDigits: value < 1 ? 4 : value < 100 ? 1 : 0 });
