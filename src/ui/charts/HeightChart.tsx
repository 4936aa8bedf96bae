import type { ComponentProps, ReactNode } from "react";
import { CartesianGrid, ComposedChart, ReferenceLine, Tooltip, XAxis, YAxis } from "recharts";
import { type AtHeight, AXIS, GRID, heights, MARGIN, TOOLTIP } from "./axis.ts";
import { PastMark } from "./PastMark.tsx";
import type { Size } from "./use-size.ts";

/** Width of the vertical axis. */
const LABELS = 52;

interface HeightChartProps<P extends AtHeight> {
  title: string;
  size: Size;
  /** In the order of their heights; nothing is drawn without one. */
  points: readonly P[];
  /** The vertical axis, e.g. `amounts(9)`. */
  axis: Partial<ComponentProps<typeof YAxis>>;
  /** The tooltip's text of a value: it alone, or it and what it is of. */
  tip: (value: number, point: P) => string | [value: string, name: string];
  /** A level to compare with. */
  mark?: { readonly at: number; readonly label: string; readonly color: string };
  /** The lines or areas. */
  children: ReactNode;
}

/** The frame of a chart over heights: grid, axes, tooltip and mark around its lines or areas. */
export function HeightChart<P extends AtHeight>(props: HeightChartProps<P>) {
  const { title, size, points, axis, tip, mark, children } = props;
  if (points.length === 0) return null;
  return (
    <ComposedChart {...size} data={[...points]} margin={MARGIN} aria-label={title}>
      <CartesianGrid {...GRID} />
      <XAxis dataKey="height" {...AXIS} {...heights(points, size.width - LABELS)} />
      <YAxis {...AXIS} {...axis} width={LABELS} />
      <Tooltip
        {...TOOLTIP}
        formatter={(value, _, { payload }) => tip(Number(value), payload as P)}
      />
      {children}
      {mark && (
        <ReferenceLine
          y={mark.at}
          stroke={mark.color}
          strokeDasharray="4 4"
          label={{ value: mark.label, position: "insideTopLeft", fill: mark.color }}
        />
      )}
      <PastMark />
    </ComposedChart>
  );
}
