import type { Simulation } from "../../../engine/simulation/simulation.ts";
import type { ChainStatus } from "../../../engine/simulation/views.ts";
import type { ChainStatus as ChainStatusFrame } from "../../../gen/lab/v1/lab_plain.ts";
import type { DuePlan } from "./binary-compatibility.ts";
import { becauseOf } from "./chain-status.ts";
import { remediesOf } from "./remedies.ts";

/** What is said of a chain's status: why it is so, and what would bring missing nodes back. */
export type ExplainStatus = (
  sim: Simulation,
  chainStatus: ChainStatus,
  plan: DuePlan | undefined,
) => Pick<ChainStatusFrame, "remedies" | "because">;

export const explainStatus: ExplainStatus = (sim, chainStatus, plan) => ({
  remedies: remediesOf(sim, chainStatus, plan),
  because: becauseOf(sim, chainStatus),
});
