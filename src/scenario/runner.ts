import type { Simulation } from "../engine/simulation/simulation.ts";
import type { Fault } from "./faults.ts";
import type { Scenario, Step } from "./scenario.ts";

/** A running scenario: the simulation and what its steps have named so far. */
export interface World {
  readonly scenario: Scenario;
  readonly sim: Simulation;
}

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
  /** Where in the step the fault lies, e.g. `misbehavior.height`; absent if nowhere in particular. */
  readonly path?: string;
}

/** Builds the world of a scenario; no step has run. Throws an Error for an impossible beginning. */
export declare function createWorld(scenario: Scenario): World;

/**
 * Runs one step. Yields after every consensus round, so that the caller decides how long to stay:
 * draining it runs the step to its end. Never throws for anything a step can say.
 */
export declare function runStep(
  world: World,
  step: Step,
  index: number,
): Generator<void, StepResult>;

/** Reads one step (YAML or JSON text) against the names that this world knows. */
export declare function parseStep(
  text: string,
  world: World,
): { readonly step: Step } | { readonly faults: readonly Fault[] };
