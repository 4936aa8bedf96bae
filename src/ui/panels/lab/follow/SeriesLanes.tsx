import { type CSSProperties, useMemo } from "react";
import { Line } from "recharts";
import { AXIS, amounts } from "../../../charts/axis.ts";
import { HeightChart, LABELS } from "../../../charts/HeightChart.tsx";
import type { SeriesOfRun } from "../../../store/types.ts";
import { compact, count, grouped, plural } from "../../../widgets/format.ts";
import css from "./follow.module.css";
import type { BandLane, Lanes, LineLane } from "./series-lanes.ts";
import { valuesOf } from "./series-lanes.ts";

const LINES = 170;
const BANDS = 58;

/** Total height of all lanes, in pixels. */
export const lanesHeight = ({ lines, bands }: Lanes): number =>
  lines.length * LINES + bands.length * BANDS;

interface SeriesLanesProps {
  answer: SeriesOfRun;
  lanes: Lanes;
  width: number;
  onHeight: (height: number) => void;
  /** True if the run is the world on screen. */
  isHere: boolean;
}

/** Numbers as lines and text as bands, one below the other over the same heights. */
export function SeriesLanes({ answer, lanes, width, onHeight, isHere }: SeriesLanesProps) {
  const exact = useMemo(() => exactOf(answer, lanes), [answer, lanes]);
  return (
    <>
      {lanes.lines.map((lane) => (
        <Lines key={lane.lines[0]?.key} {...{ lane, width, onHeight, isHere, exact }} />
      ))}
      {lanes.bands.map((lane) => (
        <Bands key={lane.expression} lane={lane} onHeight={onHeight} />
      ))}
    </>
  );
}

/**
 * The exact text of a number by the key of its line and its height: the chart's numbers lose digits
 * of large amounts.
 */
function exactOf({ heights, series }: SeriesOfRun, { lines }: Lanes) {
  const known = new Map(
    lines.flatMap((lane) =>
      lane.lines.map(({ key, expression }) => {
        const one = series.find((each) => each.expression === expression);
        const values = one ? valuesOf(one, heights) : [];
        return [key, new Map(heights.map((height, i) => [height, values[i]]))] as const;
      }),
    ),
  );
  return (key: string, height: number): string => grouped(known.get(key)?.get(height) ?? "");
}

interface LinesProps extends Omit<SeriesLanesProps, "answer" | "lanes"> {
  lane: LineLane;
  exact: (key: string, height: number) => string;
}

function Lines({ lane, width, onHeight, isHere, exact }: LinesProps) {
  const { lines, rows, least, greatest } = lane;
  return (
    <HeightChart
      title={lines.map(({ expression }) => expression).join(", ")}
      size={{ width, height: LINES }}
      points={rows}
      axis={least < 0 || greatest < 1 ? FREE : amounts(greatest)}
      tip={(_, { height }, key) => exact(key, height)}
      onHeight={onHeight}
      together="series"
      ofWorld={isHere}
    >
      {lines.map(({ key, expression, color }) => (
        <Line
          key={key}
          dataKey={key}
          name={expression}
          type="step"
          stroke={color}
          strokeWidth={2}
          dot={rows.length < 2}
          isAnimationActive={false}
        />
      ))}
    </HeightChart>
  );
}

/** An axis for numbers below 0, or between two integers. */
const FREE = { type: "number", tickFormatter: compact, interval: AXIS.interval } as const;

interface BandsProps {
  lane: BandLane;
  onHeight: (height: number) => void;
}

function Bands({ lane: { expression, bands, count: all }, onHeight }: BandsProps) {
  return (
    <div className={css.lane} style={{ "--from": `${LABELS}px` } as CSSProperties}>
      <p className={`small ${css.of}`}>{expression}</p>
      {bands.length === 0 ? (
        <p className="small soft">{plural(all, "value")} in turn: the table has them.</p>
      ) : (
        <ol className={css.bands} aria-label={expression}>
          {bands.map(({ from, to, value, kind, start, end }) => {
            const where =
              from === to ? `Block ${count(from)}` : `Blocks ${count(from)} to ${count(to)}`;
            return (
              <li
                key={from}
                style={
                  {
                    left: `${100 * start}%`,
                    width: `${100 * (end - start)}%`,
                    "--tone": TONES[value] ?? `var(--series-${kind % 8})`,
                  } as CSSProperties
                }
              >
                <button
                  type="button"
                  aria-label={`${where}: ${value}`}
                  title={`${where}: ${value}`}
                  onClick={() => onHeight(from)}
                >
                  {value}
                </button>
              </li>
            );
          })}
        </ol>
      )}
    </div>
  );
}

/** Colours of words that are used all over the page. */
const TONES: Readonly<Record<string, string>> = {
  running: "var(--ok)",
  "running, halted": "var(--warn)",
  halted: "var(--warn)",
  stopped: "var(--off)",
  exited: "var(--off)",
};
