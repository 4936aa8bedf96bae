import { useCallback, useMemo, useState } from "react";
import { errorText } from "../../../../base/error-text.ts";
import { ChartCard } from "../../../charts/ChartCard.tsx";
import type { ChartTable } from "../../../charts/chart-table.ts";
import { useFrameState, usePage } from "../../../store/page.ts";
import { count, grouped, plural, sentence } from "../../../widgets/format.ts";
import type { Size } from "../../../widgets/use-size.ts";
import css from "../lab.module.css";
import { isPlayedHere, playScenario } from "../open-finding.ts";
import type { Followed } from "./follow.ts";
import { lanesHeight, SeriesLanes } from "./SeriesLanes.tsx";
import { lanesOf, valuesOf } from "./series-lanes.ts";

type Answer = NonNullable<Followed["answer"]>;

interface SeriesCardProps {
  answer: Answer;
  /** The text that a new run would use. */
  source: string;
}

const TITLE = "Values by height";

/** Values of expressions over a run, as a chart that links to each height and as a table. */
export function SeriesCard({ answer, source }: SeriesCardProps) {
  const page = usePage();
  const [problem, setProblem] = useState("");
  const { of, heights, series, failure, height: end } = answer;
  const lanes = useMemo(() => lanesOf(answer), [answer]);
  const isHere = useFrameState(() => isPlayedHere(page, of.text));
  const goTo = useCallback(
    async (height: number): Promise<void> => {
      setProblem("");
      try {
        await playScenario(page, of.text, of.file, height);
      } catch (error) {
        setProblem(errorText(error));
      }
    },
    [page, of],
  );
  const onHeight = useCallback((height: number) => void goTo(height), [goTo]);
  const chart = useCallback(
    (size: Size) => (
      <SeriesLanes {...{ answer, lanes, size, onHeight, isHere }} width={size.width} />
    ),
    [answer, lanes, onHeight, isHere],
  );
  const missing = series.filter((one) => one.missing !== "");
  const isEmpty = lanes.lines.length + lanes.bands.length === 0;
  return (
    <ChartCard
      title={TITLE}
      summary={`${plural(series.length, "expression")} at ${plural(heights.length, "height")}, from ${count(heights[0] ?? 0)} to ${count(heights.at(-1) ?? 0)}, of ${of.file}, whose run ends at block ${count(end)}. A press on a height opens the run there.`}
      table={useMemo(() => tableOf(answer), [answer])}
      chart={chart}
      height={isEmpty ? 1 : lanesHeight(lanes)}
      legend={lanes.lines.flatMap(({ lines }) =>
        lines.map(({ expression, color }) => ({ name: expression, color })),
      )}
      onHeight={onHeight}
    >
      {source !== of.text && (
        <p className="small soft">The file was changed since: these are of the text before.</p>
      )}
      {failure && <p className={css.problem}>The run did not go well: {sentence(failure)}</p>}
      {problem && (
        <p className={css.problem} role="alert">
          {sentence(problem)}
        </p>
      )}
      {missing.map((one) => (
        <p key={one.expression} className="small soft">
          <code>{one.expression}</code> has no value at any of these heights:{" "}
          {sentence(one.missing)}
        </p>
      ))}
    </ChartCard>
  );
}

function tableOf({ heights, series }: Answer): ChartTable {
  const columns = series.map((one) => valuesOf(one, heights));
  const shown = (value: number | string): string => grouped(String(value)) || "–";
  return {
    columns: [
      { title: "Height", show: (height) => count(Number(height)) },
      ...series.map(({ expression }) => ({ title: expression, show: shown })),
    ],
    rows: () => heights.map((height, i) => [height, ...columns.map((values) => values[i] ?? "")]),
    lastFirst: false,
  };
}
