import { useMemo } from "react";
import { count, percent } from "../widgets/format.ts";
import { amounts } from "./axis.ts";
import { ChartCard } from "./ChartCard.tsx";
import { HeightChart } from "./HeightChart.tsx";
import { type PowerRow, powerSeries, sumOf } from "./series.ts";
import { useSamples } from "./use-turn.ts";

const SHOWN = 6;
const TITLE = "Voting power";

const shown = (value: number | string): string => count(Number(value));

export function PowerChart({ validators }: { validators: readonly string[] }) {
  const samples = useSamples();
  const { names, rows, total } = useMemo(
    () => powerSeries(samples, validators, SHOWN),
    [samples, validators],
  );
  const series = names.map((name, i) => {
    return { name, color: `var(--series-${i % 8})`, of: (row: PowerRow) => row[name] ?? 0 };
  });
  const greatest = Math.max(0, ...samples.map(({ powers }) => sumOf(powers)));
  const axis = useMemo(() => amounts(greatest), [greatest]);
  const newest = rows.at(-1);
  const first = names[0] ?? "";
  return (
    <ChartCard
      title={TITLE}
      summary={
        newest
          ? `${count(total)} in all; ${first} holds ${percent(newest[first] ?? 0, total)}.`
          : "Appears with the first blocks."
      }
      table={{
        columns: ["Height", ...names].map((title) => ({ title, show: shown })),
        rows: () => rows.map((row) => [row.height, ...names.map((name) => row[name] ?? 0)]),
        lastFirst: true,
      }}
      legend={series}
      chart={(size) => (
        <HeightChart
          {...{ title: TITLE, size, points: rows, axis, series }}
          shape="stack"
          shown={count}
        />
      )}
    />
  );
}
