/** Queries of gov v1beta1: the responses of v1 in the older form (rules/gov 9.2). */
import type { MessageInitShape } from "@bufbuild/protobuf";
import { utf8 } from "../../../base/bytes.ts";
import { decFromString } from "../../../base/dec.ts";
import { GO_ZERO_TIME } from "../../../base/time.ts";
import type { Deposit, Proposal, Vote } from "../../../gen/chain/gov/v1/gov_pb.ts";
import type { Query as QueryV1 } from "../../../gen/chain/gov/v1/query_pb.ts";
import { MsgExecLegacyContentSchema } from "../../../gen/chain/gov/v1/tx_pb.ts";
import type {
  ProposalSchema as LegacyProposalSchema,
  VoteSchema as LegacyVoteSchema,
} from "../../../gen/chain/gov/v1beta1/gov_pb.ts";
import type { Query } from "../../../gen/chain/gov/v1beta1/query_pb.ts";
import { unpackAny } from "../../framework/codec.ts";
import { sdkErrors } from "../../framework/errors.ts";
import type { ServiceImpl } from "../../framework/router.ts";
import { durationMessage, timestamp } from "../../framework/time-messages.ts";
import type { GovKeeper } from "./keeper.ts";
import { readContent } from "./legacy.ts";
import { emptyTally, type TallyResult } from "./types.ts";

export const legacyQueryServer = (
  k: GovKeeper,
  v1: ServiceImpl<typeof QueryV1>,
): ServiceImpl<typeof Query> => ({
  proposal: (ctx, { proposalId }) => ({
    proposal: legacyProposal(k, v1.proposal(ctx, v1Request(proposalId)).proposal as Proposal),
  }),

  proposals(ctx, request) {
    const { proposals = [], pagination } = v1.proposals(ctx, {
      ...request,
      $typeName: "chain.gov.v1.QueryProposalsRequest",
    });
    const found = proposals.map((one) => legacyProposal(k, one as Proposal));
    return { proposals: found, ...(pagination && { pagination }) };
  },

  vote(ctx, { proposalId, voter }) {
    const request = { $typeName: "chain.gov.v1.QueryVoteRequest", proposalId, voter } as const;
    return { vote: legacyVote(v1.vote(ctx, request).vote as Vote) };
  },

  votes(ctx, request) {
    const { votes = [], pagination } = v1.votes(ctx, {
      ...request,
      $typeName: "chain.gov.v1.QueryVotesRequest",
    });
    const found = votes.map((vote) => legacyVote(vote as Vote));
    return { votes: found, ...(pagination && { pagination }) };
  },

  params(ctx, { paramsType }) {
    const { votingParams, depositParams, tallyParams } = v1.params(ctx, {
      $typeName: "chain.gov.v1.QueryParamsRequest",
      paramsType,
    });
    const none = durationMessage(0n);
    const dec = (text = "0") => utf8(`${decFromString(text)}`);
    return {
      votingParams: { votingPeriod: votingParams?.votingPeriod ?? none },
      depositParams: {
        minDeposit: depositParams?.minDeposit ?? [],
        maxDepositPeriod: depositParams?.maxDepositPeriod ?? none,
      },
      tallyParams: {
        quorum: dec(tallyParams?.quorum),
        threshold: dec(tallyParams?.threshold),
        vetoThreshold: dec(tallyParams?.vetoThreshold),
      },
    };
  },

  deposit(ctx, { proposalId, depositor }) {
    const request = {
      $typeName: "chain.gov.v1.QueryDepositRequest",
      proposalId,
      depositor,
    } as const;
    return { deposit: legacyDeposit(v1.deposit(ctx, request).deposit as Deposit) };
  },

  deposits(ctx, request) {
    const { deposits = [], pagination } = v1.deposits(ctx, {
      ...request,
      $typeName: "chain.gov.v1.QueryDepositsRequest",
    });
    const found = deposits.map((deposit) => legacyDeposit(deposit as Deposit));
    return { deposits: found, ...(pagination && { pagination }) };
  },

  tallyResult(ctx, { proposalId }) {
    const request = { $typeName: "chain.gov.v1.QueryTallyResultRequest", proposalId } as const;
    return { tally: legacyTally(v1.tallyResult(ctx, request).tally as TallyResult) };
  },
});

const v1Request = (proposalId: bigint) =>
  ({ $typeName: "chain.gov.v1.QueryProposalRequest", proposalId }) as const;

/** An unset time is Go's year one, since the field is not a pointer in v1beta1. */
const timeOr = (time: Proposal["submitTime"]) => time ?? timestamp(GO_ZERO_TIME);

/**
 * Converts a proposal with its content: that of a MsgExecLegacyContent, else its single message.
 * Throws sdk 29 for any other number of messages.
 */
function legacyProposal(
  k: GovKeeper,
  proposal: Proposal,
): MessageInitShape<typeof LegacyProposalSchema> {
  const [message, ...others] = proposal.messages;
  if (message === undefined || others.length > 0) {
    throw sdkErrors.invalidType.wrap(
      "can't convert a gov/v1 Proposal to gov/v1beta1 Proposal when amount of proposal messages not exactly one",
    );
  }
  const exec = unpackAny(MsgExecLegacyContentSchema, message);
  if (exec !== undefined) readContent(k, exec.content);
  const { id, status, totalDeposit, submitTime, depositEndTime } = proposal;
  return {
    proposalId: id,
    content: exec?.content ?? message,
    status,
    totalDeposit,
    finalTallyResult: legacyTally(proposal.finalTallyResult ?? emptyTally()),
    submitTime: timeOr(submitTime),
    depositEndTime: timeOr(depositEndTime),
    votingStartTime: timeOr(proposal.votingStartTime),
    votingEndTime: timeOr(proposal.votingEndTime),
  };
}

const legacyTally = ({ yesCount, abstainCount, noCount, noWithVetoCount }: TallyResult) => ({
  yes: yesCount,
  abstain: abstainCount,
  no: noCount,
  noWithVeto: noWithVetoCount,
});

const legacyVote = ({
  proposalId,
  voter,
  options,
}: Vote): MessageInitShape<typeof LegacyVoteSchema> => ({
  proposalId,
  voter,
  options: options.map(({ option, weight }) => ({ option, weight: `${decFromString(weight)}` })),
});

const legacyDeposit = ({ proposalId, depositor, amount }: Deposit) => ({
  proposalId,
  depositor,
  amount,
});
