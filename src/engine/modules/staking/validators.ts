import { consAddress } from "../../../base/bech32.ts";
import { EMPTY, toHexUpper } from "../../../base/bytes.ts";
import { ValidatorSchema } from "../../../gen/chain/staking/v1beta1/staking_pb.ts";
import type { Context, StateStores } from "../../framework/context.ts";
import { Panic, plainError } from "../../framework/errors.ts";
import { protoText } from "../../framework/proto-text.ts";
import { paramsCodec, validatorCodec, validatorToMessage } from "./codec.ts";
import { errBadRemoveValidator, errNoValidatorFound, errValidatorJailed } from "./errors.ts";
import {
  addressKey,
  PARAMS_KEY,
  PREFIX,
  powerIndexKey,
  prefixKey,
  SET_TOUCHED,
  STAKING,
} from "./keys.ts";
import type { Staking } from "./needs.ts";
import { potentialPower } from "./shares.ts";
import { note } from "./steps.ts";
import { DEFAULT_PARAMS, type Params, type Validator } from "./types.ts";

/** Records of validators and the power index, changed together. */

export const getParams = (ctx: Context): Params =>
  ctx.store(STAKING).read(PARAMS_KEY, paramsCodec) ?? DEFAULT_PARAMS;

export function setParams(ctx: Context, params: Params): void {
  ctx.store(STAKING).write(PARAMS_KEY, paramsCodec, params);
  touchSet(ctx);
}

export const getValidator = (ctx: Context, operator: Uint8Array): Validator | undefined =>
  ctx.store(STAKING).read(addressKey(PREFIX.validator, operator), validatorCodec);

/** Throws staking 3 if there is no such validator. */
export function mustGetValidator(ctx: Context, operator: Uint8Array): Validator {
  const validator = getValidator(ctx, operator);
  if (validator === undefined) throw errNoValidatorFound.bare();
  return validator;
}

export function validatorByConsAddr(
  ctx: Context,
  consensusAddress: Uint8Array,
): Validator | undefined {
  const store = ctx.store(STAKING);
  const operator = store.get(addressKey(PREFIX.validatorByConsAddr, consensusAddress));
  return operator && getValidator(ctx, operator);
}

/** Yields all validators, in order of operator addresses. */
export function* allValidators(ctx: Context): Iterable<Validator> {
  for (const entry of ctx.store(STAKING).prefix(prefixKey(PREFIX.validator))) {
    yield entry.read(validatorCodec);
  }
}

/** Yields the operators by descending potential power, without jailed ones. */
export function* operatorsByPower(ctx: Context): Iterable<Uint8Array> {
  for (const entry of ctx.store(STAKING).prefix(prefixKey(PREFIX.powerIndex), true)) {
    yield entry.value;
  }
}

/** Adds a new validator with its indexes. */
export function addValidator(ctx: Context, validator: Validator): void {
  const store = ctx.store(STAKING);
  writeValidator(ctx, validator);
  store.set(addressKey(PREFIX.validatorByConsAddr, validator.consensusAddress), validator.operator);
  if (!validator.jailed) {
    store.set(powerIndexKey(validator), validator.operator);
    touchSet(ctx);
  }
}

/** Replaces a record and updates the power index if power or jailing changed. */
export function updateValidator(ctx: Context, before: Validator, after: Validator): void {
  writeValidator(ctx, after);
  const moved = potentialPower(before) !== potentialPower(after);
  if (!moved && before.jailed === after.jailed) return;
  if (!before.jailed) ctx.store(STAKING).delete(powerIndexKey(before));
  if (!after.jailed) ctx.store(STAKING).set(powerIndexKey(after), after.operator);
  touchSet(ctx);
}

function writeValidator(ctx: Context, validator: Validator): void {
  const key = addressKey(PREFIX.validator, validator.operator);
  ctx.store(STAKING).write(key, validatorCodec, validator);
}

/**
 * Marks the set to be recomputed by the next EndBlock; without this mark the power index and the
 * parameters are unchanged since the last EndBlock. In the memory store, since upstream has no such
 * key and computes the set in every block.
 */
function touchSet(ctx: Context): void {
  const memory = ctx.memory(STAKING);
  if (!memory.has(SET_TOUCHED)) memory.set(SET_TOUCHED, EMPTY);
}

export const isSetTouched = (state: StateStores): boolean => state.memory(STAKING).has(SET_TOUCHED);

export const setIsApplied = (ctx: Context): void => ctx.memory(STAKING).delete(SET_TOUCHED);

/** Throws staking 8 unless the validator is unbonded and empty; unknown validators pass. */
export function removeValidator(k: Staking, ctx: Context, operator: Uint8Array): void {
  const validator = getValidator(ctx, operator);
  if (validator === undefined) return;
  if (validator.status !== "unbonded") {
    throw errBadRemoveValidator.wrap(
      "cannot call RemoveValidator on bonded or unbonding validators",
    );
  }
  if (validator.tokens > 0n) {
    throw errBadRemoveValidator.wrap(
      "attempting to remove a validator which still contains tokens",
    );
  }
  const store = ctx.store(STAKING);
  store.delete(addressKey(PREFIX.validator, operator));
  store.delete(addressKey(PREFIX.validatorByConsAddr, validator.consensusAddress));
  store.delete(powerIndexKey(validator));
  note(ctx, "remove_validator", { operator });
  k.hooks.afterValidatorRemoved(ctx, validator.consensusAddress);
}

/** Removes a validator from the power index: the next EndBlock drops it from the set. */
export function jailValidator(k: Staking, ctx: Context, validator: Validator): void {
  if (validator.jailed) {
    const text = protoText(ValidatorSchema, validatorToMessage(validator));
    throw errValidatorJailed.wrap(`cannot jail already jailed validator, validator: ${text}`);
  }
  updateValidator(ctx, validator, { ...validator, jailed: true });
  note(ctx, "jail", { operator: validator.operator }, "ok");
  k.hooks.afterJailedChanged(ctx);
}

/**
 * Panics for an unknown consensus address; throws staking 7 if already jailed (rules/staking 5.1).
 */
export function jail(k: Staking, ctx: Context, consensusAddress: Uint8Array): void {
  jailValidator(k, ctx, mustGetByConsAddr(ctx, consensusAddress));
  ctx.log("info", "x/staking", "validator jailed", { validator: consAddress(consensusAddress) });
}

/** Panics for an unknown consensus address; throws a plain error if not jailed. */
export function unjail(k: Staking, ctx: Context, consensusAddress: Uint8Array): void {
  const validator = mustGetByConsAddr(ctx, consensusAddress);
  if (!validator.jailed) {
    const text = protoText(ValidatorSchema, validatorToMessage(validator));
    throw plainError(`cannot unjail already unjailed validator, validator: ${text}`);
  }
  updateValidator(ctx, validator, { ...validator, jailed: false });
  note(ctx, "unjail", { operator: validator.operator }, "ok");
  ctx.log("info", "x/staking", "validator un-jailed", { validator: consAddress(consensusAddress) });
  k.hooks.afterJailedChanged(ctx);
}

function mustGetByConsAddr(ctx: Context, consensusAddress: Uint8Array): Validator {
  const validator = validatorByConsAddr(ctx, consensusAddress);
  if (validator === undefined) {
    throw new Panic(`validator with consensus-Address ${consAddress(consensusAddress)} not found`);
  }
  return validator;
}

/** For records referenced by the chain's own indexes: their absence is an invalid state. */
export function mustHaveRecord(ctx: Context, operator: Uint8Array): Validator {
  const validator = getValidator(ctx, operator);
  if (validator === undefined) {
    throw new Panic(`validator record not found for address: ${toHexUpper(operator)}`);
  }
  return validator;
}
