/** Series of single blocks: their intervals, and the share of the power that signed each. */
import type { Participation } from "../store/types.ts";
import { duration } from "../widgets/duration.ts";

export interface BlockPoint {
  readonly height: number;
  readonly seconds: number;
  /** Number of its rounds, from 1 on. */
  readonly rounds: number;
  /** Signed power, in percent of the set's. */
  readonly signed: number;
  readonly signedPower: number;
  readonly totalPower: number;
}

export const blockPoints = (answer: Participation | undefined): readonly BlockPoint[] =>
  (answer?.blocks ?? []).map((block) => {
    const { height, intervalSeconds, round, signedPower, totalPower } = block;
    return {
      ...{ height, signedPower, totalPower },
      seconds: intervalSeconds,
      rounds: round + 1,
      signed: totalPower === 0 ? 0 : (signedPower / totalPower) * 100,
    };
  });

export interface Extent {
  readonly mean: number;
  /** The most extreme point; of several the newest. */
  readonly extreme: BlockPoint;
}

/**
 * The mean of a value over blocks, and the block with the greatest one; undefined without blocks.
 */
export function extentOf(
  points: readonly BlockPoint[],
  measure: (point: BlockPoint) => number,
): Extent | undefined {
  const [first] = points;
  if (!first) return undefined;
  const sum = points.reduce((all, point) => all + measure(point), 0);
  const extreme = points.reduce((most, one) => (measure(one) >= measure(most) ? one : most), first);
  return { mean: sum / points.length, extreme };
}

/** The blocks with a predecessor: the first of a chain has none. */
export const intervals = (points: readonly BlockPoint[], first: number): readonly BlockPoint[] =>
  points.filter(({ height }) => height > first);

/** `5 s`, `0.25 s`, `1 min 5 s`. */
export const secondsText = (seconds: number): string =>
  seconds < 60 ? `${Number(seconds.toFixed(2))} s` : duration(seconds);
