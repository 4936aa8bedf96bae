/** Runs one case of a family and says which property did not hold in it. */
import { readWritten } from "../scenario/parse.ts";
import { runScenario, type ScenarioReport } from "../scenario/report.ts";
import type { Scenario } from "../scenario/scenario.ts";
import type { StepContext } from "../scenario/step-context.ts";
import type { Written } from "../scenario/varied.ts";
import type { Violation } from "./search.ts";

export interface CaseRun {
  /** The first property that did not hold; what must be true in some case alone is not asked of one. */
  readonly violation?: Violation;
  /** Names of the properties under `sometimes` that were true in it. */
  readonly reached: readonly string[];
  /** The step that could not be done, and ended it without a violation. */
  readonly unfinished?: Pick<Violation, "step" | "message">;
  /** The chain's height at the end, and after each step. */
  readonly height: number;
  readonly heights: readonly number[];
}

/** A drawn case ready to run; undefined if it is no sound scenario. */
export function readCase(value: Written): Scenario | undefined {
  const read = readWritten(value);
  return "scenario" in read ? read.scenario : undefined;
}

/**
 * Runs a case to its end, or to its first violation; undefined if no chain begins with its genesis.
 * @param onEnd called with the world as it is then
 */
export function runCase(
  scenario: Scenario,
  onEnd?: (context: StepContext) => void,
): CaseRun | undefined {
  let report: ScenarioReport;
  try {
    report = runScenario(scenario, { file: "case.json", isCase: true, ...(onEnd && { onEnd }) });
  } catch {
    return undefined;
  }
  const { height, steps, reached, violations } = report;
  const run = { reached, height, heights: steps.map((step) => step.height) };
  const [violation] = violations;
  if (violation !== undefined) return { ...run, violation };
  const failed = steps.find(({ ok }) => !ok);
  if (failed === undefined) return run;
  const { index, message } = failed;
  const step = scenario.steps[index];
  if (step?.verb !== "expect" && statesProperties(scenario)) {
    return { ...run, unfinished: { step: index, message } };
  }
  const property = step?.expected === undefined ? failed.verb : `expect ${step.expected}`;
  return {
    ...run,
    violation: { property, kind: "step", height: failed.height, step: index, message },
  };
}

/** Whether a file says what is looked for, so that a step that cannot be done is no finding. */
const statesProperties = ({ properties = [] }: Scenario): boolean => properties.length > 0;
