import {
  Area,
  AreaChart,
  CartesianGrid,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from "recharts";
import { compact, count, percent } from "../widgets/format.ts";
import { AXIS, heights, TOOLTIP } from "./axis.ts";
import { ChartCard } from "./ChartCard.tsx";
import { powerSeries } from "./series.ts";
import { useSamples } from "./use-samples.ts";

const SHOWN = 6;

export function PowerChart({ validators }: { validators: readonly string[] }) {
  const samples = useSamples(0);
  const { names, rows, total } = powerSeries(samples, validators, SHOWN);
  const newest = rows.at(-1);
  const first = names[0] ?? "";
  return (
    <ChartCard
      title="Voting power"
      summary={
        newest
          ? `${count(total)} in all; ${first} holds ${percent(newest[first] ?? 0, total)}.`
          : "Appears with the first blocks."
      }
      columns={["Height", ...names]}
      legend={names}
      rows={() =>
        rows
          .map((row) => [count(row.height ?? 0), ...names.map((name) => count(row[name] ?? 0))])
          .reverse()
      }
      chart={
        samples.length > 0 && (
          <ResponsiveContainer>
            <AreaChart data={[...rows]} margin={{ top: 4, right: 8, bottom: 0, left: 0 }}>
              <CartesianGrid stroke="var(--line)" vertical={false} />
              <XAxis dataKey="height" {...AXIS} {...heights(samples)} />
              <YAxis {...AXIS} width={44} tickFormatter={compact} />
              <Tooltip {...TOOLTIP} labelFormatter={(height) => `height ${height}`} />
              {names.map((name, i) => (
                <Area
                  key={name}
                  dataKey={name}
                  stackId="power"
                  type="stepAfter"
                  isAnimationActive={false}
                  stroke={`var(--series-${i % 8})`}
                  fill={`var(--series-${i % 8})`}
                  fillOpacity={0.28}
                />
              ))}
            </AreaChart>
          </ResponsiveContainer>
        )
      }
    />
  );
}
