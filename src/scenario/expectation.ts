import * as v from "valibot";
import type { ArgumentCheck } from "./names.ts";
import type { StepContext } from "./step-context.ts";

/** One kind of expectation as its file defines it: its form, told by its first key, and how it is met. */
interface ExpectationDefinition<S extends v.GenericSchema> {
  /** The key that only this kind has. */
  readonly key: string;
  readonly args: S;
  check?(args: v.InferOutput<S>, check: ArgumentCheck): void;
  /** What was found. Throws a StepError with expected and found values. Changes nothing. */
  meet(context: StepContext, args: v.InferOutput<S>): string;
}

/** An expectation with arguments that have been read. */
export interface Expected {
  check(check: ArgumentCheck): void;
  meet(context: StepContext): string;
}

/** A kind of expectation as the verb `expect` knows it. */
export interface Expectation {
  readonly key: string;
  readonly args: v.GenericSchema<unknown, Expected>;
}

export const defineExpectation = <S extends v.GenericSchema>({
  key,
  args: schema,
  check,
  meet,
}: ExpectationDefinition<S>): Expectation => {
  const bind = (args: v.InferOutput<S>): Expected => ({
    check: (checking) => check?.(args, checking),
    meet: (context) => meet(context, args),
  });
  return { key, args: v.pipe(schema, v.transform(bind)) };
};
