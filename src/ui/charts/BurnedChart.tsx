import { useMemo } from "react";
import { amount, count } from "../widgets/format.ts";
import { type AtHeight, amounts } from "./axis.ts";
import { ChartCard } from "./ChartCard.tsx";
import { HeightChart, type Series } from "./HeightChart.tsx";
import { useSamples } from "./use-turn.ts";

const TITLE = "Stake burned by slashing";
const SERIES: readonly Series<AtHeight & { readonly burned: number }>[] = [
  { name: "burned", color: "var(--bad)", of: ({ burned }) => burned },
];

interface BurnedChartProps {
  /** All that was ever burned, smallest unit. */
  burned: string;
  denom: string;
}

export function BurnedChart({ burned, denom }: BurnedChartProps) {
  const samples = useSamples();
  const points = useMemo(
    () => samples.map(({ height, burned }) => ({ height, burned: Number(burned) })),
    [samples],
  );
  const greatest = Math.max(0, ...points.map(({ burned }) => burned));
  const axis = useMemo(() => amounts(greatest), [greatest]);
  return (
    <ChartCard
      title={TITLE}
      summary={
        burned === "0" || burned === ""
          ? "Nothing has been burned on this chain."
          : `${amount(burned)} ${denom} in all.`
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
          {...{ title: TITLE, size, points, axis, series: SERIES }}
          shape="steps"
          shown={(burned) => `${count(burned)} ${denom}`}
        />
      )}
    />
  );
}
