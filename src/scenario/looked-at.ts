import type { ScenarioStep } from "./scenario.ts";
import type { StepContext } from "./step-context.ts";

/**
 * Wraps a step so that `look` is called after each of its rounds and at its end; the step fails if
 * it throws.
 */
export function lookedAt(step: ScenarioStep, look: (context: StepContext) => void): ScenarioStep {
  const { action } = step;
  function* run(context: StepContext): ReturnType<typeof action.run> {
    const running = action.run(context);
    for (;;) {
      const { done, value } = running.next();
      look(context);
      if (done) return value;
      yield;
    }
  }
  return { ...step, action: { ...action, run } };
}
