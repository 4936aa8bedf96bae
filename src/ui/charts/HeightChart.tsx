import { type KeyboardEvent, type ReactNode, useMemo, useState } from "react";
import { count } from "../widgets/format.ts";
import { type AtHeight, heightTicks, type ValueAxis } from "./axis.ts";
import css from "./charts.module.css";
import { areaPath, linePath, nearest, type Plot, plotOf, stacked } from "./height-plot.ts";
import type { Size } from "./use-size.ts";

/** What is drawn of each point. */
export interface Series<P> {
  readonly name: string;
  readonly color: string;
  readonly of: (point: P) => number;
}

interface HeightChartProps<P extends AtHeight> {
  title: string;
  size: Size;
  /** In the order of their heights; nothing is drawn without one. */
  points: readonly P[];
  axis: ValueAxis;
  series: readonly Series<P>[];
  /** Straight lines between points, values that hold up to the next, or such values on one another. */
  shape: "line" | "steps" | "stack";
  /** How a person reads a value. */
  shown: (value: number, point: P) => string;
  /** A level to compare with. */
  mark?: Mark;
}

interface Mark {
  readonly at: number;
  readonly label: string;
  readonly color: string;
}

/** A chart over heights. The pointer and the arrow keys read its values. */
export function HeightChart<P extends AtHeight>(props: HeightChartProps<P>) {
  const { title, size, points, axis, series, shown } = props;
  // What is read stays the same block while blocks are added.
  const [read, setRead] = useState<number>();
  const plot = useMemo(() => plotOf(points, axis.domain, size), [points, axis, size]);
  // While only what is read changes, the same picture stands.
  const drawing = useMemo(() => <Drawing {...props} plot={plot} />, [props, plot]);
  if (points.length === 0) return null;
  const found = read === undefined ? -1 : points.findLastIndex(({ height }) => height <= read);
  const point = points[found];
  const lines =
    point?.height === undefined
      ? []
      : series.map((one) => `${one.name}: ${shown(one.of(point), point)}`);
  const onKey = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const next = movedTo(event.key, found, points.length);
    if (next === undefined && event.key !== "Escape") return;
    event.preventDefault();
    setRead(next === undefined ? undefined : points[next]?.height);
  };
  return (
    <div
      className={css.plot}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: keys read it
      tabIndex={0}
      role="application"
      aria-label={`${title}, a chart. Arrow keys read its values.`}
      onPointerMove={({ nativeEvent: { offsetX } }) =>
        setRead(points[nearest(plot, points, offsetX)]?.height)
      }
      onPointerLeave={() => setRead(undefined)}
      onBlur={() => setRead(undefined)}
      onKeyDown={onKey}
    >
      {drawing}
      <p className="hidden" role="status">
        {point && [`block ${count(point.height)}`, ...lines].join(", ")}
      </p>
      {point && (
        <Reading plot={plot} x={plot.x(point.height)} width={size.width}>
          <span className="soft">block {count(point.height)}</span>
          {lines.map((line) => (
            <span key={line}>{line}</span>
          ))}
        </Reading>
      )}
    </div>
  );
}

/** Where a key moves from one point to another; the newest one if none is read. */
function movedTo(key: string, from: number, points: number): number | undefined {
  const moves: Readonly<Record<string, number>> = {
    ArrowLeft: from < 0 ? points - 1 : from - 1,
    ArrowRight: from < 0 ? points - 1 : from + 1,
    Home: 0,
    End: points - 1,
  };
  const to = moves[key];
  return to === undefined ? undefined : Math.max(0, Math.min(to, points - 1));
}

interface ReadingProps {
  plot: Plot;
  x: number;
  width: number;
  children: ReactNode;
}

/** A line at a height and what is read there, on the side with more room. */
function Reading({ plot, x, width, children }: ReadingProps) {
  const inset = x < width / 2 ? { left: x + 10 } : { right: width - x + 10 };
  return (
    <>
      <i
        className={css.cursor}
        style={{ left: x, top: plot.top, height: plot.bottom - plot.top }}
      />
      <p
        className={`${css.tip} ${css.lines}`}
        style={{ ...inset, top: plot.top }}
        aria-hidden="true"
      >
        {children}
      </p>
    </>
  );
}

function Drawing<P extends AtHeight>(props: HeightChartProps<P> & { plot: Plot }) {
  const { size, points, axis, series, shape, mark, plot } = props;
  const { left, right, top, bottom } = plot;
  return (
    <svg {...size} className={css.drawing} data-part="chart" aria-hidden="true">
      {axis.ticks.map((value) => (
        <g key={value}>
          <line x1={left} x2={right} y1={plot.y(value)} y2={plot.y(value)} stroke="var(--line)" />
          <text x={left - 8} y={plot.y(value)} dy="0.355em" textAnchor="end" fill="var(--soft)">
            {axis.label(value)}
          </text>
        </g>
      ))}
      {heightTicks(points, right - left).map((height) => (
        <text
          key={height}
          x={plot.x(height)}
          y={bottom + 8}
          dy="0.71em"
          textAnchor="middle"
          fill="var(--soft)"
        >
          {count(height)}
        </text>
      ))}
      <line x1={left} x2={left} y1={top} y2={bottom} stroke="var(--line)" />
      <Curves {...{ plot, points, series, shape }} />
      {mark && (
        <g>
          <line
            x1={left}
            x2={right}
            y1={plot.y(mark.at)}
            y2={plot.y(mark.at)}
            stroke={mark.color}
            strokeDasharray="4 4"
          />
          <text x={left + 6} y={plot.y(mark.at) + 5} dy="0.71em" fill={mark.color}>
            {mark.label}
          </text>
        </g>
      )}
    </svg>
  );
}

type CurvesProps<P extends AtHeight> = Pick<HeightChartProps<P>, "points" | "series" | "shape"> & {
  plot: Plot;
};

function Curves<P extends AtHeight>({ plot, points, series, shape }: CurvesProps<P>) {
  const values = series.map(({ of }) => points.map(of));
  const edges = shape === "stack" ? stacked(values) : values;
  return edges.map((values, i) => {
    const { name, color } = series[i] as Series<P>;
    const edge = { points, values, steps: shape !== "line" };
    return (
      <g key={name} stroke={color}>
        {shape === "stack" && (
          <path
            d={areaPath(plot, edge, edges[i - 1])}
            fill={color}
            fillOpacity="0.28"
            stroke="none"
          />
        )}
        <path
          d={linePath(plot, edge)}
          fill="none"
          strokeWidth={shape === "stack" ? 1 : 2}
          strokeLinejoin="round"
        />
        {points.length === 1 && (
          <circle
            cx={plot.x(points[0]?.height ?? 0)}
            cy={plot.y(values[0] ?? 0)}
            r="3"
            fill={color}
          />
        )}
      </g>
    );
  });
}
