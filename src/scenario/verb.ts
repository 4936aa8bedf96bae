import type * as v from "valibot";
import type { ArgumentCheck, ResultKind } from "./names.ts";
import type { StepContext, StepValue } from "./step-context.ts";

/** One verb of the scenario format: its arguments and what it does with a world. */
export interface Verb<S extends v.GenericSchema = v.GenericSchema> {
  readonly name: string;
  /** One sentence for the published JSON Schema. */
  readonly about: string;
  readonly args: S;
  /** What `as:` makes of it; absent if the verb has no result. */
  readonly gives?: ResultKind;
  /** Checks what the schema cannot: names, denoms, combinations. */
  check?(args: v.InferOutput<S>, check: ArgumentCheck): void;
  /**
   * Does it. Yields after every consensus round. Throws a StepError, or passes on the simulation's own
   * Error, if it cannot be done.
   */
  run(context: StepContext, args: v.InferOutput<S>): Generator<void, StepValue | undefined>;
}

/** Lets the type of `args` flow into the functions of a verb. */
export const defineVerb = <S extends v.GenericSchema>(verb: Verb<S>): Verb =>
  verb as unknown as Verb;
