import { create } from "@bufbuild/protobuf";
import type { Any } from "@bufbuild/protobuf/wkt";
import { accAddress } from "../../../base/bech32.ts";
import { utf8 } from "../../../base/bytes.ts";
import { ProposalSchema } from "../../../gen/chain/gov/v1/gov_pb.ts";
import type { MsgSubmitProposal } from "../../../gen/chain/gov/v1/tx_pb.ts";
import { decodeErrorText } from "../../framework/codec.ts";
import type { Context } from "../../framework/context.ts";
import { ServiceRouter, signerAddress, signerOf } from "../../framework/router.ts";
import { chargeDeposits } from "./deposits.ts";
import {
  ErrInvalidProposal,
  ErrInvalidProposalContent,
  ErrInvalidProposalMsg,
  ErrInvalidProposer,
  ErrInvalidSigner,
  ErrMetadataTooLong,
  ErrSummaryTooLong,
  ErrUnroutableProposalMsg,
  ErrVotingPeriodEnded,
} from "./errors.ts";
import { emitSubmitProposal } from "./events.ts";
import type { GovKeeper } from "./keeper.ts";
import { tryLegacyContent } from "./legacy.ts";
import { MAX_METADATA_LENGTH, MAX_SUMMARY_LENGTH } from "./params.ts";
import { note } from "./steps.ts";
import {
  durationOf,
  emptyTally,
  encodingError,
  type Proposal,
  ProposalStatus,
  timeAfter,
  timeOf,
  timestamp,
} from "./types.ts";

/** Stores a new proposal and starts its deposit period (rules/gov 2.2). */
export function submitProposal(ctx: Context, k: GovKeeper, msg: MsgSubmitProposal): Proposal {
  checkLength(msg.metadata);
  const summaryLength = utf8(msg.summary).length;
  if (summaryLength > MAX_SUMMARY_LENGTH) {
    throw ErrSummaryTooLong.wrap(`got summary with length ${summaryLength}`);
  }
  checkLength(msg.title);
  for (const any of msg.messages) {
    checkMessage(k, any);
    tryLegacyContent(ctx, k, any);
  }

  const end = timeAfter(ctx.time, durationOf(k.getParams(ctx).maxDepositPeriod), encodingError);
  const proposal = create(ProposalSchema, {
    id: k.nextProposalId(ctx),
    // The state uses one name per type, independent of the root with which it was sent.
    messages: msg.messages.map((any) => k.needs.router.inChain(any)),
    status: ProposalStatus.DEPOSIT_PERIOD,
    finalTallyResult: emptyTally(),
    submitTime: timestamp(ctx.time),
    depositEndTime: timestamp(end),
    metadata: msg.metadata,
    title: msg.title,
    summary: msg.summary,
    proposer: msg.proposer,
    expedited: msg.expedited,
  });
  k.setProposal(ctx, proposal);
  k.noteSent(ctx, proposal.id, msg.messages);
  k.enqueueInactive(ctx, proposal);
  note(ctx, "submitted", { proposalId: proposal.id, until: end }, "ok");
  const urls = msg.messages.map((any) => any.typeUrl);
  emitSubmitProposal(ctx, proposal.id, msg.proposer, urls);
  return proposal;
}

/** Cancels a proposal for its proposer, who pays the cancel ratio (rules/gov 5.1). */
export function cancelProposal(ctx: Context, k: GovKeeper, id: bigint, proposer: string): void {
  const proposal = k.getProposal(ctx, id);
  if (proposal.proposer === "") {
    throw ErrInvalidProposal.wrap(
      `proposal ${id} doesn't have proposer ${proposer}, so cannot be canceled`,
    );
  }
  if (proposal.proposer !== proposer) {
    throw ErrInvalidProposer.wrap(`invalid proposer ${proposer}`);
  }
  const { status, votingEndTime } = proposal;
  if (status !== ProposalStatus.DEPOSIT_PERIOD && status !== ProposalStatus.VOTING_PERIOD) {
    throw ErrInvalidProposal.wrap("proposal should be in the deposit or voting period");
  }
  if (votingEndTime !== undefined && timeOf(votingEndTime) < ctx.time) {
    throw ErrVotingPeriodEnded.wrap(`voting period is already ended for this proposal ${id}`);
  }
  chargeDeposits(ctx, k, id, k.getParams(ctx));
  k.deleteVotes(ctx, id);
  k.deleteProposal(ctx, proposal);
  note(ctx, "cancelled", { proposalId: id }, "ok");
}

/** Throws unless metadata in the recommended JSON form matches the proposal. */
export function checkMetadata({ metadata, title, summary }: MsgSubmitProposal): void {
  const content = metadata === "" ? undefined : contentOf(metadata);
  if (content === undefined) return;
  if (content.title !== title) {
    throw ErrInvalidProposalContent.wrap(
      `metadata title '${content.title}' must equal proposal title '${title}'`,
    );
  }
  if (content.summary !== summary) {
    throw ErrInvalidProposalContent.wrap(
      `metadata summary '${content.summary}' must equal proposal summary '${summary}'`,
    );
  }
}

export function checkLength(metadata: string): void {
  const { length } = utf8(metadata);
  if (length > MAX_METADATA_LENGTH) {
    throw ErrMetadataTooLong.wrap(`got metadata with length ${length}`);
  }
}

/** Parses the metadata as Go would; undefined if Go would fail. */
function contentOf(metadata: string): { title: string; summary: string } | undefined {
  let value: unknown;
  try {
    value = JSON.parse(metadata);
  } catch {
    return undefined;
  }
  if (typeof value !== "object" || Array.isArray(value)) return undefined;
  const { title, summary } = (value ?? {}) as Record<string, unknown>;
  const [t, s] = [title ?? "", summary ?? ""];
  return typeof t === "string" && typeof s === "string" ? { title: t, summary: s } : undefined;
}

/** Throws unless this binary handles the message and governance is its only signer. */
function checkMessage(k: GovKeeper, any: Any): void {
  const route = k.needs.router.message(any.typeUrl);
  if (route === undefined) throw ErrUnroutableProposalMsg.wrap(any.typeUrl);
  let signer: string;
  try {
    signer = signerOf(route.input, ServiceRouter.decode(route, any));
  } catch (error) {
    throw ErrInvalidProposalMsg.wrap(decodeErrorText(error));
  }
  const account = accAddress(signerAddress(route.input, signer));
  if (account !== k.authority) throw ErrInvalidSigner.wrap(account);
}
