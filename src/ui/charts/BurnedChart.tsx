import {
  CartesianGrid,
  Line,
  LineChart,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from "recharts";
import { amount, compact, count } from "../widgets/format.ts";
import { AXIS, heights, TOOLTIP } from "./axis.ts";
import { ChartCard } from "./ChartCard.tsx";
import { useSamples } from "./use-samples.ts";

interface BurnedChartProps {
  /** All that was ever burned, smallest unit. */
  burned: string;
  denom: string;
}

export function BurnedChart({ burned, denom }: BurnedChartProps) {
  const samples = useSamples(0.4);
  const points = samples.map(({ height, burned }) => ({ height, burned: Number(burned) }));
  return (
    <ChartCard
      title="Stake burned by slashing"
      summary={
        burned === "0" || burned === ""
          ? "Nothing has been burned on this chain."
          : `${amount(burned)} ${denom} in all.`
      }
      columns={["Height", `Burned, ${denom}`]}
      rows={() => samples.map((sample) => [count(sample.height), amount(sample.burned)]).reverse()}
      chart={
        samples.length > 0 && (
          <ResponsiveContainer>
            <LineChart data={points} margin={{ top: 4, right: 8, bottom: 0, left: 0 }}>
              <CartesianGrid stroke="var(--line)" vertical={false} />
              <XAxis dataKey="height" {...AXIS} {...heights(samples)} />
              <YAxis {...AXIS} width={52} allowDecimals={false} tickFormatter={compact} />
              <Tooltip
                {...TOOLTIP}
                labelFormatter={(height) => `height ${height}`}
                formatter={(burned) => `${count(Number(burned))} ${denom}`}
              />
              <Line
                dataKey="burned"
                type="stepAfter"
                stroke="var(--bad)"
                strokeWidth={2}
                dot={false}
                isAnimationActive={false}
              />
            </LineChart>
          </ResponsiveContainer>
        )
      }
    />
  );
}
