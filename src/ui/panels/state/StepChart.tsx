import { Pictured } from "../../pictures/Pictured.tsx";
import { compact, count, grouped } from "../../widgets/format.ts";
import css from "./StepChart.module.css";

interface Point {
  readonly height: number;
  readonly value: number;
}

interface StepChartProps {
  title: string;
  /** Ordered by height, at least two. */
  points: readonly Point[];
  /** The height up to which the last value applies. */
  last: number;
}

const WIDTH = 400;
const TALL = 90;

/** A number over heights as a step line, from the first known change to the shown height. */
export function StepChart({ title, points, last }: StepChartProps) {
  const from = points[0]?.height ?? 0;
  const values = points.map(({ value }) => value);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const x = (height: number): number => ((height - from) / Math.max(last - from, 1)) * WIDTH;
  const y = (value: number): number => TALL - ((value - least) / (most - least || 1)) * TALL;
  const steps = points.map(({ height, value }, i) => {
    const at = `${x(height).toFixed(1)}`;
    return i === 0 ? `M${at} ${y(value)}` : `H${at}V${y(value)}`;
  });
  const newest = points.at(-1)?.value ?? 0;
  return (
    <Pictured title={`${title} by height`}>
      <figure className={css.chart}>
        <figcaption className="small soft">
          {title}: {grouped(String(values[0]))} to {grouped(String(newest))}
        </figcaption>
        <div className={css.plot}>
          <span className={css.most}>{compact(most)}</span>
          <span className={css.least}>{compact(least)}</span>
          <svg
            viewBox={`0 -2 ${WIDTH} ${TALL + 4}`}
            preserveAspectRatio="none"
            role="img"
            aria-label={`${title} from block ${count(from)} to ${count(last)}`}
          >
            <path d={`M0 ${TALL}H${WIDTH}M0 0H${WIDTH}`} className={css.grid} />
            <path d={`${steps.join("")}H${WIDTH}`} className={css.line} />
          </svg>
          <span className={css.from}>{count(from)}</span>
          <span className={css.to}>{count(last)}</span>
        </div>
      </figure>
    </Pictured>
  );
}
