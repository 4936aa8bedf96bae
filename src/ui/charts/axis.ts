/** How axes and tooltips of every chart look. */
export const AXIS = {
  stroke: "var(--line)",
  tick: { fill: "var(--soft)", fontSize: 12 },
  tickLine: false,
  minTickGap: 40,
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
