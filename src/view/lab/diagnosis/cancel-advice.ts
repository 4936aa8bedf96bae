import type { Duration as DurationMessage, Timestamp } from "@bufbuild/protobuf/wkt";
import { type Duration, formatProtoTime, fromTimestamp, type Time } from "../../../base/time.ts";
import { type Params, type Proposal, ProposalStatus } from "../../../gen/chain/gov/v1/gov_pb.ts";
import type { CancelAdvice } from "../../../gen/lab/v1/lab_plain.ts";
import type { BlockTimes } from "../frame/block-times.ts";

/** A proposal that contains a plan, under the current params of the chain. */
export interface PlannedProposal {
  readonly proposal: Proposal;
  readonly planHeight: number;
  readonly params: Params;
}

/**
 * Deadline for cancelling an upgrade by vote (rules/upgrade 3.4). A cancellation counts from the
 * block in which its voting starts, with its full deposit. It must be executed before the plan is,
 * and not before there is a plan.
 */
export function cancelAdvice(
  { proposal, planHeight, params }: PlannedProposal,
  safetyDelta: Duration,
  times: BlockTimes,
): CancelAdvice {
  const voting = spanOf(params.votingPeriod);
  const deposit = spanOf(params.maxDepositPeriod);
  const advised = timeOf(proposal.submitTime) + 2n * (voting + deposit) + safetyDelta;
  const advisedHeight = times.firstAt(advised);
  const passes = votingEnd(proposal, params, times);
  const scheduled = times.firstAt(passes);
  const lastStart = (period: Duration): number => {
    // A plan whose height has passed by then is not scheduled.
    if (planHeight < scheduled) return 0;
    // A plan for the block that schedules it fires one block later.
    const lastBlock = Math.max(planHeight - 1, scheduled);
    const height = times.lastAt(times.at(lastBlock) - period);
    return height > 0 && times.at(height) + period >= passes ? height : 0;
  };
  const lastHeight = lastStart(voting);
  const lastExpeditedHeight = lastStart(spanOf(params.expeditedVotingPeriod));
  return {
    advisedHeight,
    enough: planHeight >= advisedHeight,
    lastHeight,
    lastTime: lastHeight === 0 ? "" : formatProtoTime(times.at(lastHeight)),
    lastExpeditedHeight,
    possible: Math.max(lastHeight, lastExpeditedHeight) >= times.next,
  };
}

/**
 * End of the voting period; for a proposal in the deposit period, its end if voting started in the
 * next block.
 */
function votingEnd(proposal: Proposal, params: Params, times: BlockTimes): Time {
  if (proposal.status !== ProposalStatus.DEPOSIT_PERIOD) return timeOf(proposal.votingEndTime);
  const period = proposal.expedited ? params.expeditedVotingPeriod : params.votingPeriod;
  return times.at(times.next) + spanOf(period);
}

export interface ScheduledPlan {
  readonly name: string;
  readonly height: number;
}

/** True if a proposal's plan can still be scheduled, or is the scheduled one. */
export function isOpen(
  { status }: Proposal,
  { planName, planHeight }: { readonly planName: string; readonly planHeight: number },
  scheduled: ScheduledPlan | undefined,
): boolean {
  if (status === ProposalStatus.DEPOSIT_PERIOD || status === ProposalStatus.VOTING_PERIOD) {
    return true;
  }
  const isScheduled = scheduled?.name === planName && scheduled.height === planHeight;
  return status === ProposalStatus.PASSED && isScheduled;
}

const timeOf = (timestamp: Timestamp | undefined): Time =>
  timestamp === undefined ? 0n : fromTimestamp(timestamp);

const spanOf = (duration: DurationMessage | undefined): Duration =>
  duration === undefined ? 0n : fromTimestamp(duration);
