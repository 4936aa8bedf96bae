import { create } from "@bufbuild/protobuf";
import { fromAccAddress } from "../../../base/bech32.ts";
import { toHex } from "../../../base/bytes.ts";
import {
  type Dec,
  decFromInt,
  decFromString,
  decMul,
  decMulInt,
  decQuo,
  truncateInt,
} from "../../../base/dec.ts";
import { TallyResultSchema } from "../../../gen/chain/gov/v1/gov_pb.ts";
import type { Context } from "../../framework/context.ts";
import type { GovKeeper } from "./keeper.ts";
import type { BondedValidator } from "./needs.ts";
import { note } from "./steps.ts";
import {
  type Params,
  type Proposal,
  type TallyResult,
  type Vote,
  VoteOption,
  type WeightedVoteOption,
} from "./types.ts";

export interface Tally {
  readonly passes: boolean;
  readonly burnDeposits: boolean;
  readonly result: TallyResult;
}

/**
 * Counts the votes on a proposal without changing them. A validator's vote also counts for its
 * delegators, except those that voted themselves (rules/gov 6.1).
 */
export function tally(ctx: Context, k: GovKeeper, proposal: Proposal): Tally {
  const count = countVotes(ctx, k, proposal.id);
  const result = create(TallyResultSchema, {
    yesCount: String(truncateInt(count.of(VoteOption.YES))),
    abstainCount: String(truncateInt(count.of(VoteOption.ABSTAIN))),
    noCount: String(truncateInt(count.of(VoteOption.NO))),
    noWithVetoCount: String(truncateInt(count.of(VoteOption.NO_WITH_VETO))),
  });
  const bonded = k.needs.staking.totalBondedTokens(ctx);
  return { ...decide(ctx, proposal, k.getParams(ctx), count, bonded), result };
}

/** Voting power by option, in tokens. */
class Count {
  total: Dec = 0n;
  readonly #powers = new Map<VoteOption, Dec>();

  of(option: VoteOption): Dec {
    return this.#powers.get(option) ?? 0n;
  }

  add(power: Dec, options: readonly WeightedVoteOption[]): void {
    for (const { option, weight } of options) {
      this.#powers.set(option, this.of(option) + decMul(power, decFromString(weight)));
    }
    this.total += power;
  }
}

interface Candidate extends BondedValidator {
  /** Shares of delegators that voted themselves. */
  deductions: Dec;
  options: readonly WeightedVoteOption[];
}

/** Stake that votes through one account. */
export interface Ballot {
  readonly voter: Uint8Array;
  readonly options: readonly WeightedVoteOption[];
  readonly power: Dec;
  /** True for the stake of a validator's delegators that have not voted. */
  readonly inherited: boolean;
}

const countVotes = (ctx: Context, k: GovKeeper, id: bigint): Count => {
  const count = new Count();
  for (const { power, options } of ballotsOf(ctx, k, k.votes(ctx, id))) count.add(power, options);
  return count;
};

/** Yields the power of each vote, per delegation (rules/gov 6.1). */
export function* ballotsOf(ctx: Context, k: GovKeeper, votes: readonly Vote[]): Generator<Ballot> {
  const { staking } = k.needs;
  const validators = new Map<string, Candidate>();
  for (const validator of staking.iterateBondedValidatorsByPower(ctx)) {
    validators.set(toHex(validator.operator), { ...validator, deductions: 0n, options: [] });
  }
  for (const { voter: text, options } of votes) {
    const voter = fromAccAddress(text);
    const own = validators.get(toHex(voter));
    if (own !== undefined) own.options = options;
    for (const { validator, shares } of staking.delegationsOf(ctx, voter)) {
      const candidate = validators.get(toHex(validator));
      if (candidate === undefined) continue;
      candidate.deductions += shares;
      yield { voter, options, power: powerOf(candidate, shares), inherited: false };
    }
  }
  for (const candidate of validators.values()) {
    const { operator: voter, options, delegatorShares, deductions } = candidate;
    if (options.length === 0) continue;
    const power = powerOf(candidate, delegatorShares - deductions);
    yield { voter, options, power, inherited: true };
  }
}

/**
 * Tokens of shares. A validator that has just lost its last share is still bonded, but has no
 * tokens.
 */
const powerOf = ({ bondedTokens, delegatorShares }: BondedValidator, shares: Dec): Dec =>
  delegatorShares === 0n ? 0n : decQuo(decMulInt(shares, bondedTokens), delegatorShares);

/**
 * Decides in order of the tests. Equality reaches the quorum, but neither the veto threshold nor
 * the pass threshold.
 */
function decide(
  ctx: Context,
  { id: proposalId, expedited }: Proposal,
  params: Params,
  count: Count,
  bonded: bigint,
): Omit<Tally, "result"> {
  const fail = { passes: false, burnDeposits: false };
  if (bonded === 0n) {
    note(ctx, "nothing_bonded", { proposalId }, "refused");
    return fail;
  }
  const turnout = decQuo(count.total, decFromInt(bonded));
  const quorum = decFromString(params.quorum);
  const voted = truncateInt(count.total);
  const isQuorate = turnout >= quorum;
  const facts = { proposalId, voted, bonded, turnout, quorum };
  note(ctx, "turnout", facts, isQuorate ? "ok" : "refused");
  if (!isQuorate) return { passes: false, burnDeposits: params.burnVoteQuorum };

  const decided = count.total - count.of(VoteOption.ABSTAIN);
  if (decided === 0n) {
    note(ctx, "all_abstained", { proposalId }, "refused");
    return fail;
  }
  const vetoShare = decQuo(count.of(VoteOption.NO_WITH_VETO), count.total);
  const vetoThreshold = decFromString(params.vetoThreshold);
  const isVetoed = vetoShare > vetoThreshold;
  const veto = { proposalId, share: vetoShare, threshold: vetoThreshold };
  note(ctx, "veto", veto, isVetoed ? "refused" : "ok");
  if (isVetoed) return { passes: false, burnDeposits: params.burnVoteVeto };

  const threshold = decFromString(expedited ? params.expeditedThreshold : params.threshold);
  const share = decQuo(count.of(VoteOption.YES), decided);
  const passes = share > threshold;
  note(ctx, "yes", { proposalId, share, threshold }, passes ? "ok" : "refused");
  return { passes, burnDeposits: false };
}
