import type { Sample } from "../store/types.ts";
import { count } from "../widgets/format.ts";
import type { AtHeight } from "./axis.ts";

export interface Series {
  /** Validators by power, strongest first; the rest together as `others`. */
  readonly names: readonly string[];
  /** One row per sample: its height, and the power of each name. */
  readonly rows: readonly (AtHeight & Readonly<Record<string, number>>)[];
}

export const OTHERS = "others";

export const sumOf = (powers: readonly number[]): number =>
  powers.reduce((sum, power) => sum + power, 0);

/** Index of the last sample up to a height: the first one if all are later. */
export const lastUpTo = (samples: readonly Pick<Sample, "height">[], height: number): number =>
  Math.max(
    0,
    samples.findLastIndex((sample) => sample.height <= height),
  );

/** Number of samples and of all blocks; undefined if all are included. */
export function partOf(
  samples: readonly Pick<Sample, "height">[],
): { readonly some: number; readonly all: number } | undefined {
  const [first, last] = [samples[0]?.height ?? 0, samples.at(-1)?.height ?? 0];
  const all = last - first + 1;
  return samples.length > 0 && samples.length < all ? { some: samples.length, all } : undefined;
}

/** The same as an additional sentence, empty if all are included. */
export function partText(samples: readonly Pick<Sample, "height">[]): string {
  const part = partOf(samples);
  return part
    ? ` Numbers of ${count(part.some)} of ${count(part.all)} blocks: the greatest changes, and some between.`
    : "";
}

/** Voting power over time, for at most `shown` validators by name. */
export function powerSeries(
  samples: readonly Sample[],
  validators: readonly string[],
  shown: number,
): Series {
  const peak = validators.map((_, i) =>
    samples.reduce((max, s) => Math.max(max, s.powers[i] ?? 0), 0),
  );
  const order = validators
    .map((_, i) => i)
    .sort((a, b) => (peak[b] ?? 0) - (peak[a] ?? 0) || a - b);
  const own = order.slice(0, validators.length > shown ? shown - 1 : shown);
  const rest = order.slice(own.length);
  const nameOf = (i: number): string => validators[i] ?? "";
  return {
    names: [...own.map(nameOf), ...(rest.length > 0 ? [OTHERS] : [])],
    rows: samples.map((sample) => ({
      height: sample.height,
      ...Object.fromEntries(own.map((i) => [nameOf(i), sample.powers[i] ?? 0])),
      ...(rest.length > 0 && {
        [OTHERS]: rest.reduce((sum, i) => sum + (sample.powers[i] ?? 0), 0),
      }),
    })),
  };
}
