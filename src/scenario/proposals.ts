/** Submits proposals and votes, for the verbs propose, vote, pass and upgrade. */
import { create } from "@bufbuild/protobuf";
import type { Any } from "@bufbuild/protobuf/wkt";
import * as v from "valibot";
import { accAddress } from "../base/bech32.ts";
import { INPUT } from "../base/limits.ts";
import { VoteOption } from "../gen/chain/gov/v1/gov_pb.ts";
import {
  MsgSubmitProposalResponseSchema,
  MsgSubmitProposalSchema,
  MsgVoteSchema,
} from "../gen/chain/gov/v1/tx_pb.ts";
import { anyFromJson } from "../view/json.ts";
import { about, list, message, oneOf, text } from "./fields.ts";
import { balanceOf, govParams, proposalState } from "./queries.ts";
import { resolveAll, resolveText } from "./references.ts";
import { makeBlocksUntil } from "./rounds.ts";
import { type StepContext, StepError } from "./step-context.ts";
import {
  included,
  pack,
  queue,
  responseOf,
  type Sending,
  succeed,
  successful,
} from "./transactions.ts";

/** Vote options in scenarios. */
export const VOTE_OPTIONS = ["yes", "no", "abstain", "no_with_veto"] as const;

export const OPTION = {
  yes: VoteOption.YES,
  no: VoteOption.NO,
  abstain: VoteOption.ABSTAIN,
  no_with_veto: VoteOption.NO_WITH_VETO,
} as const;

export interface Proposal {
  readonly title: string;
  readonly metadata?: string;
  readonly messages: readonly Any[];
  /** In the smallest unit; the minimum if absent. */
  readonly deposit?: bigint;
  readonly expedited?: boolean;
}

/**
 * A proposal's content in a scenario. Without messages the chain requires metadata (rules/gov 2.1).
 */
const STAGES = ["proposed", "voted", "decided"] as const;

export const proposalContent = {
  title: about(text, "Title of the proposal, also used as its summary."),
  messages: about(
    list(message, "a list of messages", INPUT.messages),
    "Messages executed if it passes. A text proposal has none and needs metadata.",
  ),
  metadata: about(v.optional(text), "Metadata, or an address of it; at most 255 bytes."),
};

/** Option for the end of a step that passes a proposal. */
export const untilStage = about(
  v.optional(oneOf(...STAGES)),
  "Block at which the step ends: the one with the proposal (proposed), the one with all votes (voted), or the end of voting (decided, the default).",
);

interface SourceContent {
  readonly title: string;
  readonly messages: readonly unknown[];
  readonly metadata?: string | undefined;
}

/** The content with its references resolved. */
export const contentOf = (
  context: StepContext,
  { title, messages, metadata }: SourceContent,
): Proposal => ({
  title: resolveText(context, title),
  messages: messages.map((json) => anyFromJson(resolveAll(context, json))),
  ...(metadata === undefined ? {} : { metadata: resolveText(context, metadata) }),
});

/** Submits a proposal and waits for its block; returns its id. */
export function* submit(
  context: StepContext,
  from: string,
  proposal: Proposal,
): Generator<void, bigint> {
  const tx = yield* succeed(context, submissionOf(context, from, proposal));
  return responseOf(MsgSubmitProposalResponseSchema, tx).proposalId;
}

/** The transaction that submits a proposal. */
export function submissionOf(context: StepContext, from: string, proposal: Proposal): Sending {
  const { sim } = context;
  const { title, metadata = "", messages, expedited = false } = proposal;
  const deposit = proposal.deposit ?? minimumDeposit(context, expedited);
  const coins =
    deposit > 0n ? [{ denom: sim.spec.staking.bondDenom, amount: deposit.toString() }] : [];
  const submission = create(MsgSubmitProposalSchema, {
    title,
    // The chain requires a summary; scenarios have only the title.
    summary: title,
    metadata,
    messages: [...messages],
    initialDeposit: coins,
    proposer: addressOf(context, from),
    expedited,
  });
  return { from, messages: [pack(MsgSubmitProposalSchema, submission)] };
}

export function minimumDeposit({ sim }: StepContext, expedited: boolean): bigint {
  const { minDeposit, expeditedMinDeposit } = govParams(sim);
  const coins = expedited ? expeditedMinDeposit : minDeposit;
  return BigInt(coins.find(({ denom }) => denom === sim.spec.staking.bondDenom)?.amount ?? 0);
}

/** Sends all votes at once and waits for their blocks. */
export function* vote(
  context: StepContext,
  proposalId: bigint,
  option: (typeof VOTE_OPTIONS)[number],
  voters: readonly string[],
): Generator<void, void> {
  const hashes = voters.map((from) => queue(context, ballotOf(context, proposalId, option, from)));
  const txs = yield* included(context, hashes);
  txs.forEach((tx, index) => void successful(tx, voters[index] as string));
}

/** The transaction with the vote of an account. */
export function ballotOf(
  context: StepContext,
  proposalId: bigint,
  option: (typeof VOTE_OPTIONS)[number],
  from: string,
): Sending {
  const voter = addressOf(context, from);
  const ballot = create(MsgVoteSchema, { proposalId, voter, option: OPTION[option] });
  return { from, messages: [pack(MsgVoteSchema, ballot)] };
}

/** Stages of a proposal: included in a block, all votes included in another, or end of voting. */

/** Proposes from the first validator that can pay the deposit, and has every validator vote yes. */
export function* pass(
  context: StepContext,
  proposal: Proposal,
  until: (typeof STAGES)[number] = "decided",
): Generator<void, bigint> {
  const validators = validatorNames(context);
  const deposit = minimumDeposit(context, proposal.expedited ?? false);
  const proposer = validators.find(
    (name) => balanceOf(context.sim, addressOf(context, name)) >= deposit,
  );
  if (proposer === undefined) throw new StepError(`no validator can pay the deposit of ${deposit}`);
  const id = yield* submit(context, proposer, { ...proposal, deposit });
  if (until === "proposed") return id;
  yield* vote(context, id, "yes", validators);
  if (until === "voted") return id;
  yield* makeBlocksUntil(context, () => proposalState(context.sim, id) !== "voting");
  return id;
}

/** The operators' names, without duplicates, in genesis order. */
export const validatorNames = ({ sim }: StepContext): string[] =>
  sim.spec.validators.map(({ name }) => name);

/** The address of an account by its name; an address is returned unchanged. */
export function addressOf({ sim }: StepContext, name: string): string {
  const account = sim.account(name);
  return account ? accAddress(account) : name;
}
