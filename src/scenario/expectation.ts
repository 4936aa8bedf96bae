import type * as v from "valibot";
import type { ArgumentCheck } from "./names.ts";
import type { StepContext } from "./step-context.ts";

/** One kind of expectation: its form, told by its first key, and how it is met. */
export interface Expectation<S extends v.GenericSchema = v.GenericSchema> {
  /** The key that only this kind has. */
  readonly key: string;
  readonly args: S;
  check?(args: v.InferOutput<S>, check: ArgumentCheck): void;
  /** Throws a StepError that says what was expected and what was found. Changes nothing. */
  meet(context: StepContext, args: v.InferOutput<S>): void;
}

export const defineExpectation = <S extends v.GenericSchema>(kind: Expectation<S>): Expectation =>
  kind as unknown as Expectation;
