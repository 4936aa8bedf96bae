import { useCallback, useMemo } from "react";
import { Line } from "recharts";
import { count } from "../widgets/format.ts";
import type { Size } from "../widgets/use-size.ts";
import { amounts, lineOf } from "./axis.ts";
import { blockPoints, type Extent, extentOf, intervals, secondsText } from "./block-series.ts";
import type { BlockWindowStore } from "./block-window.ts";
import { ChartCard } from "./ChartCard.tsx";
import { HeightChart } from "./HeightChart.tsx";
import { useTurn } from "./use-turn.ts";

const TITLE = "Block interval";

/** Time of each block since the previous one. */
export function IntervalChart({ shown }: { shown: BlockWindowStore }) {
  const answer = useTurn(() => shown.getState().answer);
  const points = useMemo(() => intervals(blockPoints(answer), answer?.first ?? 0), [answer]);
  const extent = extentOf(points, ({ seconds }) => seconds);
  const greatest = extent?.extreme.seconds ?? 0;
  const chart = useCallback(
    (size: Size) => (
      <HeightChart
        {...{ title: TITLE, size, points }}
        axis={{ ...amounts(greatest), tickFormatter: secondsText }}
        tip={(seconds) => [secondsText(seconds), "after"]}
      >
        <Line dataKey="seconds" type="linear" {...lineOf(points)} />
      </HeightChart>
    ),
    [points, greatest],
  );
  return (
    <ChartCard
      title={TITLE}
      summary={extent ? summary(extent) : "Appears with the second block."}
      table={{
        columns: [
          { title: "Height", show: (height) => count(Number(height)) },
          { title: "Seconds", show: (value) => secondsText(Number(value)) },
          { title: "Rounds", show: String },
        ],
        rows: () => points.map(({ height, seconds, rounds }) => [height, seconds, rounds]),
        lastFirst: true,
      }}
      chart={chart}
    />
  );
}

function summary({ mean, extreme: { seconds, height } }: Extent): string {
  if (seconds - mean < 0.005) {
    return `Every block shown came ${secondsText(seconds)} after the one below.`;
  }
  return `${secondsText(mean)} on average; the longest ${secondsText(seconds)}, at block ${count(height)}.`;
}
