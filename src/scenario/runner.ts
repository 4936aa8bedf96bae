/** Runs scenarios. Steps become commands, rounds and queries of a simulation, and nothing else. */
import { lazyObserver } from "../api/lab/frame/observed.ts";
import { errorText } from "../engine/framework/errors.ts";
import { Simulation } from "../engine/simulation/simulation.ts";
import { namesOf, type ResultKind } from "./names.ts";
import { parseStepText } from "./parse.ts";
import type { PlacedProblem } from "./problems.ts";
import type { Scenario, ScenarioStep } from "./scenario.ts";
import { type StepContext, StepError, type StepValue } from "./step-context.ts";
import { VERBS } from "./steps/index.ts";

export type { StepContext } from "./step-context.ts";

/** What became of one step. */
export interface StepResult {
  /** Position in the scenario's list, from 0. */
  readonly index: number;
  readonly verb: string;
  readonly ok: boolean;
  /** The chain's height when the step ended. */
  readonly height: number;
  /** Empty if it went well; else what was expected, what was found or why it could not be done. */
  readonly message: string;
  /** Where in the step the problem lies, e.g. `misbehavior.height`; absent if nowhere in particular. */
  readonly path?: string;
}

/** Builds the world of a scenario; no step has run. Throws an Error for an impossible beginning. */
export function createContext(scenario: Scenario): StepContext {
  const sim = Simulation.create(scenario.spec);
  return { scenario, sim, follow: lazyObserver(sim), results: new Map() };
}

/**
 * Runs one step. Yields after every consensus round, so that the caller decides how long to stay;
 * draining it runs the step to its end. Never throws for anything that a step can say.
 */
export function* runStep(
  context: StepContext,
  step: ScenarioStep,
  index: number,
): Generator<void, StepResult> {
  const verb = VERBS.get(step.verb);
  const end = (message: string, path = ""): StepResult => ({
    index,
    verb: step.verb,
    ok: message === "",
    height: context.sim.height,
    message,
    ...(path === "" ? {} : { path: `${step.verb}.${path}` }),
  });
  if (!verb) return end(`there is no verb ${step.verb}`);
  try {
    const value = yield* verb.run(context, step.args);
    if (step.as !== undefined && value) name(context, step.as, value);
    return end("");
  } catch (error) {
    return error instanceof StepError
      ? end(error.message, error.path)
      : end(errorText(error) || "the step failed without a word");
  }
}

function name(context: StepContext, as: string, value: StepValue): void {
  (context.results as Map<string, StepValue>).set(as, value);
}

/** Reads one step (YAML or JSON text) against the names that this world knows. */
export function parseStep(
  text: string,
  context: StepContext,
): { readonly step: ScenarioStep } | { readonly problems: readonly PlacedProblem[] } {
  const results = new Map<string, ResultKind>();
  for (const [as, { value, evidence }] of context.results) {
    results.set(as, { value: value !== undefined, evidence: evidence !== undefined });
  }
  return parseStepText(text, namesOf(context.sim, results));
}
