import type { ReactNode } from "react";
import type { Sample } from "../store/types.ts";
import { count } from "../widgets/format.ts";
import { Tick } from "./Tick.tsx";

/** How axes and tooltips of every chart look. Every tick is drawn: to measure labels lays the page out for each of them. */
export const AXIS = { stroke: "var(--line)", tick: Tick, tickLine: false, interval: 0 } as const;

/** Lines across the chart at the ticks of the vertical axis, none at those of the horizontal one. */
export const GRID = {
  stroke: "var(--line)",
  vertical: false,
  verticalCoordinatesGenerator: () => [],
};

export const MARGIN = { top: 8, right: 8, bottom: 0, left: 0 };

export const TOOLTIP = {
  isAnimationActive: false,
  labelFormatter: (height: ReactNode) => `height ${height}`,
  contentStyle: {
    background: "var(--surface)",
    border: "1px solid var(--line)",
    borderRadius: 8,
    padding: "6px 10px",
  },
  itemStyle: { color: "var(--ink)", padding: 0 },
  labelStyle: { color: "var(--soft)" },
} as const;

/** An axis of heights, `width` pixels long: whole numbers at even steps, from the first sample to the newest. */
export function heights(samples: readonly Sample[], width: number) {
  const first = samples[0]?.height ?? 0;
  const last = samples.at(-1)?.height ?? 0;
  return {
    type: "number",
    domain: [first, last],
    ticks: ticks(first, last, width),
    tickFormatter: count,
  } as const;
}

const AT_MOST = 6;
/** Room that a mark needs, in pixels: for each digit of its label, and for the gap beside it. */
const DIGIT = 7;
const GAP = 24;

/** Round heights between two others, as many as have room on an axis of `width` pixels. */
export function ticks(first: number, last: number, width: number): number[] {
  const room = Math.max(1, Math.min(AT_MOST, width / (count(last).length * DIGIT + GAP)));
  const rough = Math.max(1, (last - first) / room);
  const size = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((each) => each * size).find((each) => each >= rough) ?? rough;
  const begin = Math.ceil(first / step) * step;
  return Array.from({ length: Math.floor((last - begin) / step) + 1 }, (_, i) => begin + i * step);
}
