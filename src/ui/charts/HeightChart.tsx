import { type ComponentProps, type KeyboardEvent, type ReactNode, useMemo, useRef } from "react";
import {
  CartesianGrid,
  ComposedChart,
  ReferenceLine,
  Tooltip,
  useActiveTooltipLabel,
  XAxis,
  YAxis,
} from "recharts";
import type { Size } from "../widgets/use-size.ts";
import { type AtHeight, AXIS, GRID, heights, MARGIN, TOOLTIP } from "./axis.ts";
import { HistoryMark } from "./HistoryMark.tsx";
import { useParts } from "./use-turn.ts";

/** Width of the vertical axis. */
export const LABELS = 52;

interface HeightChartProps<P extends AtHeight> {
  title: string;
  size: Size;
  /** Ordered by height; nothing is drawn for an empty list. */
  points: readonly P[];
  /** The vertical axis, e.g. `amounts(9)`. */
  axis: Partial<ComponentProps<typeof YAxis>>;
  /** The tooltip's text of a value, by its key: only the value, or value and label. */
  tip: (value: number, point: P, key: string) => string | [value: string, name: string];
  /** A level to compare with. */
  mark?: { readonly at: number; readonly label: string; readonly color: string };
  /** Called with a height that is pressed, or selected with the arrow keys and Enter. */
  onHeight?: ((height: number) => void) | undefined;
  /** Charts with the same name show the same height. */
  together?: string;
  /** True if the height shown on screen is one of the chart's. */
  ofWorld?: boolean;
  /** The lines or areas. */
  children: ReactNode;
}

/** Its parts after grid and axes: the data, then its annotations. */
const PARTS = { content: 1, marks: 2 } as const;

/** The frame of a chart over heights: grid, axes, tooltip and mark around its lines or areas. */
export function HeightChart<P extends AtHeight>(props: HeightChartProps<P>) {
  const { title, size, points, axis, tip, mark, onHeight, together, ofWorld = true } = props;
  // The library recomputes the whole chart for new data or new axis settings.
  const data = useMemo(() => [...points], [points]);
  const across = useMemo(() => heights(points, size.width - LABELS), [points, size.width]);
  const parts = useParts(points.length === 0 ? 0 : PARTS.marks);
  if (points.length === 0) return null;
  const isWhole = parts >= PARTS.marks;
  const chart = (
    <ComposedChart
      {...size}
      data={data}
      margin={MARGIN}
      aria-label={title}
      {...(together !== undefined && { syncId: together, syncMethod: "value" })}
      {...(onHeight && {
        style: { cursor: "pointer" },
        onClick: ({ activeLabel }) => activeLabel !== undefined && onHeight(Number(activeLabel)),
      })}
    >
      <CartesianGrid {...GRID} />
      <XAxis dataKey="height" {...AXIS} {...across} />
      <YAxis {...AXIS} {...axis} width={LABELS} />
      {isWhole && (
        <Tooltip
          {...TOOLTIP}
          formatter={(value, _, { payload, dataKey }) =>
            tip(Number(value), payload as P, String(dataKey))
          }
        />
      )}
      {parts >= PARTS.content && props.children}
      {isWhole && mark && (
        <ReferenceLine
          y={mark.at}
          stroke={mark.color}
          strokeDasharray="4 4"
          label={{ value: mark.label, position: "insideTopLeft", fill: mark.color }}
        />
      )}
      {isWhole && ofWorld && <HistoryMark />}
      {isWhole && onHeight && <ActiveHeight />}
    </ComposedChart>
  );
  return onHeight ? <Entered onHeight={onHeight}>{chart}</Entered> : chart;
}

const ACTIVE = "data-height";

/** Reports the height of the tooltip. */
function ActiveHeight() {
  const height = useActiveTooltipLabel();
  return height === undefined ? null : <g {...{ [ACTIVE]: height }} />;
}

/** Calls a function with the height of the chart's tooltip when Enter is pressed. */
function Entered({
  onHeight,
  children,
}: {
  onHeight: (height: number) => void;
  children: ReactNode;
}) {
  const place = useRef<HTMLDivElement>(null);
  const onEnter = (event: KeyboardEvent): void => {
    const active = place.current?.querySelector(`[${ACTIVE}]`);
    if (event.key !== "Enter" || !active) return;
    // The library would hide the tooltip.
    event.stopPropagation();
    onHeight(Number(active.getAttribute(ACTIVE)));
  };
  return (
    <div ref={place} onKeyDownCapture={onEnter}>
      {children}
    </div>
  );
}
