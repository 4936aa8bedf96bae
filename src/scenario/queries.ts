/** Queries of the chain for steps, through the public query services. */

import { decToText } from "../base/dec.ts";
import { paramsFromMessage } from "../engine/modules/slashing/types.ts";
import type { Simulation } from "../engine/simulation/simulation.ts";
import { Query as BankQuery } from "../gen/chain/bank/v1beta1/query_pb.ts";
import type { Params } from "../gen/chain/gov/v1/gov_pb.ts";
import { ProposalStatus } from "../gen/chain/gov/v1/gov_pb.ts";
import { Query as GovQuery } from "../gen/chain/gov/v1/query_pb.ts";
import { Query as SlashingQuery } from "../gen/chain/slashing/v1beta1/query_pb.ts";
import { Query as UpgradeQuery } from "../gen/chain/upgrade/v1beta1/query_pb.ts";
import { query } from "../view/lab/query.ts";
import { StepError } from "./step-context.ts";

/** The height at which a plan was applied; 0 if it was not. */
export const appliedHeight = (sim: Simulation, name: string): number =>
  Number(query(sim, UpgradeQuery.method.appliedPlan, { name }).height);

/** Names of proposal states in scenarios. */
export const PROPOSAL_STATES = ["deposit", "voting", "passed", "rejected", "failed"] as const;
export type ProposalState = (typeof PROPOSAL_STATES)[number];

const STATE_BY_STATUS: Readonly<Record<number, ProposalState>> = {
  [ProposalStatus.DEPOSIT_PERIOD]: "deposit",
  [ProposalStatus.VOTING_PERIOD]: "voting",
  [ProposalStatus.PASSED]: "passed",
  [ProposalStatus.REJECTED]: "rejected",
  [ProposalStatus.FAILED]: "failed",
};

/** Undefined if the proposal does not exist, or no longer exists. */
export function proposalState(sim: Simulation, id: bigint): ProposalState | undefined {
  try {
    const { proposal } = query(sim, GovQuery.method.proposal, { proposalId: id });
    return STATE_BY_STATUS[proposal?.status ?? 0];
  } catch {
    return undefined;
  }
}

export function govParams(sim: Simulation): Params {
  const { params } = query(sim, GovQuery.method.params, { paramsType: "tallying" });
  if (!params) throw new StepError("the chain has no governance parameters");
  return params;
}

/** An account's spendable balance in the chain's denom. */
export function balanceOf(sim: Simulation, address: string): bigint {
  const request = { address, denom: sim.spec.staking.bondDenom };
  return BigInt(query(sim, BankQuery.method.balance, request).balance?.amount ?? 0);
}

/**
 * A sentence with the penalty for a double sign.
 * @param power in the evidence; if undefined, that at its height (rules/evidence 5.6)
 */
export function doubleSignPenalty(sim: Simulation, power: number | undefined): string {
  const { params } = query(sim, SlashingQuery.method.params, {});
  const share = paramsFromMessage(params).slashFractionDoubleSign;
  const percent = decToText(share * 100n);
  const stake = power === undefined ? "the stake it had then" : `the stake of ${power} power`;
  return `What counts costs ${percent} % of ${stake}, and the validator is out for ever.`;
}
