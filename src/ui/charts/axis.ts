import type { Sample } from "../store/types.ts";
import { count } from "../widgets/format.ts";

/** How axes and tooltips of every chart look. */
export const AXIS = {
  stroke: "var(--line)",
  tick: { fill: "var(--soft)", fontSize: 12 },
  tickLine: false,
} as const;

export const TOOLTIP = {
  isAnimationActive: false,
  contentStyle: {
    background: "var(--surface)",
    border: "1px solid var(--line)",
    borderRadius: 8,
    padding: "6px 10px",
  },
  itemStyle: { color: "var(--ink)", padding: 0 },
  labelStyle: { color: "var(--soft)" },
} as const;

/** An axis of heights: whole numbers at even steps, from the first sample to the newest. */
export function heights(samples: readonly Sample[]) {
  const first = samples[0]?.height ?? 0;
  const last = samples.at(-1)?.height ?? 0;
  return {
    type: "number",
    domain: [first, last],
    ticks: ticks(first, last),
    minTickGap: 40,
    tickFormatter: count,
  } as const;
}

const AT_MOST = 6;

/** Round heights between two others. */
export function ticks(first: number, last: number): number[] {
  const rough = Math.max(1, (last - first) / AT_MOST);
  const size = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((each) => each * size).find((each) => each >= rough) ?? rough;
  const begin = Math.ceil(first / step) * step;
  return Array.from({ length: Math.floor((last - begin) / step) + 1 }, (_, i) => begin + i * step);
}
