/** Runs scenarios. Steps become commands, rounds and queries of a simulation. */

import { isBug } from "../base/error-text.ts";
import { errorText } from "../engine/framework/errors.ts";
import type { ScenarioStep } from "./scenario.ts";
import { type StepContext, StepError, type StepValue } from "./step-context.ts";

export type { StepContext } from "./step-context.ts";

export interface StepResult {
  /** Position in the scenario's list, from 0. */
  readonly index: number;
  readonly verb: string;
  readonly ok: boolean;
  /** The chain's height when the step ended. */
  readonly height: number;
  /** Empty if it passed; else the reason of the failure. */
  readonly message: string;
  /** True if it failed because of a bug in the simulator; absent if not. */
  readonly isBug?: true;
  /** Path of the problem in the step, e.g. `misbehavior.height`; absent if there is none. */
  readonly path?: string;
  /**
   * The id of a proposal or the hash of a transaction, also if it failed; absent if the step has no
   * such result.
   */
  readonly value?: string;
  /** Value found by a satisfied expectation. */
  readonly found?: string;
  /**
   * Number of the last command that its list of steps issued, as counted by the session; absent or
   * 0 if there is none.
   */
  readonly command?: number;
}

/**
 * Runs one step. Yields after every consensus round, so that the caller controls the timing;
 * draining it runs the step to its end. A failed step does not throw. The history that it reads
 * (`Action.reads`) must be open before.
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
    const { value: input, found } = value ?? {};
    return {
      ...end(""),
      ...(input === undefined ? {} : { value: input }),
      ...(found === undefined ? {} : { found }),
    };
  } catch (error) {
    if (!(error instanceof StepError)) {
      return { ...end(errorText(error)), ...(isBug(error) && { isBug: true }) };
    }
    const { message, path, tx } = error;
    return { ...end(message, path), ...(tx === undefined ? {} : { value: tx }) };
  }
}

function name(context: StepContext, as: string, value: StepValue): void {
  (context.results as Map<string, StepValue>).set(as, value);
}
