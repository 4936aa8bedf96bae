import type { Simulation } from "../../../engine/simulation/simulation.ts";
import { Query } from "../../../gen/chain/gov/v1/query_pb.ts";
import { Query as UpgradeQuery } from "../../../gen/chain/upgrade/v1beta1/query_pb.ts";
import type { CancelAdvice } from "../../../gen/lab/v1/lab_plain.ts";
import { cancelAdvice } from "../diagnosis/cancel-advice.ts";
import { BlockTimes } from "../frame/block-times.ts";
import { openPlans, viewOf } from "../frame/proposals.ts";
import { query } from "../query.ts";

/** Deadline for cancelling one proposal's plan; undefined if it has none to cancel. */
export function adviceOn(sim: Simulation, proposalId: bigint): CancelAdvice | undefined {
  const { proposal } = query(sim, Query.method.proposal, { proposalId });
  const { plan } = query(sim, UpgradeQuery.method.currentPlan, {});
  if (proposal === undefined) return undefined;
  const scheduled = plan && { name: plan.name, height: Number(plan.height) };
  const read = { view: viewOf(sim, proposal), proposal };
  const planned = openPlans(sim, [read], scheduled).get(Number(proposalId));
  return planned && cancelAdvice(planned, sim.spec.safetyDelta, new BlockTimes(sim));
}
