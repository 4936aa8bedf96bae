import { create } from "@bufbuild/protobuf";
import { fromValAddress, valAddress } from "../../../base/bech32.ts";
import { compare, readU64be, toHex } from "../../../base/bytes.ts";
import type { Time } from "../../../base/time.ts";
import { ValAddressesSchema } from "../../../gen/chain/staking/v1beta1/staking_pb.ts";
import { protoCodec } from "../../framework/codec.ts";
import type { BlockInfo, Context, StateStores } from "../../framework/context.ts";
import { Panic, plainError } from "../../framework/errors.ts";
import { timeKey } from "../../framework/keys.ts";
import type { ValidatorUpdate } from "../../framework/module.ts";
import { timeAfter } from "../../framework/time-messages.ts";
import { intCodec, powerCodec } from "./codec.ts";
import {
  addressKey,
  LAST_TOTAL_POWER_KEY,
  PREFIX,
  parseAddressKey,
  prefixKey,
  STAKING,
  validatorQueueKey,
  validatorQueueKeyTime,
} from "./keys.ts";
import type { Staking } from "./needs.ts";
import { movePool } from "./pools.ts";
import { isAnyMature } from "./queue.ts";
import { completeMatureRedelegations } from "./redelegation.ts";
import { consensusPower, potentialPower } from "./shares.ts";
import { note } from "./steps.ts";
import type { BondStatus, Validator } from "./types.ts";
import { completeMatureUnbondings } from "./unbonding.ts";
import {
  getParams,
  isSetTouched,
  mustHaveRecord,
  operatorsByPower,
  removeValidator,
  setIsApplied,
  updateValidator,
} from "./validators.ts";

const addressesCodec = protoCodec(ValAddressesSchema);

/** Returns true if EndBlock has to recompute the set or to complete a mature entry. */
export const isEndBlockDue = (state: StateStores, { time }: BlockInfo): boolean =>
  isSetTouched(state) ||
  isAnyMature(state, PREFIX.unbondingQueue, time) ||
  isAnyMature(state, PREFIX.redelegationQueue, time) ||
  isAnyValidatorMature(state, time);

function isAnyValidatorMature(state: StateStores, time: Time): boolean {
  const entry = state.store(STAKING).first(prefixKey(PREFIX.validatorQueue));
  return entry !== undefined && compare(validatorQueueKeyTime(entry.key), timeKey(time)) <= 0;
}

/**
 * EndBlock in upstream's order (rules/staking 5.2); if nothing is due, it reads four keys and
 * writes none.
 */
export function endBlock(k: Staking, ctx: Context): readonly ValidatorUpdate[] {
  const updates = isSetTouched(ctx) ? applyAndReturnValidatorSetUpdates(k, ctx) : [];
  unbondAllMatureValidators(k, ctx);
  completeMatureUnbondings(k, ctx);
  completeMatureRedelegations(ctx);
  return updates;
}

/**
 * Bonds the strongest validators, starts to unbond those no longer among them, and returns the
 * updates: first new and changed validators, strongest first, then those that left, by operator
 * address (rules/staking 5.3).
 */
export function applyAndReturnValidatorSetUpdates(k: Staking, ctx: Context): ValidatorUpdate[] {
  const { maxValidators } = getParams(ctx);
  const last = new Map(
    Array.from(lastValidatorPowers(ctx), ({ operator, power }) => [toHex(operator), power]),
  );
  const updates: ValidatorUpdate[] = [];
  let toBonded = 0n;
  let totalPower = 0n;
  let count = 0;
  for (const operator of operatorsByPower(ctx)) {
    if (count === maxValidators) break;
    let validator = mustHaveRecord(ctx, operator);
    if (validator.jailed) {
      throw new Panic("should never retrieve a jailed validator from the power store");
    }
    if (potentialPower(validator) === 0) break;
    if (validator.status !== "bonded") {
      toBonded += validator.tokens;
      validator = bondValidator(k, ctx, validator);
    }
    const power = consensusPower(validator);
    const before = last.get(toHex(operator));
    if (before !== power) {
      setLastValidatorPower(ctx, operator, power);
      updates.push({ pubKey: validator.consensusPubkey, power });
      note(ctx, "validator_power", { operator, before, power });
    }
    last.delete(toHex(operator));
    totalPower += BigInt(power);
    count += 1;
  }
  let fromBonded = 0n;
  for (const validator of noLongerBonded(ctx, last)) {
    fromBonded += validator.tokens;
    beginUnbondingValidator(ctx, validator);
    ctx.store(STAKING).delete(addressKey(PREFIX.lastPower, validator.operator));
    updates.push({ pubKey: validator.consensusPubkey, power: 0 });
    note(ctx, "validator_leaves", { operator: validator.operator, jailed: validator.jailed });
  }
  if (toBonded > fromBonded) movePool(k, ctx, "unbonded", "bonded", toBonded - fromBonded);
  else if (fromBonded > toBonded) movePool(k, ctx, "bonded", "unbonded", fromBonded - toBonded);
  if (updates.length > 0) setLastTotalPower(ctx, totalPower);
  setIsApplied(ctx);
  return updates;
}

/** Records of the validators left in `last`, by operator address; hex sorts like bytes. */
const noLongerBonded = (ctx: Context, last: ReadonlyMap<string, number>): Validator[] =>
  last.size === 0
    ? []
    : Array.from(lastValidatorPowers(ctx))
        .filter(({ operator }) => last.has(toHex(operator)))
        .sort((a, b) => compare(a.operator, b.operator))
        .map(({ operator }) => mustHaveRecord(ctx, operator));

function bondValidator(k: Staking, ctx: Context, validator: Validator): Validator {
  const bonded: Validator = { ...validator, status: "bonded" };
  updateValidator(ctx, validator, bonded);
  if (validator.status === "unbonding") dequeueValidator(ctx, validator);
  k.hooks.afterValidatorBonded(ctx, validator.consensusAddress);
  return bonded;
}

function beginUnbondingValidator(ctx: Context, validator: Validator): void {
  if (validator.status !== "bonded") {
    throw plainError(
      `bad state transition bondedToUnbonding, validator: ${valAddress(validator.operator)}`,
    );
  }
  const unbonding: Validator = {
    ...validator,
    status: "unbonding",
    unbondingHeight: ctx.height,
    unbondingTime: timeAfter(ctx.time, getParams(ctx).unbondingTime),
  };
  updateValidator(ctx, validator, unbonding);
  enqueueValidator(ctx, unbonding);
}

/**
 * Completes the unbonding of validators whose time and height are reached; those without shares are
 * removed (rules/staking 5.4).
 */
function unbondAllMatureValidators(k: Staking, ctx: Context): void {
  const store = ctx.store(STAKING);
  const queue = prefixKey(PREFIX.validatorQueue);
  if (store.first(queue) === undefined) return;
  const now = timeKey(ctx.time);
  for (const entry of store.prefix(queue)) {
    if (compare(validatorQueueKeyTime(entry.key), now) > 0) break;
    if (readU64be(entry.key, entry.key.length - 8) > BigInt(ctx.height)) continue;
    for (const address of entry.read(addressesCodec).addresses) {
      const validator = mustHaveRecord(ctx, fromValAddress(address));
      if (validator.status !== "unbonding") {
        throw plainError("unexpected validator in unbonding queue; status was not unbonding");
      }
      const status: BondStatus = "unbonded";
      updateValidator(ctx, validator, { ...validator, status });
      note(ctx, "unbonding_over", { operator: validator.operator });
      if (validator.delegatorShares === 0n) removeValidator(k, ctx, validator.operator);
    }
    store.delete(entry.key);
  }
}

/** Queues an unbonding validator under its time and height. */
export function enqueueValidator(ctx: Context, validator: Validator): void {
  const key = validatorQueueKey(validator.unbondingTime, validator.unbondingHeight);
  const waiting = ctx.store(STAKING).read(key, addressesCodec)?.addresses ?? [];
  writeQueue(ctx, key, [...waiting, valAddress(validator.operator)]);
}

function dequeueValidator(ctx: Context, validator: Validator): void {
  const key = validatorQueueKey(validator.unbondingTime, validator.unbondingHeight);
  const waiting = ctx.store(STAKING).read(key, addressesCodec)?.addresses ?? [];
  const address = valAddress(validator.operator);
  writeQueue(
    ctx,
    key,
    waiting.filter((other) => other !== address),
  );
}

function writeQueue(ctx: Context, key: Uint8Array, addresses: string[]): void {
  if (addresses.length === 0) ctx.store(STAKING).delete(key);
  else ctx.store(STAKING).write(key, addressesCodec, create(ValAddressesSchema, { addresses }));
}

/** Yields the powers last returned to the consensus engine, by operator address. */
export function* lastValidatorPowers(
  ctx: Context,
): Iterable<{ readonly operator: Uint8Array; readonly power: number }> {
  for (const entry of ctx.store(STAKING).prefix(prefixKey(PREFIX.lastPower))) {
    const [operator] = parseAddressKey(entry.key) as [Uint8Array];
    yield { operator, power: entry.read(powerCodec) };
  }
}

export const setLastValidatorPower = (ctx: Context, operator: Uint8Array, power: number): void =>
  ctx.store(STAKING).write(addressKey(PREFIX.lastPower, operator), powerCodec, power);

export const getLastTotalPower = (ctx: Context): bigint =>
  ctx.store(STAKING).read(LAST_TOTAL_POWER_KEY, intCodec) ?? 0n;

export const setLastTotalPower = (ctx: Context, power: bigint): void =>
  ctx.store(STAKING).write(LAST_TOTAL_POWER_KEY, intCodec, power);
