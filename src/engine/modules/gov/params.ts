import { create } from "@bufbuild/protobuf";
import { fromAccAddress } from "../../../base/bech32.ts";
import { type Dec, decFromString, decToString, ONE } from "../../../base/dec.ts";
import { goDuration, SECOND } from "../../../base/time.ts";
import { type Params, ParamsSchema } from "../../../gen/chain/gov/v1/gov_pb.ts";
import { amountOf, coinsFromMessages, coinsProblem, formatCoins } from "../../framework/coins.ts";
import { errorText, plainError } from "../../framework/errors.ts";
import { type Coins, coinMessages, durationMessage, durationOf } from "./types.ts";

/**
 * Maximum bytes of a title or of metadata; a summary may be forty times as long (rules/gov 1.1).
 */
export const MAX_METADATA_LENGTH = 255;
export const MAX_SUMMARY_LENGTH = 40 * MAX_METADATA_LENGTH;

const DEFAULT_DENOM = "stake";

/** Parameters of a chain whose genesis has none (rules/gov 1.1). */
export const defaultParams = (): Params =>
  create(ParamsSchema, {
    minDeposit: coinMessages([{ denom: DEFAULT_DENOM, amount: 10_000_000n }]),
    maxDepositPeriod: durationMessage(172_800n * SECOND),
    votingPeriod: durationMessage(172_800n * SECOND),
    quorum: "0.334000000000000000",
    threshold: "0.500000000000000000",
    vetoThreshold: "0.334000000000000000",
    minInitialDepositRatio: "0.000000000000000000",
    proposalCancelRatio: "0.500000000000000000",
    proposalCancelDest: "",
    expeditedVotingPeriod: durationMessage(86_400n * SECOND),
    expeditedThreshold: "0.667000000000000000",
    expeditedMinDeposit: coinMessages([{ denom: DEFAULT_DENOM, amount: 50_000_000n }]),
    burnVoteQuorum: false,
    burnProposalDepositPrevote: false,
    burnVoteVeto: true,
    minDepositRatio: "0.010000000000000000",
  });

/** Returns the deposit at which the voting period of a proposal starts. */
export const minDepositOf = (params: Params, expedited: boolean): Coins =>
  coinsFromMessages(expedited ? params.expeditedMinDeposit : params.minDeposit);

/** Returns the voting period of a proposal, in nanoseconds. */
export const votingPeriodOf = (params: Params, expedited: boolean): bigint =>
  durationOf(expedited ? params.expeditedVotingPeriod : params.votingPeriod);

/**
 * Throws the first reason why the params are invalid, with upstream's texts, including their typos.
 */
export function validateParams(p: Params): void {
  checkDeposits(coinsFromMessages(p.minDeposit), coinsFromMessages(p.expeditedMinDeposit));
  const depositPeriod = durationOf(p.maxDepositPeriod);
  refuse(depositPeriod <= 0n, `maximum deposit period must be positive: ${depositPeriod}`);
  const quorum = dec("quorum string", p.quorum);
  refuse(quorum < 0n, `quorom cannot be negative: ${decToString(quorum)}`);
  refuse(quorum > ONE, `quorom too large: ${p.quorum}`);
  const threshold = share("vote threshold", dec("threshold string", p.threshold));
  const expedited = share(
    "expedited vote threshold",
    dec("expedited threshold string", p.expeditedThreshold),
  );
  refuse(
    expedited <= threshold,
    `expedited vote threshold ${decToString(expedited)}, must be greater than the regular threshold ${decToString(threshold)}`,
  );
  share("veto threshold", dec("vetoThreshold string", p.vetoThreshold));
  checkPeriods(durationOf(p.votingPeriod), durationOf(p.expeditedVotingPeriod));
  ratio("mininum initial deposit ratio of proposal", p.minInitialDepositRatio);
  ratio("burn rate of cancel proposal", p.proposalCancelRatio);
  ratio("minimum deposit ratio of proposal", p.minDepositRatio);
  if (p.proposalCancelDest !== "") {
    try {
      fromAccAddress(p.proposalCancelDest);
    } catch {
      throw plainError(`deposits destination address is invalid: ${p.proposalCancelDest}`);
    }
  }
}

function checkDeposits(min: Coins, expedited: Coins): void {
  refuse(
    min.length === 0 || coinsProblem(min) !== undefined,
    `invalid minimum deposit: ${formatCoins(min)}`,
  );
  refuse(
    expedited.length === 0 || coinsProblem(expedited) !== undefined,
    `invalid expedited minimum deposit: ${formatCoins(expedited)}`,
  );
  refuse(
    expedited.every(({ denom, amount }) => amount <= amountOf(min, denom)),
    `expedited minimum deposit must be greater than minimum deposit: ${formatCoins(expedited)}`,
  );
}

function checkPeriods(voting: bigint, expedited: bigint): void {
  positivePeriod("voting period", voting);
  positivePeriod("expedited voting period", expedited);
  refuse(
    expedited >= voting,
    `expedited voting period ${goDuration(expedited)} must be strictly less that the regular voting period ${goDuration(voting)}`,
  );
}

function positivePeriod(what: string, duration: bigint): void {
  refuse(duration <= 0n, `${what} must be positive: ${goDuration(duration)}`);
}

function share(what: string, value: Dec): Dec {
  refuse(value <= 0n, `${what} must be positive: ${decToString(value)}`);
  refuse(value > ONE, `${what} too large: ${decToString(value)}`);
  return value;
}

function ratio(what: string, text: string): void {
  const value = dec(what, text);
  refuse(value < 0n, `${what} must be positive: ${decToString(value)}`);
  refuse(value > ONE, `${what} is too large: ${decToString(value)}`);
}

function dec(what: string, text: string): Dec {
  try {
    return decFromString(text);
  } catch (error) {
    throw plainError(`invalid ${what}: ${errorText(error)}`);
  }
}

function refuse(condition: boolean, text: string): void {
  if (condition) throw plainError(text);
}
