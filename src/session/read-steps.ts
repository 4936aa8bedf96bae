import { readJson } from "../base/json-text.ts";
import { errorText } from "../engine/framework/errors.ts";
import { parseStep } from "../scenario/parse.ts";
import type { StepContext } from "../scenario/step-context.ts";
import type { QueuedStep } from "./tasks.ts";

/** The first problem of steps, with its path. */
export interface StepProblem {
  readonly message: string;
  readonly path: string;
}

/** Reads one step, or a JSON list of steps that run in sequence. */
export function readSteps(
  text: string,
  context: StepContext,
): { readonly steps: readonly QueuedStep[] } | { readonly problem: StepProblem } {
  let texts: readonly string[];
  try {
    texts = textsOf(text);
  } catch (error) {
    return { problem: { message: errorText(error), path: "" } };
  }
  const steps: QueuedStep[] = [];
  for (const [index, one] of texts.entries()) {
    const read = parseStep(one, context);
    if ("problems" in read) {
      const { message, path } = read.problems[0] ?? { message: "not a step", path: "" };
      return { problem: { message, path: texts.length > 1 ? `[${index}].${path}` : path } };
    }
    steps.push({ text: one, step: read.step, index });
  }
  return { steps };
}

function textsOf(text: string): readonly string[] {
  if (!text.trimStart().startsWith("[")) return [text];
  const list = readJson(text) as readonly unknown[];
  if (list.length === 0) throw new Error("expected at least one step");
  return list.map((step) => JSON.stringify(step));
}
