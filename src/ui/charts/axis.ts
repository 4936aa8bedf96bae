import type { ReactNode } from "react";
import { compact, count } from "../widgets/format.ts";
import { Tick } from "./Tick.tsx";

/**
 * Style of axes and tooltips in every chart. Every tick is drawn: measuring labels causes a layout
 * of the page for each.
 */
export const AXIS = { stroke: "var(--line)", tick: Tick, tickLine: false, interval: 0 } as const;

/** Grid lines at the ticks of the vertical axis only. */
export const GRID = {
  stroke: "var(--line)",
  vertical: false,
  verticalCoordinatesGenerator: () => [],
};

export const MARGIN = { top: 8, right: 8, bottom: 0, left: 0 };

/** Style of a chart's single line; a single point is drawn as a dot. */
export const lineOf = ({ length }: readonly AtHeight[]) => ({
  stroke: "var(--series-0)",
  strokeWidth: 2,
  dot: length < 2,
  isAnimationActive: false,
});

export const TOOLTIP = {
  isAnimationActive: false,
  separator: ": ",
  labelFormatter: (height: ReactNode) => `block ${count(Number(height))}`,
  contentStyle: {
    background: "var(--surface)",
    border: "1px solid var(--line)",
    borderRadius: 8,
    padding: "6px 10px",
  },
  itemStyle: { color: "var(--ink)", padding: 0 },
  labelStyle: { color: "var(--soft)" },
} as const;

/** A data point of one height. */
export interface AtHeight {
  readonly height: number;
}

/**
 * An axis of heights, `width` pixels long: integers at even steps, from the first point to the
 * newest.
 */
export function heights(points: readonly AtHeight[], width: number) {
  const first = points[0]?.height ?? 0;
  const last = points.at(-1)?.height ?? 0;
  return {
    type: "number",
    domain: [first, last],
    ticks: ticks(first, last, width),
    tickFormatter: count,
  } as const;
}

/** An axis of amounts from 0 to at least the greatest: integers at even steps. */
export function amounts(greatest: number) {
  const step = roundAbove(Math.max(1, greatest / STEPS));
  const count = Math.max(greatest === 0 ? STEPS : 1, Math.ceil(greatest / step));
  const ticks = Array.from({ length: count + 1 }, (_, i) => i * step);
  return { type: "number", domain: [0, count * step], ticks, tickFormatter: compact } as const;
}

/** An axis of shares in percent, from 0 to 100. */
export const SHARES = {
  type: "number",
  domain: [0, 100],
  ticks: [0, 25, 50, 75, 100],
  tickFormatter: (share: number) => `${share} %`,
} as const;

const STEPS = 4;
const AT_MOST = 6;
/** Width of a mark in pixels: of each digit of its label, and of the gap beside it. */
const DIGIT = 7;
const GAP = 24;

/** Round heights between two others, as many as fit on an axis of `width` pixels. */
export function ticks(first: number, last: number, width: number): number[] {
  const label = count(last).length * DIGIT;
  const room = Math.max(1, Math.min(AT_MOST, width / (label + GAP)));
  const step = roundAbove(Math.max(1, (last - first) / room));
  const begin = Math.ceil(first / step) * step;
  // A label at the very end would be truncated.
  const end = last - ((last - first) * Math.max(0, label / 2 - MARGIN.right)) / Math.max(1, width);
  return Array.from(
    { length: Math.max(0, Math.floor((end - begin) / step) + 1) },
    (_, i) => begin + i * step,
  );
}

/** The least of 1, 2, 5, 10, 20, 50 … that is at least the given number, from 1 on. */
function roundAbove(rough: number): number {
  const size = 10 ** Math.floor(Math.log10(rough));
  return [1, 2, 5, 10].map((each) => each * size).find((each) => each >= rough) ?? rough;
}
