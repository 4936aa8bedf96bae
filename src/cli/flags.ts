/** Parses values of flags. Each reader throws an Error with the expected format. */
import { readGasPrices } from "../base/gas-prices.ts";

const MAX_SEED = 4_294_967_295;
const MAX_SEEDS = 100_000;

type Output = "text" | "json";

/** The flag of commands that print an answer. */
export const OUTPUT = {
  output: {
    kind: "enum",
    brief: "How the answer is printed",
    values: ["text", "json"],
    default: "text",
  },
} as const;

/** The same flag for client commands, to which the settings of a home apply. */
export const CLIENT_OUTPUT = {
  output: {
    kind: "enum",
    brief: "Output format. Default: the setting of the home, or text",
    values: ["text", "json"],
    optional: true,
  },
} as const;

/** Flags with the default output format if a command line names none. */
export const withOutput = <Flags extends { readonly output?: Output }>(
  flags: Flags,
  { usualOutput }: { readonly usualOutput: Output },
) => ({ ...flags, output: flags.output ?? usualOutput });

/** `7`, `1..50` or `1,5,9..12`. */
export function readSeeds(text: string): readonly number[] {
  const seeds = text.split(",").flatMap((part) => {
    const match = /^([0-9]+)(?:\.\.([0-9]+))?$/.exec(part.trim());
    const first = Number(match?.[1]);
    const last = Number(match?.[2] ?? first);
    if (!match || last < first) {
      throw new Error(`expected seeds such as 7 or 1..50, found "${text}"`);
    }
    if (last > MAX_SEED || last - first >= MAX_SEEDS) {
      throw new Error(
        `expected at most ${MAX_SEEDS} seeds, each at most ${MAX_SEED}, found "${text}"`,
      );
    }
    return Array.from({ length: last - first + 1 }, (_, offset) => first + offset);
  });
  return [...new Set(seeds)];
}

export function readSeed(text: string): number {
  const seed = Number(text);
  if (/^[0-9]{1,10}$/.test(text) && seed <= MAX_SEED) return seed;
  throw new Error(`expected a seed from 0 to ${MAX_SEED}, found "${text}"`);
}

/** Parses a positive integer. */
export function readCount(text: string): number {
  if (/^[1-9][0-9]{0,8}$/.test(text)) return Number(text);
  throw new Error(`expected a number from 1 to 999999999, found "${text}"`);
}

export interface Shard {
  /** From 1. */
  readonly index: number;
  readonly count: number;
}

/** `1/4`. */
export function readShard(text: string): Shard {
  const match = /^([0-9]{1,6})\/([0-9]{1,6})$/.exec(text);
  const shard = { index: Number(match?.[1]), count: Number(match?.[2]) };
  if (!match || shard.index < 1 || shard.index > shard.count) {
    throw new Error(`expected a shard such as 1/4, found "${text}"`);
  }
  return shard;
}

/** Every shard gets the same share, independent of the order of files. */
export const shardOf = <T>(items: readonly T[], { index, count }: Shard): readonly T[] =>
  items.filter((_, position) => position % count === index - 1);

export function readHeight(text: string): number {
  if (/^[0-9]{1,15}$/.test(text)) return Number(text);
  throw new Error(`expected a height such as 12, found "${text}"`);
}

/** `auto` or a number of workers. */
export function readJobs(text: string): number | "auto" {
  if (text === "auto") return "auto";
  if (!/^[1-9][0-9]{0,2}$/.test(text)) {
    throw new Error(`expected auto or a number of jobs such as 2, found "${text}"`);
  }
  return Number(text);
}

/** `full`, `paused` or blocks per second. */
export function readSpeed(text: string): number | "paused" {
  if (text === "paused") return "paused";
  if (text === "full") return 0;
  const speed = Number(text);
  if (/^\d{1,5}(\.\d{1,3})?$/.test(text) && speed > 0 && speed <= 10_000) return speed;
  throw new Error(`expected full, paused or blocks per second such as 10, found "${text}"`);
}

/** An integer from 0 below 2^31, as in key paths. */
export function readInteger(text: string): number {
  const number = Number(text);
  if (/^\d{1,10}$/.test(text) && number < 2 ** 31) return number;
  throw new Error(`expected a whole number below 2147483648, found "${text}"`);
}

/** A factor above zero. */
export function readPositive(text: string): number {
  const number = Number(text);
  if (/^\d{1,6}(\.\d{1,9})?$/.test(text) && number > 0) return number;
  throw new Error(`expected a number above 0 such as 1.3, found "${text}"`);
}

/** `0.025stake`, or several separated by commas, one of which is enough. */
export function checkedGasPrices(text: string): string {
  if (readGasPrices(text).length > 0) return text;
  throw new Error('expected prices such as 0.025stake, found ""');
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000 };

/** A timeout in milliseconds: `500ms`, `15s` or `2m`. */
export function readTimeout(text: string): number {
  const [, number, unit = ""] = /^(\d{1,5})(ms|s|m)$/.exec(text) ?? [];
  if (number !== undefined) return Number(number) * (UNITS[unit] ?? 0);
  throw new Error(`expected a time to wait such as 15s, found "${text}"`);
}
