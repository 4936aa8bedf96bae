import { cpus } from "node:os";
import type { Report } from "../bench.ts";
import { type CountsOfWorks, WORKS } from "./counted.ts";
import { loadOf } from "./loads.ts";
import type { Allocated, Kept, Pair, Sides } from "./pairs.ts";
import type { Ratios } from "./ratios.ts";

export interface Measured {
  /** With its version. */
  readonly platform: string;
  readonly pairs: readonly Pair[];
  readonly allocations: readonly Allocated[];
  readonly keeping: readonly Kept[];
  /** Of this checkout alone. */
  readonly ratios?: Ratios;
}

export interface Found {
  /** The commit that this checkout was held against. */
  readonly before: string;
  readonly measured: readonly Measured[];
  /** Of the command line. */
  readonly runs: readonly Pair[];
  /** Before and now, or none. */
  readonly counts: readonly CountsOfWorks[];
}

/** Maximum ratios between the costs at a high and a low height. */
const TARGETS = { blockRatio: 1.1, frameRatio: 1.5 } as const;

export function reportOf({ before, measured, runs, counts }: Found): Report {
  const processor = `${cpus().length} × ${cpus()[0]?.model ?? "an unknown processor"}`;
  const head = `${processor}; this checkout against ${before}, in turns`;
  const parts = [head, ...measured.map(platformPart)];
  if (runs.length > 0) parts.push(timesTable(runs));
  const [was, now] = counts;
  if (was !== undefined && now !== undefined) parts.push(countsTable(was, now));
  return {
    json: { bench: "engine", processor, before, targets: TARGETS, measured, runs, counts },
    table: parts.join("\n\n"),
  };
}

function platformPart({ platform, pairs, allocations, keeping, ratios }: Measured): string {
  return [
    platform,
    timesTable(pairs),
    ...(allocations.length > 0 ? [allocationsTable(allocations)] : []),
    ...keeping.map(keptLine),
    ...(ratios === undefined ? [] : ratioLines(ratios)),
  ].join("\n");
}

export const timesTable = (pairs: readonly Pair[]): string =>
  table([
    ["milliseconds", "before", "now", "now ÷ before", "quartiles"],
    ...pairs.map(({ title, milliseconds: [before, now], ratio, quartiles }) => [
      title,
      before.toPrecision(3),
      now.toPrecision(3),
      ratio.toFixed(2),
      quartiles.map((quartile) => quartile.toFixed(2)).join(" to "),
    ]),
  ]);

const allocationsTable = (allocations: readonly Allocated[]): string =>
  table([
    ["bytes allocated", "before", "now"],
    ...allocations.map(({ load, bytes }) => [loadOf(load).title, ...bytes.map(bytesText)]),
  ]);

const keptLine = ({ load, recent, forEver }: Kept): string =>
  `bytes kept of ${loadOf(load).title}: ${change(recent)} while its state is recent, ${change(forEver)} beyond`;

const change = ([before, now]: Sides): string => `${bytesText(before)} → ${bytesText(now)}`;

function ratioLines({
  validators,
  low,
  high,
  blockRatio,
  tombstonedRatio,
  heightRatio,
}: Ratios): string[] {
  const frame = (height: number, ratio: number): string =>
    `cost of a frame at height ${number(high)} with a tombstoned validator ÷ of a healthy chain at ` +
    `${number(height)}, ${validators} validators: ${ratio.toFixed(2)} (target ≤ ${TARGETS.frameRatio})`;
  return [
    `cost of a quiet block at height ${number(high)} ÷ at ${number(low)}, ${validators} validators: ` +
      `${blockRatio.toFixed(2)} (target ≤ ${TARGETS.blockRatio})`,
    frame(high, tombstonedRatio),
    frame(low, heightRatio),
  ];
}

function countsTable(before: CountsOfWorks, now: CountsOfWorks): string {
  const whats = Object.keys(now.quiet) as (keyof CountsOfWorks["quiet"])[];
  const per = (load: (typeof WORKS)[number]): string =>
    loadOf(load).transactions > 0 ? `each of ${loadOf(load).title}` : loadOf(load).title;
  return table([
    ["how often", ...WORKS.map(per)],
    ...whats.map((what) => [
      what,
      ...WORKS.map((load) => `${number(before[load][what])} → ${number(now[load][what])}`),
    ]),
  ]);
}

const bytesText = (bytes: number | undefined): string =>
  bytes === undefined ? "not available" : number(bytes);

const number = (value: number): string =>
  value.toLocaleString("en", { maximumFractionDigits: value < 100 ? 1 : 0 });

function table(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0))) ?? [];
  return rows
    .map((row) => row.map((cell, i) => cell.padStart(widths[i] ?? 0)).join("  "))
    .join("\n");
}
