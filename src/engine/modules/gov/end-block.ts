import type { Any } from "@bufbuild/protobuf/wkt";
import type { Context } from "../../framework/context.ts";
import { ChainError, errorText } from "../../framework/errors.ts";
import { protoText } from "../../framework/proto-text.ts";
import { ServiceRouter } from "../../framework/router.ts";
import { deleteAndBurnDeposits, refundAndDeleteDeposits } from "./deposits.ts";
import { ACTIVE_PROPOSAL, emitOutcome, INACTIVE_PROPOSAL, type ProposalOutcome } from "./events.ts";
import type { GovKeeper } from "./keeper.ts";
import { votingPeriodOf } from "./params.ts";
import { type Closing, closingText, note } from "./steps.ts";
import { tally } from "./tally.ts";
import {
  encodingError,
  LOG_MODULE,
  type Proposal,
  ProposalStatus,
  timeAfter,
  timeOf,
  timestamp,
} from "./types.ts";

/**
 * Drops proposals whose deposits did not reach the minimum in time, then closes those whose voting
 * has ended; each list in order of (time, id), as at the start of EndBlock (rules/gov 7.1, 7.2).
 */
export function endBlock(ctx: Context, k: GovKeeper): void {
  for (const id of k.inactiveDue(ctx, ctx.time)) dropProposal(ctx, k, k.getProposal(ctx, id));
  for (const id of k.activeDue(ctx, ctx.time)) closeProposal(ctx, k, k.getProposal(ctx, id));
}

function dropProposal(ctx: Context, k: GovKeeper, proposal: Proposal): void {
  const { id } = proposal;
  const unsupported = unsupportedMessage(k, proposal);
  if (unsupported !== undefined) {
    k.dequeueInactive(ctx, proposal);
    failUnsupported(ctx, k, proposal, unsupported, INACTIVE_PROPOSAL);
    return;
  }
  k.deleteProposal(ctx, proposal);
  if (k.getParams(ctx).burnProposalDepositPrevote) deleteAndBurnDeposits(ctx, k, id);
  else refundAndDeleteDeposits(ctx, k, id);
  note(ctx, "dropped", { proposalId: id }, "refused");
  ctx.log("info", LOG_MODULE, "proposal did not meet minimum deposit; deleted", {
    proposal: String(id),
    title: proposal.title,
  });
  emitOutcome(ctx, INACTIVE_PROPOSAL, id, "proposal_dropped");
}

/** Changes to a closed proposal, and the outcome in its event. */
interface Verdict {
  readonly result: ProposalOutcome;
  readonly closing: Closing;
  readonly change: Partial<Proposal>;
}

function closeProposal(ctx: Context, k: GovKeeper, proposal: Proposal): void {
  const { id } = proposal;
  const unsupported = unsupportedMessage(k, proposal);
  if (unsupported !== undefined) {
    k.dequeueActive(ctx, proposal);
    failUnsupported(ctx, k, proposal, unsupported, ACTIVE_PROPOSAL);
    return;
  }
  const { passes, burnDeposits, result: finalTallyResult } = tally(ctx, k, proposal);
  // Votes are always deleted: if an expedited proposal becomes a regular one, votes must be cast
  // again.
  k.deleteVotes(ctx, id);
  if (passes || !proposal.expedited) {
    if (burnDeposits) deleteAndBurnDeposits(ctx, k, id);
    else refundAndDeleteDeposits(ctx, k, id);
  }
  k.dequeueActive(ctx, proposal);

  const verdict = passes
    ? execute(ctx, k, proposal)
    : proposal.expedited
      ? convert(ctx, k, proposal)
      : REJECTED;
  const closed: Proposal = { ...proposal, ...verdict.change, finalTallyResult };
  k.setProposal(ctx, closed);
  if (closed.status === ProposalStatus.VOTING_PERIOD) k.enqueueActive(ctx, closed);
  const { closing } = verdict;
  note(ctx, "closed", { proposalId: id, closing }, closing.result === "passed" ? "ok" : "refused");
  const text = closingText(closing);
  ctx.log("info", LOG_MODULE, "proposal tallied", {
    proposal: String(id),
    status: `PROPOSAL_STATUS_${ProposalStatus[closed.status]}`,
    title: proposal.title,
    results: text,
  });
  emitOutcome(ctx, ACTIVE_PROPOSAL, id, verdict.result, text);
}

const REJECTED: Verdict = {
  result: "proposal_rejected",
  closing: { result: "rejected" },
  change: {
    status: ProposalStatus.REJECTED,
    failedReason: "proposal did not get enough votes to pass",
  },
};

/**
 * Converts a failed expedited proposal to a regular one; its voting period counts from the same
 * start.
 */
function convert(ctx: Context, k: GovKeeper, proposal: Proposal): Verdict {
  const period = votingPeriodOf(k.getParams(ctx), false);
  const votingEndTime = timestamp(
    timeAfter(timeOf(proposal.votingStartTime), period, encodingError),
  );
  return {
    result: "expedited_proposal_rejected",
    closing: { result: "converted" },
    change: { expedited: false, votingEndTime },
  };
}

/** Runs the messages of a passed proposal, all or none (rules/gov 7.3). */
function execute(ctx: Context, k: GovKeeper, proposal: Proposal): Verdict {
  let index = 0;
  try {
    ctx.atomically(() => {
      for (; index < proposal.messages.length; index++) {
        runMessage(ctx, k, proposal.messages[index] as Any, k.sentUrl(ctx, proposal, index));
      }
    });
  } catch (error) {
    const reason = errorText(error);
    const typeUrl = k.sentUrl(ctx, proposal, index);
    return {
      result: "proposal_failed",
      closing: { result: "failed", index, typeUrl, error: reason },
      change: { status: ProposalStatus.FAILED, failedReason: reason },
    };
  }
  return {
    result: "proposal_passed",
    closing: { result: "passed" },
    change: { status: ProposalStatus.PASSED },
  };
}

/** Runs one message; every failure is thrown as an error, panics included. */
function runMessage(ctx: Context, k: GovKeeper, any: Any, sent: string): void {
  const route = k.needs.router.message(any.typeUrl);
  if (route === undefined) throw unregistered(any.typeUrl);
  const message = ServiceRouter.decode(route, any);
  try {
    route.invoke(ctx, message);
    note(ctx, "execute", { typeUrl: sent }, "ok");
  } catch (error) {
    note(ctx, "execute", { typeUrl: sent, error: errorText(error) }, "refused");
    if (error instanceof ChainError) throw error;
    const text = protoText(route.input, message);
    throw new Error(`handling x/gov proposal msg [${text}] PANICKED: ${errorText(error)}`);
  }
}

/**
 * Error for a message that this binary cannot decode because an upgrade removed its module;
 * undefined if there is none (rules/gov 7.4).
 */
function unsupportedMessage(k: GovKeeper, proposal: Proposal): Error | undefined {
  const unknown = proposal.messages.find((any) => !k.needs.router.message(any.typeUrl));
  return unknown && unregistered(unknown.typeUrl);
}

const unregistered = (url: string): Error =>
  new Error(`no concrete type registered for type URL ${url} against interface *types.Msg`);

function failUnsupported(
  ctx: Context,
  k: GovKeeper,
  proposal: Proposal,
  error: Error,
  event: string,
): void {
  const failedReason = `proposal failed because it cannot be processed by gov: ${error.message}`;
  k.setProposal(ctx, { ...proposal, status: ProposalStatus.FAILED, failedReason });
  refundAndDeleteDeposits(ctx, k, proposal.id);
  note(ctx, "unsupported", { proposalId: proposal.id, error: failedReason }, "refused");
  emitOutcome(ctx, event, proposal.id, "proposal_failed");
}
