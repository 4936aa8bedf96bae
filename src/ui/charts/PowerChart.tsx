import { useMemo } from "react";
import { Area, AreaChart, CartesianGrid, Tooltip, XAxis, YAxis } from "recharts";
import { count, percent } from "../widgets/format.ts";
import { AXIS, amounts, GRID, heights, MARGIN, TOOLTIP } from "./axis.ts";
import { ChartCard } from "./ChartCard.tsx";
import { powerSeries, sumOf } from "./series.ts";
import { useParts } from "./use-parts.ts";
import { useSamples } from "./use-samples.ts";

const SHOWN = 6;
/** Width of the vertical axis. */
const LABELS = 44;

export function PowerChart({ validators }: { validators: readonly string[] }) {
  const samples = useSamples(0);
  const { names, rows, total } = powerSeries(samples, validators, SHOWN);
  const drawn = useParts(samples.length > 0 ? names.length : 0);
  const key = names.slice(0, drawn).join("\n");
  const areas = useMemo(() => areasOf(key), [key]);
  const greatest = Math.max(0, ...samples.map(({ powers }) => sumOf(powers)));
  const axis = useMemo(() => amounts(greatest), [greatest]);
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
      chart={({ width, height }) =>
        samples.length > 0 && (
          <AreaChart width={width} height={height} data={[...rows]} margin={MARGIN}>
            <CartesianGrid {...GRID} />
            <XAxis dataKey="height" {...AXIS} {...heights(samples, width - LABELS)} />
            <YAxis {...AXIS} {...axis} width={LABELS} />
            <Tooltip {...TOOLTIP} />
            {areas}
          </AreaChart>
        )
      }
    />
  );
}

/** The same elements for the same names, which are lines of a text, so that only their data is drawn anew. */
function areasOf(names: string) {
  return names
    .split("\n")
    .filter((name) => name !== "")
    .map((name, i) => (
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
    ));
}
