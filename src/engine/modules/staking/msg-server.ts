import { hash20 } from "../../../base/address.ts";
import { fromAccAddress, fromValAddress } from "../../../base/bech32.ts";
import { decToString, ONE } from "../../../base/dec.ts";
import { toTimestamp } from "../../../base/time.ts";
import type {
  Msg,
  MsgCreateValidator,
  MsgEditValidator,
} from "../../../gen/chain/staking/v1beta1/tx_pb.ts";
import { coinToMessage } from "../../framework/coins.ts";
import type { Context } from "../../framework/context.ts";
import { Panic, sdkErrors } from "../../framework/errors.ts";
import type { ServiceImpl } from "../../framework/router.ts";
import * as checks from "./checks.ts";
import {
  descriptionOf,
  integer,
  PUBKEY_SIZE,
  paramsFromMessage,
  ratesOf,
  unpackPubkey,
} from "./codec.ts";
import { validateUnbondAmount } from "./delegation.ts";
import * as errors from "./errors.ts";
import * as events from "./events.ts";
import type { StakingKeeper } from "./keeper.ts";
import { validateParams } from "./params.ts";
import type { Validator } from "./types.ts";
import { cancelUnbonding } from "./unbonding.ts";
import {
  addValidator,
  getParams,
  getValidator,
  mustGetValidator,
  setParams,
  updateValidator,
  validatorByConsAddr,
} from "./validators.ts";

const validatorAt = (text: string, which = "validator"): Uint8Array =>
  checks.readAddress(which, fromValAddress, text);
const delegatorAt = (text: string): Uint8Array =>
  checks.readAddress("delegator", fromAccAddress, text);

/** @param authority address text of the account whose messages may change the parameters */
export const msgServer = (k: StakingKeeper, authority: string): ServiceImpl<typeof Msg> => ({
  createValidator: (ctx, msg) => createValidator(k, ctx, msg),
  editValidator: (ctx, msg) => editValidator(ctx, msg),

  delegate(ctx, { validatorAddress, delegatorAddress, amount }) {
    const operator = validatorAt(validatorAddress);
    const delegator = delegatorAt(delegatorAddress);
    const coin = checks.readAmount(amount, "invalid delegation amount");
    const validator = mustGetValidator(ctx, operator);
    checks.mustBeBondDenom(ctx, coin);
    const shares = k.delegate(ctx, delegator, coin.amount, "account", validator);
    events.emitDelegate(ctx, validatorAddress, delegatorAddress, coin, shares);
    return {};
  },

  beginRedelegate(ctx, { delegatorAddress, validatorSrcAddress, validatorDstAddress, amount }) {
    const source = validatorAt(validatorSrcAddress, "source validator");
    const destination = validatorAt(validatorDstAddress, "destination validator");
    const delegator = delegatorAt(delegatorAddress);
    const coin = checks.readAmount(amount, "invalid shares amount");
    const shares = validateUnbondAmount(ctx, delegator, source, coin.amount);
    checks.mustBeBondDenom(ctx, coin);
    const time = k.beginRedelegation(ctx, delegator, source, destination, shares);
    events.emitRedelegate(ctx, validatorSrcAddress, validatorDstAddress, coin, time);
    return { completionTime: toTimestamp(time) };
  },

  undelegate(ctx, { validatorAddress, delegatorAddress, amount }) {
    const operator = validatorAt(validatorAddress);
    const delegator = delegatorAt(delegatorAddress);
    const coin = checks.readAmount(amount, "invalid shares amount");
    const shares = validateUnbondAmount(ctx, delegator, operator, coin.amount);
    checks.mustBeBondDenom(ctx, coin);
    const entry = k.undelegate(ctx, delegator, operator, shares);
    const unbonded = { denom: coin.denom, amount: entry.amount };
    events.emitUnbond(ctx, validatorAddress, delegatorAddress, unbonded, entry.completionTime);
    return {
      completionTime: toTimestamp(entry.completionTime),
      amount: coinToMessage(unbonded),
    };
  },

  cancelUnbondingDelegation(ctx, { validatorAddress, delegatorAddress, amount, creationHeight }) {
    const operator = validatorAt(validatorAddress);
    const delegator = delegatorAt(delegatorAddress);
    const coin = checks.readAmount(amount, "invalid amount");
    if (creationHeight <= 0n) throw sdkErrors.invalidRequest.wrap("invalid height");
    checks.mustBeBondDenom(ctx, coin);
    const pair = { delegatorAddress, validatorAddress };
    cancelUnbonding(k, ctx, delegator, operator, coin.amount, creationHeight, pair);
    events.emitCancelUnbonding(ctx, validatorAddress, delegatorAddress, coin, creationHeight);
    return {};
  },

  updateParams(ctx, msg) {
    if (msg.authority !== authority) {
      throw errors.errInvalidSigner.wrap(
        `invalid authority; expected ${authority}, got ${msg.authority}`,
      );
    }
    const params = paramsFromMessage(msg.params);
    validateParams(params);
    setParams(ctx, params);
    return {};
  },
});

function createValidator(k: StakingKeeper, ctx: Context, msg: MsgCreateValidator) {
  const operator = validatorAt(msg.validatorAddress);
  if (msg.pubkey === undefined) throw errors.errEmptyValidatorPubKey.bare();
  const value = checks.readAmount(msg.value, "invalid delegation amount");
  const description = descriptionOf(msg.description);
  if (checks.isEmptyDescription(description)) {
    throw sdkErrors.invalidRequest.wrap("empty description");
  }
  if (checks.isEmptyCommission(msg.commission)) {
    throw sdkErrors.invalidRequest.wrap("empty commission");
  }
  const rates = ratesOf(msg.commission);
  checks.checkRates(rates);
  const minSelfDelegation = positive(msg.minSelfDelegation);
  if (value.amount < minSelfDelegation) throw errors.errSelfDelegationBelowMinimum.bare();
  checks.mustReachMinRate(ctx, rates.rate);
  if (getValidator(ctx, operator) !== undefined) throw errors.errValidatorOwnerExists.bare();
  const consensusPubkey = unpackPubkey(msg.pubkey);
  if (consensusPubkey === undefined) {
    throw sdkErrors.invalidType.wrap(`Expecting cryptotypes.PubKey, got ${msg.pubkey.typeUrl}`);
  }
  if (consensusPubkey.length !== PUBKEY_SIZE) throw new Panic("pubkey is incorrect size");
  const consensusAddress = hash20(consensusPubkey);
  if (validatorByConsAddr(ctx, consensusAddress) !== undefined) {
    throw errors.errValidatorPubKeyExists.bare();
  }
  checks.mustBeBondDenom(ctx, value);
  checks.checkLengths(description);

  const validator: Validator = {
    operator,
    consensusPubkey,
    consensusAddress,
    jailed: false,
    status: "unbonded",
    tokens: 0n,
    delegatorShares: 0n,
    description,
    unbondingHeight: 0,
    unbondingTime: 0n,
    commission: { ...rates, updateTime: ctx.time },
    minSelfDelegation,
  };
  addValidator(ctx, validator);
  k.hooks.afterValidatorCreated(ctx, operator);
  // The hook may have jailed it.
  k.delegate(ctx, operator, value.amount, "account", mustGetValidator(ctx, operator));
  events.emitCreateValidator(ctx, msg.validatorAddress, value);
  return {};
}

function editValidator(ctx: Context, msg: MsgEditValidator) {
  const operator = validatorAt(msg.validatorAddress);
  const input = descriptionOf(msg.description);
  if (checks.isEmptyDescription(input)) throw sdkErrors.invalidRequest.wrap("empty description");
  const minimum = msg.minSelfDelegation === "" ? undefined : positive(msg.minSelfDelegation);
  const rate = msg.commissionRate === "" ? undefined : integer(msg.commissionRate);
  if (rate !== undefined) checkEditedRate(ctx, rate);

  const before = mustGetValidator(ctx, operator);
  let after = { ...before, description: checks.updateDescription(before.description, input) };
  if (rate !== undefined) {
    checks.checkNewRate(ctx, before, rate);
    checks.mustReachMinRate(ctx, rate);
    after = { ...after, commission: { ...before.commission, rate, updateTime: ctx.time } };
  }
  if (minimum !== undefined) {
    if (minimum <= before.minSelfDelegation) throw errors.errMinSelfDelegationDecreased.bare();
    if (minimum > before.tokens) throw errors.errSelfDelegationBelowMinimum.bare();
    after = { ...after, minSelfDelegation: minimum };
  }
  updateValidator(ctx, before, after);
  events.emitEditValidator(ctx, after);
  return {};
}

function checkEditedRate(ctx: Context, rate: bigint): void {
  if (rate > ONE || rate < 0n) {
    throw sdkErrors.invalidRequest.wrap("commission rate must be between 0 and 1 (inclusive)");
  }
  const { minCommissionRate } = getParams(ctx);
  if (rate < minCommissionRate) {
    throw sdkErrors.invalidRequest.wrap(
      `commission rate cannot be less than the min commission rate ${decToString(minCommissionRate)}`,
    );
  }
}

function positive(text: string): bigint {
  const amount = integer(text);
  if (amount > 0n) return amount;
  throw sdkErrors.invalidRequest.wrap("minimum self delegation must be a positive integer");
}
