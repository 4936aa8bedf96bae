import { drain } from "../base/drain.ts";
import { createContext } from "./create-context.ts";
import { parseScenario, parseStep } from "./parse.ts";
import { previewStep } from "./preview.ts";
import { runStep, type StepResult } from "./runner.ts";
import type { ScenarioStep } from "./scenario.ts";
import type { StepContext } from "./step-context.ts";

/** The initial world of a file; throws with all of its problems. */
export function contextOf(file: string): StepContext {
  const read = parseScenario(file, "test.yaml");
  if ("problems" in read) throw new Error(JSON.stringify(read.problems));
  return createContext(read.scenario);
}

/** Parses a step against a world; throws with all of its problems. */
function stepOf(context: StepContext, step: object): ScenarioStep {
  const read = parseStep(JSON.stringify(step), context);
  if ("problems" in read) throw new Error(JSON.stringify(read.problems));
  return read.step;
}

export const take = (context: StepContext, step: object): StepResult =>
  drain(runStep(context, stepOf(context, step), 0));

/** Previews a step; throws if that changed anything. */
export function preview(context: StepContext, step: object): ReturnType<typeof previewStep> {
  const before = context.sim.journal.length;
  const found = previewStep(context, stepOf(context, step));
  if (context.sim.journal.length !== before) throw new Error("a preview changed the world");
  return found;
}
