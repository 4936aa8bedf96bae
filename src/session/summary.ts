import type { LabAnswer } from "../gen/lab/v1/lab_plain.ts";
import { parseScenario } from "../scenario/parse.ts";
import type { PlacedProblem } from "../scenario/problems.ts";

/** Converts problems of a file to the wire. */
export const wireProblems = (
  problems: readonly PlacedProblem[],
): LabAnswer<"loadScenario">["problems"] =>
  problems.map(({ path, line, column = 0, message }) => ({ path, line, column, message }));

const NOTHING: LabAnswer<"readScenario"> = {
  ...{ problems: [], name: "", title: "", about: "", chainId: "" },
  ...{ validators: 0, steps: 0, initialHeight: 0 },
};

/** Summarizes a scenario file, or lists its problems. Nothing runs. */
export function summaryOf(text: string, file: string): LabAnswer<"readScenario"> {
  const read = parseScenario(text, file);
  if ("problems" in read) return { ...NOTHING, problems: wireProblems(read.problems) };
  const { name, title, about, spec, steps } = read.scenario;
  const { chainId, validators, initialHeight } = spec;
  return {
    ...{ problems: [], name, title, about, chainId, initialHeight },
    ...{ validators: validators.length, steps: steps.length },
  };
}
