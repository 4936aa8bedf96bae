import { useMemo } from "react";
import { Line } from "recharts";
import { amount, count } from "../widgets/format.ts";
import { amounts } from "./axis.ts";
import { ChartCard } from "./ChartCard.tsx";
import { HeightChart } from "./HeightChart.tsx";
import { useParts } from "./use-parts.ts";
import { useSamples } from "./use-turn.ts";

const TITLE = "Stake burned by slashing";

interface BurnedChartProps {
  /** All that was burned up to the height that is shown, smallest unit. */
  burned: string;
  denom: string;
  /** The height that is shown, where that is not the newest. */
  past: number | undefined;
}

export function BurnedChart({ burned, denom, past }: BurnedChartProps) {
  const samples = useSamples();
  const points = useMemo(
    () => samples.map(({ height, burned }) => ({ height, burned: Number(burned) })),
    [samples],
  );
  const greatest = Math.max(0, ...points.map(({ burned }) => burned));
  const axis = useMemo(() => amounts(greatest), [greatest]);
  const drawn = useParts(samples.length > 0 ? 1 : 0);
  return (
    <ChartCard
      title={TITLE}
      summary={
        burned === "0" || burned === ""
          ? `Nothing ${past === undefined ? "has been burned on this chain" : `was burned up to block ${count(past)}`}.`
          : `${amount(burned)} ${denom} ${past === undefined ? "in all" : `up to block ${count(past)}`}.`
      }
      table={{
        columns: [
          { title: "Height", show: (height) => count(Number(height)) },
          { title: `Burned, ${denom}`, show: (burned) => amount(String(burned)) },
        ],
        rows: () => samples.map((sample) => [sample.height, sample.burned]),
        lastFirst: true,
      }}
      chart={(size) => (
        <HeightChart
          {...{ title: TITLE, size, points, axis }}
          tip={(burned) => `${count(burned)} ${denom}`}
        >
          {drawn > 0 && (
            <Line
              dataKey="burned"
              type="stepAfter"
              stroke="var(--bad)"
              strokeWidth={2}
              dot={false}
              isAnimationActive={false}
            />
          )}
        </HeightChart>
      )}
    />
  );
}
