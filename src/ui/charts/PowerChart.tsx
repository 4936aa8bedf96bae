import { useCallback, useMemo } from "react";
import { Area } from "recharts";
import { useFrameState } from "../store/page.ts";
import { count, percent } from "../widgets/format.ts";
import type { Size } from "../widgets/use-size.ts";
import { amounts } from "./axis.ts";
import { ChartCard } from "./ChartCard.tsx";
import { HeightChart } from "./HeightChart.tsx";
import { lastUpTo, partOf, partText, powerSeries, sumOf } from "./series.ts";
import { useParts, useSamples } from "./use-turn.ts";

const SHOWN = 6;
const TITLE = "Voting power";

const shown = (value: number | string): string => count(Number(value));

export function PowerChart({ validators }: { validators: readonly string[] }) {
  const samples = useSamples();
  const past = useFrameState(({ travel }) => travel?.height);
  const { names, rows } = useMemo(
    () => powerSeries(samples, validators, SHOWN),
    [samples, validators],
  );
  const drawn = useParts(samples.length > 0 ? names.length : 0);
  const key = names.slice(0, drawn).join("\n");
  const areas = useMemo(() => areasOf(key), [key]);
  const greatest = Math.max(0, ...samples.map(({ powers }) => sumOf(powers)));
  const chart = useCallback(
    (size: Size) => (
      <HeightChart {...{ title: TITLE, size, points: rows, axis: amounts(greatest) }} tip={count}>
        {areas}
      </HeightChart>
    ),
    [rows, greatest, areas],
  );
  const at = past === undefined ? samples.length - 1 : lastUpTo(samples, past);
  const total = sumOf(samples[at]?.powers ?? []);
  const row = rows[at];
  const first = names[0] ?? "";
  return (
    <ChartCard
      title={TITLE}
      summary={
        row
          ? `${past === undefined ? "" : `At block ${count(past)}: `}${count(total)} in all; ${first} holds ${percent(row[first] ?? 0, total)}.${partText(samples)}`
          : "Appears with the first blocks."
      }
      table={{
        columns: ["Height", ...names].map((title) => ({ title, show: shown })),
        rows: () => rows.map((row) => [row.height, ...names.map((name) => row[name] ?? 0)]),
        lastFirst: true,
        part: partOf(samples),
      }}
      legend={names.map((name, i) => ({ name, color: `var(--series-${i % 8})` }))}
      chart={chart}
    />
  );
}

/**
 * The same elements for the same names, given as lines of a text, so that only their data is
 * redrawn.
 */
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
