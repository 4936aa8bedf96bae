/**
 * Coverage: the outcomes that a set of files reaches, how often, and steps for the missing ones.
 */
import { runScenario } from "../report.ts";
import type { Scenario } from "../scenario.ts";
import { OUTCOMES, type Outcome, outcomesOf } from "./outcomes.ts";

/** Outcomes reached by a run. */
export interface CoveredRun {
  readonly file: string;
  /** Number of occurrences by name. */
  readonly outcomes: Readonly<Record<string, number>>;
}

export interface CoveredOutcome extends Outcome {
  /** Number of occurrences in all files. */
  readonly times: number;
  /** The files that reach it, in their order. */
  readonly files: readonly string[];
}

export interface Coverage {
  readonly files: readonly string[];
  /** Number of reached, reachable, and all outcomes. */
  readonly reached: number;
  readonly reachable: number;
  readonly total: number;
  readonly outcomes: readonly CoveredOutcome[];
}

/** Merges the outcomes of several runs. */
export function coverageOf(runs: readonly CoveredRun[]): Coverage {
  const outcomes = OUTCOMES.map((outcome): CoveredOutcome => {
    const { name } = outcome;
    const by = runs.filter((run) => run.outcomes[name] !== undefined);
    const times = by.reduce((sum, run) => sum + (run.outcomes[name] ?? 0), 0);
    return { ...outcome, times, files: by.map(({ file }) => file) };
  });
  return {
    files: runs.map(({ file }) => file),
    reached: outcomes.filter(({ times }) => times > 0).length,
    reachable: outcomes.filter(({ reachable }) => reachable).length,
    total: outcomes.length,
    outcomes,
  };
}

/** Runs a scenario and reports its outcomes, and the failed step, if there is one. */
export function coveredBy(
  scenario: Scenario,
  file: string,
): { readonly run: CoveredRun; readonly failure: string | undefined } {
  let outcomes: CoveredRun["outcomes"] = {};
  const { steps } = runScenario(scenario, {
    file,
    onEnd: ({ sim }) => {
      outcomes = outcomesOf(sim);
    },
  });
  const failed = steps.find(({ ok }) => !ok);
  return {
    run: { file, outcomes },
    failure: failed && `steps[${failed.index}]: ${failed.message}`,
  };
}
