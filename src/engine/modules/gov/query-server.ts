import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  Query,
  QueryParamsResponseSchema,
  QueryProposalsRequest,
} from "../../../gen/chain/gov/v1/query_pb.ts";
import type { Context } from "../../framework/context.ts";
import { errorText, STATUS, StatusError } from "../../framework/errors.ts";
import { paginate } from "../../framework/pagination.ts";
import type { ServiceImpl } from "../../framework/router.ts";
import { fromAccAddress } from "../../primitives/bech32.ts";
import type { Entry } from "../../store/kv-store.ts";
import { depositCodec, type GovKeeper, proposalCodec, voteCodec } from "./keeper.ts";
import { depositsKey, PROPOSALS, votesKey } from "./keys.ts";
import { tally } from "./tally.ts";
import {
  emptyTally,
  MODULE_NAME,
  type Params,
  type Proposal,
  ProposalStatus,
  type TallyResult,
} from "./types.ts";

/** A proposal's votes and deposits may be asked for whether there is such a proposal or not. */
export const queryServer = (k: GovKeeper): ServiceImpl<typeof Query> => ({
  proposal: (ctx, { proposalId }) => ({ proposal: proposalOf(ctx, k, proposalId) }),

  proposals(ctx, request) {
    const page = paginate(
      ctx.store(MODULE_NAME),
      PROPOSALS,
      request.pagination,
      (entry) => entry.read(proposalCodec),
      filter(ctx, k, request),
    );
    return { proposals: page.items, pagination: page.pagination };
  },

  vote(ctx, { proposalId, voter }) {
    nonZero(proposalId);
    if (voter === "") throw invalid("empty voter address");
    const vote = k.getVote(ctx, proposalId, addressOf(voter));
    if (vote === undefined) {
      throw invalid(`voter: ${voter} not found for proposal: ${proposalId}`);
    }
    return { vote };
  },

  votes(ctx, { proposalId, pagination }) {
    nonZero(proposalId);
    const page = paginate(ctx.store(MODULE_NAME), votesKey(proposalId), pagination, (entry) =>
      entry.read(voteCodec),
    );
    return { votes: page.items, pagination: page.pagination };
  },

  params(ctx, { paramsType }) {
    const params = k.getParams(ctx);
    return { params, ...legacyParams(params, paramsType) };
  },

  deposit(ctx, { proposalId, depositor }) {
    nonZero(proposalId);
    if (depositor === "") throw invalid("empty depositor address");
    const deposit = k.getDeposit(ctx, proposalId, addressOf(depositor));
    if (deposit === undefined) throw depositNotFound(proposalId, depositor);
    return { deposit };
  },

  deposits(ctx, { proposalId, pagination }) {
    nonZero(proposalId);
    const page = paginate(ctx.store(MODULE_NAME), depositsKey(proposalId), pagination, (entry) =>
      entry.read(depositCodec),
    );
    return { deposits: page.items, pagination: page.pagination };
  },

  tallyResult: (ctx, { proposalId }) => ({
    tally: tallyOf(ctx, k, proposalOf(ctx, k, proposalId)),
  }),
});

/** The params of one type once more, where clients of older chains look for them; upstream's Query/Params does so. */
function legacyParams(
  params: Params,
  type: string,
): MessageInitShape<typeof QueryParamsResponseSchema> {
  const { minDeposit, maxDepositPeriod, votingPeriod, quorum, threshold, vetoThreshold } = params;
  switch (type) {
    case "":
      return {};
    case "deposit":
      return { depositParams: { minDeposit, ...(maxDepositPeriod ? { maxDepositPeriod } : {}) } };
    case "voting":
      return { votingParams: votingPeriod ? { votingPeriod } : {} };
    case "tallying":
      return { tallyParams: { quorum, threshold, vetoThreshold } };
    default:
      throw invalid(`unknown params type: ${type}`);
  }
}

/** In the words of upstream's store. */
const depositNotFound = (id: bigint, depositor: string): StatusError =>
  new StatusError(
    STATUS.notFound,
    `collections: not found: key '("${id}", "${depositor}")' of type github.com/cosmos/gogoproto/chain.gov.v1.Deposit`,
  );

/** During the voting the votes so far are counted; before it there are none; after it the count stands. */
function tallyOf(ctx: Context, k: GovKeeper, proposal: Proposal): TallyResult {
  if (proposal.status === ProposalStatus.VOTING_PERIOD) return tally(ctx, k, proposal).result;
  return proposal.finalTallyResult ?? emptyTally();
}

function proposalOf(ctx: Context, k: GovKeeper, id: bigint): Proposal {
  nonZero(id);
  const proposal = k.findProposal(ctx, id);
  if (proposal !== undefined) return proposal;
  throw new StatusError(STATUS.notFound, `proposal ${id} doesn't exist`);
}

/** Only proposals of a status, voted on by someone, given to by someone: whatever of it is asked. */
function filter(
  ctx: Context,
  k: GovKeeper,
  { proposalStatus, voter, depositor }: QueryProposalsRequest,
): (entry: Entry) => boolean {
  const byVoter = voter === "" ? undefined : addressOf(voter);
  const byDepositor = depositor === "" ? undefined : addressOf(depositor);
  const byStatus = ProposalStatus[proposalStatus] === undefined ? 0 : proposalStatus;
  return (entry) => {
    const { id, status } = entry.read(proposalCodec);
    return (
      (byStatus === 0 || status === byStatus) &&
      (byVoter === undefined || k.getVote(ctx, id, byVoter) !== undefined) &&
      (byDepositor === undefined || k.getDeposit(ctx, id, byDepositor) !== undefined)
    );
  };
}

function nonZero(id: bigint): void {
  if (id === 0n) throw invalid("proposal id can not be 0");
}

function addressOf(text: string): Uint8Array {
  try {
    return fromAccAddress(text);
  } catch (error) {
    throw invalid(errorText(error));
  }
}

const invalid = (text: string): StatusError => new StatusError(STATUS.invalidArgument, text);
