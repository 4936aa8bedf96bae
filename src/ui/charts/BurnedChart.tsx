import { useCallback, useMemo } from "react";
import { Line } from "recharts";
import { useFrameState } from "../store/page.ts";
import { amount, count } from "../widgets/format.ts";
import type { Size } from "../widgets/use-size.ts";
import { amounts } from "./axis.ts";
import { ChartCard } from "./ChartCard.tsx";
import { HeightChart } from "./HeightChart.tsx";
import { partOf, partText } from "./series.ts";
import { useSamples } from "./use-turn.ts";

const TITLE = "Stake burned by slashing";

export function BurnedChart() {
  // Total burned up to the shown height, in the smallest unit.
  const burned = useFrameState(({ frame }) => frame?.chain?.burned ?? "0");
  const denom = useFrameState(({ frame }) => frame?.chain?.denom ?? "");
  const past = useFrameState(({ travel }) => travel?.height);
  const samples = useSamples();
  const points = useMemo(
    () => samples.map(({ height, burned }) => ({ height, burned: Number(burned) })),
    [samples],
  );
  const greatest = Math.max(0, ...points.map(({ burned }) => burned));
  const chart = useCallback(
    (size: Size) => (
      <HeightChart
        {...{ title: TITLE, size, points, axis: amounts(greatest) }}
        tip={(burned) => `${count(burned)} ${denom}`}
      >
        <Line
          dataKey="burned"
          type="stepAfter"
          stroke="var(--bad)"
          strokeWidth={2}
          dot={false}
          isAnimationActive={false}
        />
      </HeightChart>
    ),
    [points, greatest, denom],
  );
  return (
    <ChartCard
      title={TITLE}
      summary={
        burned === "0" || burned === ""
          ? `Slashing ${past === undefined ? "has burned nothing on this chain" : `burned nothing up to block ${count(past)}`}.`
          : `${amount(burned)} ${denom} ${past === undefined ? "in all" : `up to block ${count(past)}`}.${partText(samples)}`
      }
      table={{
        columns: [
          { title: "Height", show: (height) => count(Number(height)) },
          { title: `Burned, ${denom}`, show: (burned) => amount(String(burned)) },
        ],
        rows: () => samples.map((sample) => [sample.height, sample.burned]),
        lastFirst: true,
        part: partOf(samples),
      }}
      chart={chart}
    />
  );
}
