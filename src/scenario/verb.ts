import * as v from "valibot";
import type { HistoryRanges } from "../engine/simulation/history-range.ts";
import type { StepPreview } from "../gen/lab/v1/lab_plain.ts";
import { copiesFor } from "./foresight.ts";
import type { ArgumentCheck, ResultKind } from "./names.ts";
import { readByReferences } from "./references.ts";
import type { StepContext, StepValue } from "./step-context.ts";

/** Definition of a verb of the scenario format: its arguments, checks, preview and effect. */
interface VerbDefinition<S extends v.GenericSchema> {
  readonly name: string;
  /** One sentence for the published JSON Schema. */
  readonly about: string;
  readonly args: S;
  /** Kind of the result named by `as:`; absent if the verb has none. */
  readonly gives?: ResultKind;
  /** Takes effect at once and makes no block. */
  readonly instant?: true;
  /** Its preview runs it in a copy, and throws if it is impossible. */
  readonly tried?: true;
  /**
   * Upper bound of the height after the step, if it follows from its arguments; for verbs that make
   * blocks.
   */
  heightAfter?(args: v.InferOutput<S>, height: number): number | undefined;
  /** Checks beyond the schema: names, denoms, combinations. */
  check?(args: v.InferOutput<S>, check: ArgumentCheck): void;
  /** Ranges that it reads, in addition to those of its references. */
  reads?(context: StepContext, args: v.InferOutput<S>): HistoryRanges;
  /** Previews it: a sentence, or the reason of a refusal. Changes nothing. */
  preview?(context: StepContext, args: v.InferOutput<S>): Partial<StepPreview>;
  /**
   * Runs it. Yields after every consensus round. Throws a StepError, or passes on the simulation's
   * own Error, if it cannot be done.
   */
  run(context: StepContext, args: v.InferOutput<S>): Generator<void, StepValue | undefined>;
}

/** A verb with parsed arguments. */
export interface Action {
  check(check: ArgumentCheck): void;
  heightAfter(height: number): number | undefined;
  /** Ranges that it reads at its start, and in its preview. Never throws. */
  reads(context: StepContext): HistoryRanges;
  preview(context: StepContext): Partial<StepPreview>;
  run(context: StepContext): Generator<void, StepValue | undefined>;
}

/** A verb as used by parsers and the JSON Schema: parsing its arguments creates an action. */
export interface Verb extends Pick<VerbDefinition<v.GenericSchema>, "name" | "about" | "gives"> {
  readonly args: v.GenericSchema<unknown, Action>;
}

export function defineVerb<S extends v.GenericSchema>(verb: VerbDefinition<S>): Verb {
  const bind = (args: v.InferOutput<S>): Action => ({
    check: (check) => verb.check?.(args, check),
    heightAfter: (height) => (verb.instant ? height : verb.heightAfter?.(args, height)),
    *reads(context) {
      try {
        yield* readByReferences(context, args);
        if (verb.reads) yield* verb.reads(context, args);
      } catch {
        // Running it will report the problem.
      }
    },
    preview(context) {
      const foreseen = verb.preview?.(context, args) ?? {};
      // Running it in a copy shows if it is possible at all.
      if (verb.instant && !verb.tried && !foreseen.message)
        verb.run(copiesFor(context)(), args).next();
      return foreseen;
    },
    run: (context) => verb.run(context, args),
  });
  const { name, about, gives } = verb;
  const args = v.pipe(verb.args, v.description(about), v.transform(bind));
  return { name, about, ...(gives ? { gives } : {}), args };
}
