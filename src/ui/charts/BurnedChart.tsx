import {
  CartesianGrid,
  Line,
  LineChart,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from "recharts";
import { amount, count } from "../widgets/format.ts";
import { AXIS, TOOLTIP } from "./axis.ts";
import { ChartCard } from "./ChartCard.tsx";
import { useSamples } from "./use-samples.ts";

interface BurnedChartProps {
  /** All that was ever burned, smallest unit. */
  burned: string;
  denom: string;
}

export function BurnedChart({ burned, denom }: BurnedChartProps) {
  const samples = useSamples(0.5);
  return (
    <ChartCard
      title="Stake burned by slashing"
      summary={
        burned === "0" || burned === ""
          ? "Nothing has been burned on this chain."
          : `${amount(burned)} ${denom} in all. The chart counts millions.`
      }
      columns={["Height", `Burned, millions of ${denom}`]}
      rows={samples.map((sample) => [count(sample.height), String(sample.burned)]).reverse()}
      chart={
        <ResponsiveContainer>
          <LineChart data={[...samples]} margin={{ top: 4, right: 8, bottom: 0, left: 0 }}>
            <CartesianGrid stroke="var(--line)" vertical={false} />
            <XAxis dataKey="height" {...AXIS} type="number" domain={["dataMin", "dataMax"]} />
            <YAxis {...AXIS} width={44} allowDecimals={false} />
            <Tooltip {...TOOLTIP} labelFormatter={(height) => `height ${height}`} />
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
      }
    />
  );
}
