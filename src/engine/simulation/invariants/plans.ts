import type { ModuleStep } from "../../app/steps.ts";

/** Yields the outcomes of upgrade plans, from the steps of a block. */
export function* plansIn(
  steps: readonly ModuleStep[],
): Iterable<{ what: "scheduled" | "executed" | "cancelled" | "cleared"; name: string }> {
  for (const step of steps) {
    if (step.module !== "upgrade") continue;
    if (step.kind === "schedule") yield { what: "scheduled", name: step.data.name };
    else if (step.kind === "handler_run") yield { what: "executed", name: step.data.name };
    else if (step.kind === "plan_cleared" && step.data.plan !== undefined) {
      const what = step.phase === "end-block" ? "cancelled" : "cleared";
      yield { what, name: step.data.plan.name };
    }
  }
}
