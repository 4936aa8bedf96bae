import type { MessageInitShape } from "@bufbuild/protobuf";
import { fromAccAddress } from "../../../base/bech32.ts";
import {
  Query,
  type QueryParamsResponseSchema,
  type QueryProposalsRequest,
} from "../../../gen/chain/gov/v1/query_pb.ts";
import { Query as LegacyQuery } from "../../../gen/chain/gov/v1beta1/query_pb.ts";
import type { Context } from "../../framework/context.ts";
import { errorText, STATUS, StatusError, unknownAddress } from "../../framework/errors.ts";
import { paginate } from "../../framework/pagination.ts";
import type { ServiceImpl, ServiceRouter } from "../../framework/router.ts";
import type { Entry } from "../../store/kv-store.ts";
import { depositCodec, type GovKeeper, proposalCodec, voteCodec } from "./keeper.ts";
import { depositsKey, PROPOSALS, votesKey } from "./keys.ts";
import { legacyQueryServer } from "./legacy-queries.ts";
import { tally } from "./tally.ts";
import {
  emptyTally,
  MODULE_NAME,
  type Params,
  type Proposal,
  ProposalStatus,
  type TallyResult,
} from "./types.ts";

/** Queries of governance. Lists of votes and deposits of an unknown proposal are empty. */
const queryServer = (k: GovKeeper): ServiceImpl<typeof Query> => ({
  /** Always empty. */
  constitution: () => ({ constitution: "" }),

  proposal: (ctx, { proposalId }) => ({ proposal: proposalOf(ctx, k, proposalId) }),

  proposals(ctx, request) {
    const page = paginate(
      ctx.store(MODULE_NAME),
      PROPOSALS,
      request.pagination,
      (entry) => entry.read(proposalCodec),
      filter(ctx, k, request),
      ctx.profile.filteredPages,
    );
    return { proposals: page.items, pagination: page.pagination };
  },

  vote(ctx, { proposalId, voter }) {
    nonZero(proposalId);
    if (voter === "") throw invalid("empty voter address");
    const vote = k.getVote(ctx, proposalId, addressOf(ctx, voter));
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
    const deposit = k.getDeposit(ctx, proposalId, addressOf(ctx, depositor));
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

export function registerQueries(router: ServiceRouter, keeper: GovKeeper): void {
  const server = queryServer(keeper);
  router.registerQuery(MODULE_NAME, Query, server);
  router.registerQuery(MODULE_NAME, LegacyQuery, legacyQueryServer(keeper, server));
}

/**
 * Repeats the params of one type in the fields that older clients read, as upstream's Query/Params
 * does.
 */
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

/** Upstream's store error for a missing deposit. */
const depositNotFound = (id: bigint, depositor: string): StatusError =>
  new StatusError(
    STATUS.notFound,
    `collections: not found: key '("${id}", "${depositor}")' of type github.com/cosmos/gogoproto/cosmos.gov.v1.Deposit`,
  );

/** Tally of a proposal: computed during the voting period, otherwise the stored one. */
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

/**
 * Returns a filter for proposals by status, and by an account's vote or deposit, each only if
 * requested (rules/gov 8.1).
 */
function filter(
  ctx: Context,
  k: GovKeeper,
  { proposalStatus, voter, depositor }: QueryProposalsRequest,
): (entry: Entry) => boolean {
  const byVoter = filterAddress(ctx, voter);
  const byDepositor = filterAddress(ctx, depositor);
  const byStatus = ProposalStatus[proposalStatus] === undefined ? 0 : proposalStatus;
  return (entry) => {
    const { id, status } = entry.read(proposalCodec);
    const hasVote = voter === "" || k.getVote(ctx, id, byVoter()) !== undefined;
    const hasDeposit = depositor === "" || k.getDeposit(ctx, id, byDepositor()) !== undefined;
    return (byStatus === 0 || status === byStatus) && hasVote && hasDeposit;
  };
}

/** Address in a filter, parsed at once or, as upstream, only when an entry is compared with it. */
function filterAddress(ctx: Context, text: string): () => Uint8Array {
  if (text === "") return () => new Uint8Array();
  if (ctx.profile.badFilterAddress === "internal") return () => read(text, STATUS.internal);
  const address = read(text, STATUS.invalidArgument);
  return () => address;
}

function nonZero(id: bigint): void {
  if (id === 0n) throw invalid("proposal id can not be 0");
}

function addressOf(ctx: Context, text: string): Uint8Array {
  if (ctx.profile.badQueryAddress !== "unknown") return read(text, STATUS.invalidArgument);
  try {
    return fromAccAddress(text);
  } catch (error) {
    throw unknownAddress(error);
  }
}

/** @param failure status for a text that is not an address */
function read(address: string, failure: number): Uint8Array {
  try {
    return fromAccAddress(address);
  } catch (error) {
    throw new StatusError(failure, errorText(error));
  }
}

const invalid = (text: string): StatusError => new StatusError(STATUS.invalidArgument, text);
