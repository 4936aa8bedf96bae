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
  /** What has to hold while the steps run. */
  readonly properties?: readonly Property[];
  /** Whether its file has other cases than this one: then what is true sometimes may be so in another. */
  readonly isFamily?: boolean;
  /** Blocks per second while it is told. */
  readonly pace?: number;
  /** What a list of stories says of it. */
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
  /** What the page shows while it is told. */
  readonly show?: Show;
  /** What it does, in words; empty of `expect`. */
  readonly words: string;
  /** Of `expect`: what it expects, as it is written. */
  readonly expected?: string;
}

/** The same scenario with other randomness. */
export const withSeed = (scenario: Scenario, seed: number): Scenario => ({
  ...scenario,
  spec: { ...scenario.spec, seed },
});
