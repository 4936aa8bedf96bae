import type { LabAnswer } from "../../gen/lab/v1/lab_plain.ts";
import type { Series, SeriesOfRun } from "../../search/series.ts";

type Answer = LabAnswer<"findSeries">;

/** What expressions have been worth, as it is on the wire: a value stands there once, however long it lasts. */
export function seriesView(found: SeriesOfRun): Answer {
  const { beginning, height, heights, series, failure = "" } = found;
  return {
    ...{ problems: [], wrong: [], beginning, height, failure },
    heights: [...heights],
    series: series.map((one) => ({
      expression: one.expression,
      steps: stepsOf(one, heights),
      numbers: one.numbers,
      missing: one.missing ?? "",
    })),
  };
}

const stepsOf = (
  { values }: Series,
  heights: readonly number[],
): Answer["series"][number]["steps"] =>
  heights.flatMap((height, i) => {
    const value = values[i] ?? undefined;
    const isSame = i > 0 && value === (values[i - 1] ?? undefined);
    return isSame ? [] : [value === undefined ? { height } : { height, value }];
  });
