import { isMap } from "../fields.ts";
import { flow } from "../flow.ts";
import { stepText } from "../step-text.ts";
import { VERBS } from "../steps/index.ts";

/** The verb of a step in a file, with its arguments. */
export function verbOf(step: unknown): { readonly verb: string; readonly args: unknown } {
  const verb = isMap(step) ? (Object.keys(step).find((key) => VERBS.has(key)) ?? "") : "";
  return { verb, args: isMap(step) ? step[verb] : undefined };
}

/** Describes a step; for `expect` its expectation. */
export function sourceStepText(step: unknown): string {
  const { verb, args } = verbOf(step);
  return verb === "expect" ? `expect ${flow(args)}` : stepText(verb, args);
}
