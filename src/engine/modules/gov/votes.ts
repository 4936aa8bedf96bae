import { create } from "@bufbuild/protobuf";
import { fromAccAddress } from "../../../base/bech32.ts";
import { type Dec, decFromString, decToString, ONE } from "../../../base/dec.ts";
import {
  VoteOptionSchema,
  VoteSchema,
  type WeightedVoteOption,
  WeightedVoteOptionSchema,
} from "../../../gen/chain/gov/v1/gov_pb.ts";
import type { Context } from "../../framework/context.ts";
import { sdkErrors } from "../../framework/errors.ts";
import { protoText } from "../../framework/proto-text.ts";
import { ErrInactiveProposal, ErrInvalidVote } from "./errors.ts";
import { emitVote } from "./events.ts";
import type { GovKeeper } from "./keeper.ts";
import { checkLength } from "./proposals.ts";
import { note } from "./steps.ts";
import { optionsText, VoteOption } from "./types.ts";

/** Full weight for one option. */
export const nonSplit = (option: VoteOption): WeightedVoteOption[] => [
  create(WeightedVoteOptionSchema, { option, weight: decToString(ONE) }),
];

/**
 * Records a vote; a later one of the same voter replaces it. A voter needs no stake, and a vote in
 * the block of the tally still counts (rules/gov 4.1).
 */
export function addVote(
  ctx: Context,
  k: GovKeeper,
  proposalId: bigint,
  voter: string,
  options: WeightedVoteOption[],
  metadata: string,
): void {
  if (!k.inVotingPeriod(ctx, proposalId)) throw ErrInactiveProposal.wrap(String(proposalId));
  checkLength(metadata);
  for (const option of options) weightOf(option);
  k.setVote(ctx, create(VoteSchema, { proposalId, voter, options, metadata }));
  const text = optionsText(options);
  note(ctx, "vote", { proposalId, voter: fromAccAddress(voter), options }, "ok");
  emitVote(ctx, voter, text, proposalId);
}

/**
 * Throws ErrInvalidVote with the option's name, or its number if it has none, unless it is a valid
 * vote.
 */
export function checkOption(option: VoteOption): void {
  if (isKnown(option)) return;
  throw ErrInvalidVote.wrap(VoteOptionSchema.value[option]?.name ?? String(option));
}

const isKnown = (option: VoteOption): boolean =>
  option >= VoteOption.YES && option <= VoteOption.NO_WITH_VETO;

/** Weights must sum to 1, and options must be unique. */
export function checkWeights(options: WeightedVoteOption[]): void {
  if (options.length === 0) throw sdkErrors.invalidRequest.wrap(optionsText(options));
  const seen = new Set<VoteOption>();
  let total: Dec = 0n;
  for (const option of options) {
    total += weightOf(option);
    if (seen.has(option.option)) throw ErrInvalidVote.wrap("duplicated vote option");
    seen.add(option.option);
  }
  if (total > ONE) throw ErrInvalidVote.wrap("total weight overflow 1.00");
  if (total < ONE) throw ErrInvalidVote.wrap("total weight lower than 1.00");
}

/** @throws ErrInvalidVote for an unknown option or a weight outside (0, 1] */
function weightOf(option: WeightedVoteOption): Dec {
  const weight = parseWeight(option.weight);
  if (!isKnown(option.option) || weight === undefined || weight <= 0n || weight > ONE) {
    throw ErrInvalidVote.wrap(protoText(WeightedVoteOptionSchema, option));
  }
  return weight;
}

function parseWeight(text: string): Dec | undefined {
  try {
    return decFromString(text);
  } catch {
    return undefined;
  }
}
