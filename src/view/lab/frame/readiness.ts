import { CURRENT } from "../../../engine/network/sidecar/layout.ts";
import type { Simulation } from "../../../engine/simulation/simulation.ts";
import type { NodeView } from "../../../engine/simulation/views.ts";

/** A node's readiness for a plan, as the frame's `for_plan`; empty without a plan. */
export function readinessOf(
  sim: Simulation,
  node: NodeView,
  plan: { readonly name: string; readonly height: number } | undefined,
): string {
  if (plan === undefined) return "";
  if (node.height >= plan.height) return "applied";
  if (node.skipUpgradeHeights.includes(plan.height)) return "skips";
  const carries = (name: string | undefined) =>
    sim.binaries().some((each) => each.name === name && each.handlers.includes(plan.name));
  if (carries(node.binary)) return "handler";
  const placed = sim.stagedFor(node.name, plan.name);
  if (!carries(node.staged) && !carries(placed)) return "none";
  // Only a sidecar has this link, and only a sidecar switches automatically.
  return carries(placed) && sim.file(node.name, CURRENT) !== undefined ? "staged" : "staged-only";
}
