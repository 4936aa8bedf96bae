import { STATUS, StatusError } from "../../engine/framework/errors.ts";
import type { LabAnswer, LabRequest } from "../../gen/lab/v1/lab_plain.ts";
import type { Series, SeriesOfRun } from "../../scenario/search/series.ts";
import { checkExpressions } from "./expression-check.ts";
import { expressionsOf, familyFile } from "./family-file.ts";
import type { Questions } from "./questions.ts";

type Answer = LabAnswer<"findSeries">;

const MOST_HEIGHTS = 5_000;

const NO_SERIES: Answer = {
  ...{ problems: [], wrong: [], beginning: 0, height: 0, heights: [], series: [], failure: "" },
};

/**
 * Runs a file and records expressions; problems of the file or the expressions are part of the
 * answer.
 */
export async function findSeries(
  questions: Questions,
  request: LabRequest<"findSeries">,
): Promise<Answer> {
  const { from = 0, to = 0, every = 0, question: name = "" } = request;
  const expressions = expressionsOf(request.expressions);
  if (expressions.length === 0) {
    throw new StatusError(STATUS.invalidArgument, "expressions: expected at least 1, found 0");
  }
  if (to > 0 && from > to) {
    const text = `to: expected a height not below ${from}, found ${to}`;
    throw new StatusError(STATUS.invalidArgument, text);
  }
  const { problems, wrong } = checkExpressions(request);
  if (problems.length + wrong.length > 0) return { ...NO_SERIES, problems, wrong };
  const range = {
    ...(from > 0 && { from }),
    ...(to > 0 && { to }),
    ...{ every: Math.max(1, every), most: MOST_HEIGHTS },
  };
  const family = familyFile(request.file);
  return questions.run(name, 1, async ({ workers }) =>
    seriesView(await workers.do("series", { family, expressions, range })),
  );
}

/**
 * Converts the values of expressions to the wire, where each value appears once, however long it
 * lasts.
 */
function seriesView(found: SeriesOfRun): Answer {
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
