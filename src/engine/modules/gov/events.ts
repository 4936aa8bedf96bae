import type { Context } from "../../framework/context.ts";

/** Events of governance: types, attribute order and literals are upstream's (rules/gov 2.3). */
export const SUBMIT_PROPOSAL = "submit_proposal";
export const PROPOSAL_DEPOSIT = "proposal_deposit";
const PROPOSAL_VOTE = "proposal_vote";
const CANCEL_PROPOSAL = "cancel_proposal";
export const INACTIVE_PROPOSAL = "inactive_proposal";
export const ACTIVE_PROPOSAL = "active_proposal";

export type ProposalOutcome =
  | "proposal_dropped"
  | "proposal_passed"
  | "proposal_rejected"
  | "expedited_proposal_rejected"
  | "proposal_failed";

/** Every type URL is preceded by a comma, including the first. */
export const emitSubmitProposal = (
  ctx: Context,
  id: bigint,
  proposer: string,
  urls: readonly string[],
): void =>
  ctx.emit(
    SUBMIT_PROPOSAL,
    ["proposal_id", String(id)],
    ["proposal_proposer", proposer],
    ["proposal_messages", urls.map((url) => `,${url}`).join("")],
  );

/** Emits `voting_period_start` under the type of the message that started the voting. */
export const emitVotingStarted = (ctx: Context, type: string, id: bigint): void =>
  ctx.emit(type, ["voting_period_start", String(id)]);

export const emitDeposit = (ctx: Context, depositor: string, amount: string, id: bigint): void =>
  ctx.emit(
    PROPOSAL_DEPOSIT,
    ["depositor", depositor],
    ["amount", amount],
    ["proposal_id", String(id)],
  );

export const emitVote = (ctx: Context, voter: string, options: string, id: bigint): void =>
  ctx.emit(PROPOSAL_VOTE, ["voter", voter], ["option", options], ["proposal_id", String(id)]);

export const emitCancel = (ctx: Context, sender: string, id: bigint): void =>
  ctx.emit(CANCEL_PROPOSAL, ["sender", sender], ["proposal_id", String(id)]);

export const emitOutcome = (
  ctx: Context,
  type: string,
  id: bigint,
  result: ProposalOutcome,
  log?: string,
): void =>
  ctx.emit(
    type,
    ["proposal_id", String(id)],
    ["proposal_result", result],
    ...(log === undefined ? [] : [["proposal_log", log] as const]),
  );
