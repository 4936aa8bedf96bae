/** Runs scenarios. Steps become commands, rounds and queries of a simulation, and nothing else. */
import { lazyObserver } from "../api/lab/frame/observed.ts";
import { errorText } from "../engine/framework/errors.ts";
import { PastNeeded } from "../engine/simulation/past-needed.ts";
import { Simulation } from "../engine/simulation/simulation.ts";
import type { StepPreview } from "../gen/lab/v1/lab_plain.ts";
import type { Scenario, ScenarioStep } from "./scenario.ts";
import { type StepContext, StepError, type StepValue } from "./step-context.ts";

export type { StepContext } from "./step-context.ts";

/** Result of one step. */
export interface StepResult {
  /** Position in the scenario's list, from 0. */
  readonly index: number;
  readonly verb: string;
  readonly ok: boolean;
  /** The chain's height when the step ended. */
  readonly height: number;
  /** Empty if it passed; else why it failed. */
  readonly message: string;
  /** Where in the step the problem lies, e.g. `misbehavior.height`; absent if nowhere in particular. */
  readonly path?: string;
}

/** Builds the world of a scenario; no step has run. Throws an Error for an invalid genesis. */
export function createContext(scenario: Scenario): StepContext {
  const sim = Simulation.create(scenario.spec);
  return { sim, follow: lazyObserver(sim), results: new Map() };
}

/**
 * Runs one step. Yields after every consensus round, so that the caller decides how long to stay;
 * draining it runs the step to its end. Never throws for a step that fails; one that needs a part of the past
 * first throws PastNeeded within `Simulation.ask`, nothing done.
 */
export function* runStep(
  context: StepContext,
  step: ScenarioStep,
  index: number,
): Generator<void, StepResult> {
  const end = (message: string, path = ""): StepResult => ({
    index,
    verb: step.verb,
    ok: message === "",
    height: context.sim.height,
    message,
    ...(path === "" ? {} : { path: `${step.verb}.${path}` }),
  });
  try {
    const value = yield* step.action.run(context);
    if (step.as !== undefined && value) name(context, step.as, value);
    return end("");
  } catch (error) {
    if (error instanceof PastNeeded) throw error;
    return error instanceof StepError ? end(error.message, error.path) : end(errorText(error));
  }
}

function name(context: StepContext, as: string, value: StepValue): void {
  (context.results as Map<string, StepValue>).set(as, value);
}

/** Previews a step in a sentence; a refusal is in `message`, with its place in `path`. Runs nothing. */
export function previewStep(context: StepContext, { verb, action }: ScenarioStep): StepPreview {
  try {
    return { ...NO_PREVIEW, ...action.preview(context) };
  } catch (error) {
    if (error instanceof PastNeeded) throw error;
    return { ...NO_PREVIEW, path: verb, message: errorText(error) };
  }
}

export const NO_PREVIEW: StepPreview = { sentence: "", path: "", message: "", time: "", power: "" };
