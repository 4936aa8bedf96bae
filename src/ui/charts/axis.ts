import { compact, count } from "../widgets/format.ts";

/** Room around a chart. */
export const MARGIN = { top: 8, right: 8, bottom: 0, left: 0 };

/** What a chart shows of one height. */
export interface AtHeight {
  readonly height: number;
}

/** A vertical axis. */
export interface ValueAxis {
  readonly domain: readonly [least: number, most: number];
  readonly ticks: readonly number[];
  readonly label: (value: number) => string;
}

/** Heights to mark on an axis `width` pixels long: round ones at even steps. */
export const heightTicks = (points: readonly AtHeight[], width: number): readonly number[] =>
  ticks(points[0]?.height ?? 0, points.at(-1)?.height ?? 0, width);

/** An axis of amounts from 0 to one that is not below the greatest: whole numbers at even steps. */
export function amounts(greatest: number, label: ValueAxis["label"] = compact): ValueAxis {
  const step = roundAbove(Math.max(1, greatest / STEPS));
  const count = Math.max(greatest === 0 ? STEPS : 1, Math.ceil(greatest / step));
  const ticks = Array.from({ length: count + 1 }, (_, i) => i * step);
  return { domain: [0, count * step], ticks, label };
}

/** An axis of shares of a whole, in percent, from 0 to all of it. */
export const SHARES: ValueAxis = {
  domain: [0, 100],
  ticks: [0, 25, 50, 75, 100],
  label: (share) => `${share} %`,
};

const STEPS = 4;
const AT_MOST = 6;
/** Room that a mark needs, in pixels: for each digit of its label, and for the gap beside it. */
const DIGIT = 7;
const GAP = 24;

/** Round heights between two others, as many as have room on an axis of `width` pixels. */
export function ticks(first: number, last: number, width: number): number[] {
  const label = count(last).length * DIGIT;
  const room = Math.max(1, Math.min(AT_MOST, width / (label + GAP)));
  const step = roundAbove(Math.max(1, (last - first) / room));
  const begin = Math.ceil(first / step) * step;
  // A label at the very end would be cut off.
  const end = last - ((last - first) * Math.max(0, label / 2 - MARGIN.right)) / Math.max(1, width);
  return Array.from(
    { length: Math.max(0, Math.floor((end - begin) / step) + 1) },
    (_, i) => begin + i * step,
  );
}

/** The least of 1, 2, 5, 10, 20, 50 … that is not below a number from 1 on. */
function roundAbove(rough: number): number {
  const size = 10 ** Math.floor(Math.log10(rough));
  return [1, 2, 5, 10].map((each) => each * size).find((each) => each >= rough) ?? rough;
}
