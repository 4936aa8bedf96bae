import type { Simulation } from "../../../engine/simulation/simulation.ts";
import type { ChainStatus } from "../../../engine/simulation/views.ts";
import type { ChainStatus as ChainStatusFrame } from "../../../gen/lab/v1/lab_plain.ts";
import type { DuePlan } from "./binary-compatibility.ts";
import { becauseOf } from "./chain-status.ts";
import { remediesOf } from "./remedies.ts";

/**
 * Explains a chain's status: its causes, and the remedies for missing nodes.
 * @param tried which remedies are tried and listed: `in-memory` those that need no evicted block
 */
export type ExplainStatus = (
  sim: Simulation,
  chainStatus: ChainStatus,
  plan: DuePlan | undefined,
  tried: "none" | "in-memory" | "all",
) => Pick<ChainStatusFrame, "remedies" | "because">;

export const explainStatus: ExplainStatus = (sim, chainStatus, plan, tried) => ({
  remedies: tried === "none" ? [] : remediesOf(sim, chainStatus, plan, tried === "in-memory"),
  because: becauseOf(sim, chainStatus),
});
