import type { WorldSpec } from "../engine/simulation/world-spec.ts";

/** A scenario that has been read and found sound. */
export interface Scenario {
  readonly name: string;
  readonly title: string;
  /** Markdown; empty if there is none. */
  readonly about: string;
  readonly spec: WorldSpec;
  readonly steps: readonly Step[];
}

/** One step: exactly one verb with its arguments, as the format document has them. */
export interface Step {
  readonly verb: string;
  readonly args: unknown;
  readonly note?: string;
  /** Name under which later steps refer to its result. */
  readonly as?: string;
}
