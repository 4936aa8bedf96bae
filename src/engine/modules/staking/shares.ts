import {
  type Dec,
  decFromInt,
  decMulInt,
  decQuo,
  decQuoInt,
  truncateInt,
} from "../../../base/dec.ts";
import { Panic } from "../../framework/errors.ts";
import { errInsufficientShares } from "./errors.ts";
import { POWER_REDUCTION, type Validator } from "./types.ts";

/** Shares and tokens of a validator, with upstream's exact rounding (rules/staking 2.1). */

/** Power of the validator's tokens, regardless of its status. */
export const potentialPower = (validator: Validator): number =>
  Number(validator.tokens / POWER_REDUCTION);

/** Power in the validator set; 0 unless bonded. */
export const consensusPower = (validator: Validator): number =>
  validator.status === "bonded" ? potentialPower(validator) : 0;

/** True if all tokens are gone while shares remain: the validator accepts no more delegations. */
export const hasInvalidExRate = ({ tokens, delegatorShares }: Validator): boolean =>
  tokens === 0n && delegatorShares > 0n;

/**
 * Value of shares in tokens; 0 if the validator has no shares left: entries may contain shares that
 * no longer exist.
 */
export const tokensFromShares = ({ tokens, delegatorShares }: Validator, shares: Dec): Dec =>
  delegatorShares === 0n ? 0n : decQuo(decMulInt(shares, tokens), delegatorShares);

/** Converts tokens to shares, rounded down. Throws staking 22 if the validator has no tokens. */
export function sharesFromTokens(validator: Validator, amount: bigint): Dec {
  if (validator.tokens === 0n) throw errInsufficientShares.bare();
  return decQuoInt(decMulInt(validator.delegatorShares, amount), validator.tokens);
}

/** Adds tokens. The first delegation gets one share per token. */
export function addTokensFromDel(
  validator: Validator,
  amount: bigint,
): { readonly validator: Validator; readonly issued: Dec } {
  const issued =
    validator.delegatorShares === 0n ? decFromInt(amount) : sharesFromTokens(validator, amount);
  return {
    validator: {
      ...validator,
      tokens: validator.tokens + amount,
      delegatorShares: validator.delegatorShares + issued,
    },
    issued,
  };
}

/**
 * Removes shares. The last shares take all tokens; otherwise fractions of a token remain with the
 * validator.
 */
export function removeDelShares(
  validator: Validator,
  shares: Dec,
): { readonly validator: Validator; readonly issued: bigint } {
  const delegatorShares = validator.delegatorShares - shares;
  const issued =
    delegatorShares === 0n ? validator.tokens : truncateInt(tokensFromShares(validator, shares));
  const tokens = validator.tokens - issued;
  if (tokens < 0n) {
    throw new Panic("attempting to remove more tokens than available in validator");
  }
  return { validator: { ...validator, tokens, delegatorShares }, issued };
}
