import { whyNoBlock } from "../rounds.ts";
import type { StepResult } from "../runner.ts";
import type { StepContext } from "../step-context.ts";

/** Maximum characters of a name. */
const MOST = 100;

/**
 * Identifies the fault of a failed step: its verb with the reason for missing blocks, or else with
 * the first words of its message. It stays the same while the case is shrunk, so the reason
 * contains no heights, powers or names.
 */
export function faultName({ verb, message }: StepResult, { sim }: StepContext): string {
  if (message.endsWith(whyNoBlock(sim))) {
    const causes = sim.chainStatus().missing.map(({ cause }) => causeName(cause));
    return `${verb}: no block (${[...new Set(causes)].sort().join(", ")})`;
  }
  const [clause = ""] = message.split(/[:;(]/, 1);
  return `${verb}: ${clause.replace(/ at height \d+/g, "").trim()}`.slice(0, MOST);
}

type Cause = ReturnType<StepContext["sim"]["chainStatus"]>["missing"][number]["cause"];

const causeName = (cause: Cause): string =>
  (cause.kind === "fault" ? cause.fault : cause.kind).replaceAll("_", " ");
