/** Layout of the series of a run, one below the other: numbers as lines, text as bands. */
import type { SeriesOfRun } from "../../../store/types.ts";

export interface LineOfLane {
  /** Key of its values in a row. */
  readonly key: string;
  readonly expression: string;
  readonly color: string;
}

/** Numbers that share an axis. */
export interface LineLane {
  readonly lines: readonly LineOfLane[];
  readonly rows: readonly LaneRow[];
  readonly least: number;
  readonly greatest: number;
}

export type LaneRow = { readonly height: number } & Readonly<Record<string, number | null>>;

/** Text values of an expression over heights. */
export interface BandLane {
  readonly expression: string;
  readonly bands: readonly Band[];
  /** Total number of bands; above a limit none is drawn. */
  readonly count: number;
}

export interface Band {
  readonly from: number;
  readonly to: number;
  readonly value: string;
  /** Index of its value in the order of first appearance, from 0. */
  readonly kind: number;
  /** Position between the first and the last height, from 0 to 1. */
  readonly start: number;
  readonly end: number;
}

export interface Lanes {
  readonly lines: readonly LineLane[];
  readonly bands: readonly BandLane[];
}

type Series = Pick<SeriesOfRun, "heights" | "series">;

/** Maximum number of bands of one expression. */
const DRAWN = 200;
/** Maximum ratio between the ranges of series that share an axis. */
const RATIO = 100;

/** The value at each of the heights; undefined if there is none. */
export function valuesOf(
  { steps }: SeriesOfRun["series"][number],
  heights: readonly number[],
): readonly (string | undefined)[] {
  let at = -1;
  return heights.map((height) => {
    while ((steps[at + 1]?.height ?? Number.POSITIVE_INFINITY) <= height) at += 1;
    return steps[at]?.value;
  });
}

/** Returns the lanes of an answer, without expressions that have no value. */
export function lanesOf({ heights, series }: Series): Lanes {
  const there = series.filter(({ missing }) => missing === "");
  const numbers = there.filter((one) => one.numbers);
  const lines = numbers.map((one, i) => {
    const values = valuesOf(one, heights).map((value) =>
      value === undefined ? null : Number(value),
    );
    const known = values.filter((value) => value !== null);
    return {
      ...{ key: `s${i}`, expression: one.expression, color: `var(--series-${i % 8})`, values },
      least: Math.min(0, ...extremes(known)),
      greatest: Math.max(0, ...extremes(known)),
    };
  });
  return {
    lines: onAxes(lines).map((some) => ({
      lines: some.map(({ key, expression, color }) => ({ key, expression, color })),
      rows: heights.map((height, at) => ({
        height,
        ...Object.fromEntries(some.map(({ key, values }) => [key, values[at] ?? null])),
      })),
      least: Math.min(...some.map(({ least }) => least)),
      greatest: Math.max(...some.map(({ greatest }) => greatest)),
    })),
    bands: there.filter((one) => !one.numbers).map((one) => bandLane(one, heights)),
  };
}

/** The minimum and maximum of any number of values. */
function extremes(values: readonly number[]): readonly number[] {
  let [least, greatest] = [0, 0];
  for (const value of values)
    [least, greatest] = [Math.min(least, value), Math.max(greatest, value)];
  return [least, greatest];
}

interface Sized {
  readonly least: number;
  readonly greatest: number;
}

/**
 * Lines that can share an axis, in their order: beside far greater numbers a small one would be
 * invisible.
 */
function onAxes<L extends Sized>(lines: readonly L[]): readonly (readonly L[])[] {
  const axes: L[][] = [];
  const sizeOf = ({ least, greatest }: Sized): number => Math.max(-least, greatest);
  for (const line of lines) {
    const axis = axes.find((some) => {
      const sizes = [...some, line].map(sizeOf);
      return Math.max(...sizes) <= RATIO * Math.min(...sizes);
    });
    if (axis) axis.push(line);
    else axes.push([line]);
  }
  return axes;
}

function bandLane(one: SeriesOfRun["series"][number], heights: readonly number[]): BandLane {
  const { expression, steps } = one;
  if (steps.length > DRAWN) return { expression, bands: [], count: steps.length };
  const first = heights[0] ?? 0;
  const last = heights.at(-1) ?? 0;
  const kinds = [...new Set(steps.flatMap(({ value }) => value ?? []))];
  const whole = Math.max(1, last - first);
  // Each height is in the middle of its interval, so that a value of only the last one is visible
  // too.
  const between = (height: number): number => Math.min(1, Math.max(0, (height - first) / whole));
  const bands = steps.flatMap(({ height, value }, i): Band[] => {
    if (value === undefined) return [];
    const next = steps[i + 1]?.height;
    const to = next === undefined ? last : (heights[heights.indexOf(next) - 1] ?? height);
    const [start, end] =
      first === last ? [0, 1] : [between(half(heights, height, -1)), between(half(heights, to, 1))];
    return [{ from: height, to, value, kind: kinds.indexOf(value), start, end }];
  });
  return { expression, bands, count: steps.length };
}

/** Half the distance from a height to the next requested one. */
function half(heights: readonly number[], height: number, by: -1 | 1): number {
  const beside = heights[heights.indexOf(height) + by] ?? height;
  return (height + beside) / 2;
}
