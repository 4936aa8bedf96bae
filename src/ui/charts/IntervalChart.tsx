import { useMemo } from "react";
import { count } from "../widgets/format.ts";
import { amounts } from "./axis.ts";
import {
  type BlockPoint,
  blockPoints,
  type Extent,
  extentOf,
  intervals,
  secondsText,
} from "./block-series.ts";
import type { BlockWindowStore } from "./block-window.ts";
import { ChartCard } from "./ChartCard.tsx";
import { HeightChart, type Series } from "./HeightChart.tsx";
import { useTurn } from "./use-turn.ts";

const TITLE = "Block interval";
const SERIES: readonly Series<BlockPoint>[] = [
  { name: "after", color: "var(--series-0)", of: ({ seconds }) => seconds },
];

/** How long each block took after the one below. */
export function IntervalChart({ shown }: { shown: BlockWindowStore }) {
  const answer = useTurn(() => shown.getState().answer);
  const points = useMemo(() => intervals(blockPoints(answer), answer?.first ?? 0), [answer]);
  const extent = extentOf(points, ({ seconds }) => seconds);
  const greatest = extent?.extreme.seconds ?? 0;
  const axis = useMemo(() => amounts(greatest, secondsText), [greatest]);
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
      chart={(size) => (
        <HeightChart
          {...{ title: TITLE, size, points, axis, series: SERIES }}
          shape="line"
          shown={secondsText}
        />
      )}
    />
  );
}

function summary({ mean, extreme: { seconds, height } }: Extent): string {
  if (seconds - mean < 0.005) {
    return `Every block shown came ${secondsText(seconds)} after the one below.`;
  }
  return `${secondsText(mean)} on average; the longest ${secondsText(seconds)}, at block ${count(height)}.`;
}
