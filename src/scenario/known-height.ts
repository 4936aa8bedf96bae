import { isMap } from "./fields.ts";
import type { ScenarioStep } from "./scenario.ts";

/** Verbs that act at once and make no block. */
const AT_ONCE: ReadonlySet<string> = new Set([
  "misbehavior",
  "double_sign",
  "light_client_attack",
  "nodes",
  "partition",
  "fault",
  "release",
  "expect",
]);

/**
 * The height that the chain has come to at most after a step, if the file alone says so.
 * @param height the same before the step
 */
export function heightAfter(
  step: ScenarioStep | undefined,
  height: number | undefined,
): number | undefined {
  if (step === undefined || height === undefined) return undefined;
  const { verb, args } = step;
  if (AT_ONCE.has(verb)) return height;
  if (verb !== "run") return undefined;
  if (typeof args === "number") return height + args;
  return isMap(args) && typeof args.to === "number" ? Math.max(height, args.to) : undefined;
}
