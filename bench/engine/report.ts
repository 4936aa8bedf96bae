import { cpus } from "node:os";
import type { Report } from "../bench.ts";
import type { FrameCost, Growth, Speed } from "./cases.ts";
import type { Measured } from "./platforms.ts";

/** What the engine is designed for, and what it must reach. */
const TARGETS = {
  validators: 100,
  hashEquivalentsPerQuietBlock: { reach: 300, design: 75 },
  heightRatio: 1.1,
  frameRatio: 1.5,
} as const;

export function reportOf(measured: readonly Measured[]): Report {
  const processor = `${cpus().length} × ${cpus()[0]?.model ?? "an unknown processor"}`;
  const platforms = measured.map(({ platform, result }) => ({ platform, ...result }));
  return {
    json: { bench: "engine", processor, targets: TARGETS, platforms },
    table: [processor, ...measured.map(platformTable)].join("\n\n"),
  };
}

function platformTable({ platform, result }: Measured): string {
  const { hashesPerSecond, speeds, growth, frames } = result;
  const head = ["validators", "block", "blocks/s", "hash-equivalents/block", "spread", "target"];
  return [
    `${platform}: ${number(hashesPerSecond)} SHA-256 of 64 B per second`,
    table([head, ...speeds.map(speedRow)]),
    ...growthLines(growth),
    ...frameLines(frames),
  ].join("\n");
}

function speedRow(speed: Speed): string[] {
  const { reach, design } = TARGETS.hashEquivalentsPerQuietBlock;
  const aimedAt = speed.validators === TARGETS.validators && speed.transactions === 0;
  return [
    number(speed.validators),
    speed.transactions === 0 ? "quiet" : `${speed.transactions} txs`,
    number(speed.blocksPerSecond),
    number(speed.hashEquivalentsPerBlock),
    `${Math.round(speed.spread * 100)} %`,
    aimedAt ? `≤ ${reach}, design ${design}` : "",
  ];
}

function growthLines({ validators, low, high, costRatio, residentBytesPerBlock }: Growth) {
  const bytes =
    residentBytesPerBlock === undefined ? "not available" : number(residentBytesPerBlock);
  return [
    `cost of a quiet block at height ${number(high)} ÷ at ${number(low)}, ${validators} validators: ` +
      `${costRatio.toFixed(2)} (target ≤ ${TARGETS.heightRatio})`,
    `resident bytes per quiet block: ${bytes}`,
  ];
}

function frameLines({ validators, low, high, tombstonedRatio, heightRatio }: FrameCost) {
  const line = (height: number, ratio: number): string =>
    `cost of a frame at height ${number(high)} with a tombstoned validator ÷ of a healthy chain at ` +
    `${number(height)}, ${validators} validators: ${ratio.toFixed(2)} (target ≤ ${TARGETS.frameRatio})`;
  return [line(high, tombstonedRatio), line(low, heightRatio)];
}

const number = (value: number): string =>
  value.toLocaleString("en", { maximumFractionDigits: value < 100 ? 1 : 0 });

function table(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0))) ?? [];
  return rows
    .map((row) => row.map((cell, i) => cell.padStart(widths[i] ?? 0)).join("  "))
    .join("\n");
}
