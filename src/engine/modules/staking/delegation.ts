import { EMPTY, equal, utf8 } from "../../../base/bytes.ts";
import { type Dec, decToString, truncateInt } from "../../../base/dec.ts";
import type { Context } from "../../framework/context.ts";
import { sdkErrors } from "../../framework/errors.ts";
import { delegationCodec } from "./codec.ts";
import {
  errDelegatorShareExRateInvalid,
  errNoDelegation,
  errNoDelegatorForAddress,
  errNotEnoughDelegationShares,
} from "./errors.ts";
import {
  addressKey,
  delegationByValKey,
  PREFIX,
  parseDelegationByValKey,
  prefixKey,
  STAKING,
} from "./keys.ts";
import type { Staking } from "./needs.ts";
import { bondCoins, movePool, poolOf } from "./pools.ts";
import {
  addTokensFromDel,
  hasInvalidExRate,
  removeDelShares,
  sharesFromTokens,
  tokensFromShares,
} from "./shares.ts";
import { note } from "./steps.ts";
import type { BondStatus, Delegation, Validator } from "./types.ts";
import {
  jailValidator,
  mustGetValidator,
  mustHaveRecord,
  removeValidator,
  updateValidator,
} from "./validators.ts";

export const getDelegation = (
  ctx: Context,
  delegator: Uint8Array,
  operator: Uint8Array,
): Delegation | undefined =>
  ctx.store(STAKING).read(addressKey(PREFIX.delegation, delegator, operator), delegationCodec);

/** Throws staking 19 if there is none. */
export function mustGetDelegation(
  ctx: Context,
  delegator: Uint8Array,
  operator: Uint8Array,
): Delegation {
  const delegation = getDelegation(ctx, delegator, operator);
  if (delegation === undefined) throw errNoDelegation.bare();
  return delegation;
}

export function setDelegation(k: Staking, ctx: Context, delegation: Delegation): void {
  const { delegator, validator } = delegation;
  const key = addressKey(PREFIX.delegation, delegator, validator);
  ctx.store(STAKING).write(key, delegationCodec, delegation);
  const indexed = k.consensusVersion >= 6 ? utf8(delegation.shares.toString()) : EMPTY;
  ctx.store(STAKING).set(delegationByValKey(validator, delegator), indexed);
}

function removeDelegation(ctx: Context, { delegator, validator }: Delegation): void {
  ctx.store(STAKING).delete(addressKey(PREFIX.delegation, delegator, validator));
  ctx.store(STAKING).delete(delegationByValKey(validator, delegator));
}

/** Yields all delegations, by delegator and then validator. */
export function* allDelegations(ctx: Context): Iterable<Delegation> {
  for (const entry of ctx.store(STAKING).prefix(prefixKey(PREFIX.delegation))) {
    yield entry.read(delegationCodec);
  }
}

export function* delegatorDelegations(ctx: Context, delegator: Uint8Array): Iterable<Delegation> {
  for (const entry of ctx.store(STAKING).prefix(addressKey(PREFIX.delegation, delegator))) {
    yield entry.read(delegationCodec);
  }
}

/**
 * Consensus version 5 → 6: the index of a validator's delegations contains their shares as digits
 * (rules/staking 1.6).
 */
export function migrate5to6(k: Staking, ctx: Context): void {
  for (const { key } of ctx.store(STAKING).prefix(prefixKey(PREFIX.delegationByVal))) {
    const { operator, delegator } = parseDelegationByValKey(key);
    setDelegation(k, ctx, mustGetDelegation(ctx, delegator, operator));
  }
}

/**
 * Adds tokens to a validator and issues the shares to the delegator. The tokens come from the
 * delegator's account, or otherwise from the pool for `source`. Throws staking 34 if the validator
 * has lost all tokens.
 * @returns issued shares
 */
export function delegate(
  k: Staking,
  ctx: Context,
  delegator: Uint8Array,
  amount: bigint,
  source: BondStatus | "account",
  validator: Validator,
): Dec {
  if (hasInvalidExRate(validator)) throw errDelegatorShareExRateInvalid.bare();
  if (source === "account") {
    const pool = poolOf(validator.status);
    k.bank.delegateCoinsFromAccountToModule(ctx, delegator, pool, bondCoins(ctx, amount));
  } else movePool(k, ctx, source, validator.status, amount);

  const { validator: after, issued } = addTokensFromDel(validator, amount);
  updateValidator(ctx, validator, after);
  const before = getDelegation(ctx, delegator, validator.operator)?.shares ?? 0n;
  setDelegation(k, ctx, { delegator, validator: validator.operator, shares: before + issued });
  return issued;
}

/**
 * Removes shares from a delegation and their tokens from the validator; the caller moves the
 * tokens. An operator that falls below its minimum self-delegation is jailed; an unbonded validator
 * without shares is removed (rules/staking 3.4).
 * @returns value of the shares in tokens
 */
export function unbond(
  k: Staking,
  ctx: Context,
  delegator: Uint8Array,
  operator: Uint8Array,
  shares: Dec,
): bigint {
  const delegation = getDelegation(ctx, delegator, operator);
  if (delegation === undefined) throw errNoDelegatorForAddress.bare();
  if (delegation.shares < shares) {
    throw errNotEnoughDelegationShares.wrap(decToString(delegation.shares));
  }
  let validator = mustGetValidator(ctx, operator);
  const left = { ...delegation, shares: delegation.shares - shares };
  if (equal(delegator, operator) && !validator.jailed) {
    const tokens = truncateInt(tokensFromShares(validator, left.shares));
    if (tokens < validator.minSelfDelegation) {
      const minimum = validator.minSelfDelegation;
      note(ctx, "low_self_delegation", { operator, tokens, minimum }, "refused");
      jailValidator(k, ctx, validator);
      validator = mustHaveRecord(ctx, operator);
    }
  }
  if (left.shares === 0n) removeDelegation(ctx, left);
  else setDelegation(k, ctx, left);

  const { validator: after, issued } = removeDelShares(validator, shares);
  updateValidator(ctx, validator, after);
  if (after.delegatorShares === 0n && after.status === "unbonded") {
    removeValidator(k, ctx, operator);
  }
  return issued;
}

/**
 * Converts an amount to be undelegated or redelegated to shares. Upstream compares a second,
 * truncated amount of shares and then limits the result to the delegation; the first amount is
 * truncated too, so the limit never applies. Throws staking 3 or 19 if validator or delegation is
 * missing, sdk 18 if the amount exceeds the delegation.
 */
export function validateUnbondAmount(
  ctx: Context,
  delegator: Uint8Array,
  operator: Uint8Array,
  amount: bigint,
): Dec {
  const validator = mustGetValidator(ctx, operator);
  const delegation = mustGetDelegation(ctx, delegator, operator);
  const shares = sharesFromTokens(validator, amount);
  if (shares > delegation.shares) throw sdkErrors.invalidRequest.wrap("invalid shares amount");
  return shares;
}
