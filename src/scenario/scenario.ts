import type { WorldSpec } from "../engine/simulation/genesis/world-spec.ts";
import type { Property } from "./properties/property.ts";
import type { Show } from "./show.ts";
import type { Action } from "./verb.ts";

/** A parsed and valid scenario. */
export interface Scenario {
  readonly name: string;
  readonly title: string;
  /** Markdown; empty if there is none. */
  readonly about: string;
  readonly spec: WorldSpec;
  readonly steps: readonly ScenarioStep[];
  /** Conditions that must hold while the steps run. */
  readonly properties?: readonly Property[];
  /**
   * True if its file has more cases than this one: a `sometimes` property may be satisfied in
   * another.
   */
  readonly isFamily?: boolean;
  /** Blocks per second while the story is played. */
  readonly pace?: number;
  /** Entry in a list of stories. */
  readonly listed?: {
    readonly group?: string;
    readonly level?: string;
    readonly minutes?: number;
  };
}

/** One step: exactly one verb with its arguments, checked and ready to run. */
export interface ScenarioStep {
  readonly verb: string;
  readonly action: Action;
  readonly note?: string;
  /** Name under which later steps refer to its result. */
  readonly as?: string;
  /** State of the page while the step plays. */
  readonly show?: Show;
  /** Sentence about its action; empty for `expect`. */
  readonly text: string;
  /** For `expect`: the expected value, as in the file. */
  readonly expected?: string;
}

/** The same scenario with another seed. */
export const withSeed = (scenario: Scenario, seed: number): Scenario => ({
  ...scenario,
  spec: { ...scenario.spec, seed },
});
