import * as v from "valibot";
import type { HistoryRanges } from "../engine/simulation/history-range.ts";
import type { ArgumentCheck } from "./names.ts";
import { readByReferences } from "./references.ts";
import type { StepContext } from "./step-context.ts";

/**
 * Data that an answer depends on, which determines when it can change: one store or all of them,
 * the blocks of the chain, or anything in the world, such as a process that exits while no block is
 * made.
 */
export type Reads = "stores" | "blocks" | "world" | { readonly store: string };

/**
 * Returns true if it is satisfied, without an explanation; undefined while it cannot be evaluated.
 * May store earlier findings.
 */
export type Look = (context: StepContext) => boolean | undefined;

type MapSchema = v.StrictObjectSchema<v.ObjectEntries, string>;

/** One kind of expectation: its format, recognized by its first key, and its check. */
interface ExpectationDefinition<S extends MapSchema> {
  /** The key that identifies this kind. */
  readonly key: string;
  readonly args: S;
  readonly reads: Reads | ((args: v.InferOutput<S>) => Reads);
  check?(args: v.InferOutput<S>, check: ArgumentCheck): void;
  /** Ranges that it reads, in addition to those of its references. */
  opens?(context: StepContext, args: v.InferOutput<S>): HistoryRanges;
  /**
   * Describes the value found. Throws a StepError with expected and found values. Changes nothing.
   */
  verify(context: StepContext, args: v.InferOutput<S>): string;
  /** A faster check for repeated use; by default it calls `meet`. */
  look?(args: v.InferOutput<S>): Look | undefined;
}

/** An expectation with parsed arguments. */
export interface Expected {
  readonly reads: Reads;
  check(check: ArgumentCheck): void;
  /** Ranges that it reads. */
  opens(context: StepContext): HistoryRanges;
  verify(context: StepContext): string;
  /** Creates a check for repeated use in one world; undefined if only `meet` is available. */
  look(): Look | undefined;
}

/** A kind of expectation, as used by the verb `expect` and by properties. */
export interface Expectation {
  readonly key: string;
  /** The keys of its format. */
  readonly entries: v.ObjectEntries;
  readonly args: v.GenericSchema<unknown, Expected>;
  /** Binds arguments that were parsed by its entries. */
  bind(args: Record<string, unknown>): Expected;
}

export const defineExpectation = <S extends MapSchema>({
  key,
  args: schema,
  reads,
  check,
  opens,
  verify,
  look,
}: ExpectationDefinition<S>): Expectation => {
  const bind = (args: v.InferOutput<S>): Expected => ({
    reads: typeof reads === "function" ? reads(args) : reads,
    check: (checking) => check?.(args, checking),
    *opens(context) {
      yield* readByReferences(context, args);
      if (opens) yield* opens(context, args);
    },
    verify: (context) => verify(context, args),
    look: () => look?.(args),
  });
  const { entries } = schema;
  return {
    key,
    entries,
    args: v.pipe(schema, v.transform(bind)) as v.GenericSchema<unknown, Expected>,
    bind: (args) => bind(args as v.InferOutput<S>),
  };
};
