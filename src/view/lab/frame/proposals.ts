import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { formatProtoTime, fromTimestamp } from "../../../base/time.ts";
import { unpackAny } from "../../../engine/framework/codec.ts";
import { tally } from "../../../engine/modules/gov/tally.ts";
import type { Simulation } from "../../../engine/simulation/simulation.ts";
import { type Proposal, ProposalStatus } from "../../../gen/chain/gov/v1/gov_pb.ts";
import { MsgSoftwareUpgradeSchema } from "../../../gen/chain/upgrade/v1beta1/tx_pb.ts";
import type { Plan } from "../../../gen/chain/upgrade/v1beta1/upgrade_pb.ts";
import type { ProposalView } from "../../../gen/lab/v1/lab_plain.ts";
import { isOpen, type PlannedProposal, type ScheduledPlan } from "../diagnosis/cancel-advice.ts";
import { paramsOf, readOr } from "./read-state.ts";
import { tallyView } from "./tally.ts";

/** The newest ones; older ones require a query. */
const NEWEST = 50;

const STATUS: Readonly<Record<ProposalStatus, string>> = {
  [ProposalStatus.UNSPECIFIED]: "",
  [ProposalStatus.DEPOSIT_PERIOD]: "deposit",
  [ProposalStatus.VOTING_PERIOD]: "voting",
  [ProposalStatus.PASSED]: "passed",
  [ProposalStatus.REJECTED]: "rejected",
  [ProposalStatus.FAILED]: "failed",
};

export interface ReadProposal {
  readonly view: ProposalView;
  readonly proposal: Proposal;
}

/**
 * The newest proposals, oldest first, with their current tallies.
 *
 * @param bondedAtCount bonded tokens at a proposal's tally, if there was one
 */
export function proposalsOf(
  sim: Simulation,
  bondedAtCount: (id: number) => bigint | undefined,
  most = NEWEST,
): ReadProposal[] {
  return readOr(sim, [], (ctx, { gov }) => gov.newestProposals(ctx, most))
    .map((proposal) => {
      const view = viewOf(sim, proposal);
      const votes = tallyView(sim, proposal, view, bondedAtCount(view.id));
      return { view: votes ? { ...view, tally: votes } : view, proposal };
    })
    .reverse();
}

/** Proposals whose plan may still be cancelled, by id. */
export function openPlans(
  sim: Simulation,
  proposals: readonly ReadProposal[],
  scheduled: ScheduledPlan | undefined,
): ReadonlyMap<number, PlannedProposal> {
  const params = paramsOf(sim);
  if (params === undefined) return new Map();
  const open = proposals.filter(
    ({ view, proposal }) => view.planHeight > 0 && isOpen(proposal, view, scheduled),
  );
  return new Map(
    open.map(({ view, proposal }) => [view.id, { proposal, planHeight: view.planHeight, params }]),
  );
}

export function viewOf(sim: Simulation, proposal: Proposal): ProposalView {
  const { id, title, status, messages, failedReason, totalDeposit } = proposal;
  const counted =
    status === ProposalStatus.VOTING_PERIOD
      ? readOr(sim, undefined, (ctx, { gov }) => tally(ctx, gov, proposal).result)
      : proposal.finalTallyResult;
  const plan = planIn(proposal);
  return {
    id: Number(id),
    title,
    status: STATUS[status],
    messages: messages.map(({ typeUrl }) => typeUrl),
    votingEnd: timeText(proposal.votingEndTime),
    failedReason,
    yes: counted?.yesCount ?? "0",
    no: counted?.noCount ?? "0",
    abstain: counted?.abstainCount ?? "0",
    veto: counted?.noWithVetoCount ?? "0",
    planName: plan?.name ?? "",
    planHeight: Number(plan?.height ?? 0),
    submitTime: timeText(proposal.submitTime),
    votingStart: timeText(proposal.votingStartTime),
    depositEnd: timeText(proposal.depositEndTime),
    deposit: totalDeposit.find(({ denom }) => denom === sim.spec.staking.bondDenom)?.amount ?? "0",
  };
}

export const planIn = ({ messages }: Pick<Proposal, "messages">): Plan | undefined =>
  messages
    .map((any) => unpackAny(MsgSoftwareUpgradeSchema, any)?.plan)
    .find((found) => found !== undefined);

const timeText = (timestamp: Timestamp | undefined): string =>
  timestamp === undefined ? "" : formatProtoTime(fromTimestamp(timestamp));
