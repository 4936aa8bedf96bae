import { accAddress, fromAccAddress, fromValAddress, valAddress } from "../../../base/bech32.ts";
import { EMPTY } from "../../../base/bytes.ts";
import type { Dec } from "../../../base/dec.ts";
import type { Time } from "../../../base/time.ts";
import { DVPairsSchema } from "../../../gen/chain/staking/v1beta1/staking_pb.ts";
import { decodeMessage, encodeMessage } from "../../framework/codec.ts";
import { type Coin, formatCoins } from "../../framework/coins.ts";
import type { Context } from "../../framework/context.ts";
import { plainError, sdkErrors } from "../../framework/errors.ts";
import { timeAfter } from "../../framework/time-messages.ts";
import { unbondingCodec } from "./codec.ts";
import { delegate, unbond } from "./delegation.ts";
import {
  errDelegatorShareExRateInvalid,
  errMaxUnbondingDelegationEntries,
  errValidatorJailed,
} from "./errors.ts";
import { emitCompleteUnbonding } from "./events.ts";
import { addressKey, PREFIX, parseAddressKey, prefixKey, STAKING } from "./keys.ts";
import type { Staking } from "./needs.ts";
import { bondCoins, movePool } from "./pools.ts";
import { dequeueMature, enqueue, enqueueAll, type TimeQueue } from "./queue.ts";
import { hasInvalidExRate } from "./shares.ts";
import {
  isMature,
  NOT_BONDED_POOL,
  type UnbondingDelegation,
  type UnbondingEntry,
} from "./types.ts";
import { getParams, mustGetValidator } from "./validators.ts";

/**
 * Delegator and validator of a maturing delegation: addresses as bytes, which are shared and
 * smaller than their texts.
 */
type Pair = Pick<UnbondingDelegation, "delegator" | "validator">;

const QUEUE: TimeQueue<Pair> = {
  prefix: PREFIX.unbondingQueue,
  codec: {
    late: true,
    encode: (pairs) =>
      encodeMessage(DVPairsSchema, {
        pairs: pairs.map(({ delegator, validator }) => ({
          delegatorAddress: accAddress(delegator),
          validatorAddress: valAddress(validator),
        })),
      }),
    decode: (bytes) =>
      decodeMessage(DVPairsSchema, bytes).pairs.map((pair) => ({
        delegator: fromAccAddress(pair.delegatorAddress),
        validator: fromValAddress(pair.validatorAddress),
      })),
  },
};

export const getUnbondingDelegation = (
  ctx: Context,
  delegator: Uint8Array,
  operator: Uint8Array,
): UnbondingDelegation | undefined =>
  ctx.store(STAKING).read(addressKey(PREFIX.unbonding, delegator, operator), unbondingCodec);

/** Rewrites a record and its index (rules/staking 1.4); without entries both are removed. */
export function setUnbondingDelegation(ctx: Context, ubd: UnbondingDelegation): void {
  const store = ctx.store(STAKING);
  const key = addressKey(PREFIX.unbonding, ubd.delegator, ubd.validator);
  const index = addressKey(PREFIX.unbondingByVal, ubd.validator, ubd.delegator);
  if (ubd.entries.length === 0) {
    store.delete(key);
    store.delete(index);
    return;
  }
  store.write(key, unbondingCodec, ubd);
  store.set(index, EMPTY);
}

export function* allUnbondingDelegations(ctx: Context): Iterable<UnbondingDelegation> {
  for (const entry of ctx.store(STAKING).prefix(prefixKey(PREFIX.unbonding))) {
    yield entry.read(unbondingCodec);
  }
}

/**
 * Yields the unbonding delegations of one validator, in order of delegators, without reading other
 * records.
 */
export function* validatorUnbondingDelegations(
  ctx: Context,
  operator: Uint8Array,
): Iterable<UnbondingDelegation> {
  const store = ctx.store(STAKING);
  for (const { key } of store.prefix(addressKey(PREFIX.unbondingByVal, operator))) {
    const [, delegator] = parseAddressKey(key) as [Uint8Array, Uint8Array];
    const ubd = getUnbondingDelegation(ctx, delegator, operator);
    if (ubd !== undefined) yield ubd;
  }
}

/** Adds all entries of these delegations to the queue of maturing ones. */
export function enqueueUnbondings(ctx: Context, ubds: readonly UnbondingDelegation[]): void {
  const items = ubds.flatMap(({ delegator, validator, entries }) => {
    const pair = { delegator, validator };
    return entries.map(({ completionTime }) => [completionTime, pair] as const);
  });
  enqueueAll(ctx, QUEUE, items);
}

/**
 * Starts to unbond shares: their tokens wait for the full unbonding time, regardless of the
 * validator's status. Throws staking 27 if there are too many entries (rules/staking 3.1).
 */
export function undelegate(
  k: Staking,
  ctx: Context,
  delegator: Uint8Array,
  operator: Uint8Array,
  shares: Dec,
): { readonly completionTime: Time; readonly amount: bigint } {
  const validator = mustGetValidator(ctx, operator);
  const params = getParams(ctx);
  const waiting = getUnbondingDelegation(ctx, delegator, operator)?.entries ?? [];
  if (waiting.length >= params.maxEntries) throw errMaxUnbondingDelegationEntries.bare();

  const amount = unbond(k, ctx, delegator, operator, shares);
  movePool(k, ctx, validator.status, "unbonding", amount);
  const completionTime = timeAfter(ctx.time, params.unbondingTime);
  const entries = addEntry(ctx, waiting, completionTime, amount);
  setUnbondingDelegation(ctx, { delegator, validator: operator, entries });
  enqueue(ctx, QUEUE, completionTime, { delegator, validator: operator });
  return { completionTime, amount };
}

/** Adds an entry, or adds to an existing one with the same height and completion time. */
function addEntry(
  ctx: Context,
  entries: readonly UnbondingEntry[],
  completionTime: Time,
  amount: bigint,
): UnbondingEntry[] {
  const same = (e: UnbondingEntry): boolean =>
    e.creationHeight === ctx.height && e.completionTime === completionTime;
  if (entries.some(same)) {
    return entries.map((e) =>
      same(e)
        ? { ...e, initialBalance: e.initialBalance + amount, balance: e.balance + amount }
        : e,
    );
  }
  const entry = {
    creationHeight: ctx.height,
    completionTime,
    initialBalance: amount,
    balance: amount,
  };
  return entries.concat(entry);
}

/** Pays out the mature entries of a pair; undefined if it has no unbonding delegation any more. */
function completeUnbonding(
  k: Staking,
  ctx: Context,
  delegator: Uint8Array,
  operator: Uint8Array,
): readonly Coin[] | undefined {
  const ubd = getUnbondingDelegation(ctx, delegator, operator);
  if (ubd === undefined) return undefined;
  let total = 0n;
  for (const entry of ubd.entries) {
    if (!isMature(entry, ctx.time) || entry.balance === 0n) continue;
    const coins = bondCoins(ctx, entry.balance);
    k.bank.undelegateCoinsFromModuleToAccount(ctx, NOT_BONDED_POOL, delegator, coins);
    total += entry.balance;
  }
  const entries = ubd.entries.filter((entry) => !isMature(entry, ctx.time));
  setUnbondingDelegation(ctx, { ...ubd, entries });
  return bondCoins(ctx, total);
}

/** EndBlock: pays out all mature entries. */
export function completeMatureUnbondings(k: Staking, ctx: Context): void {
  for (const { delegator, validator } of dequeueMature(ctx, QUEUE)) {
    const paid = completeUnbonding(k, ctx, delegator, validator);
    if (paid !== undefined) {
      const amount = formatCoins(paid);
      emitCompleteUnbonding(ctx, amount, valAddress(validator), accAddress(delegator));
    }
  }
}

/**
 * Delegates unbonding tokens again, from the entry created at `creationHeight` (rules/staking 3.7).
 * @param asSent addresses as written in the message, which upstream's error repeats
 */
export function cancelUnbonding(
  k: Staking,
  ctx: Context,
  delegator: Uint8Array,
  operator: Uint8Array,
  amount: bigint,
  creationHeight: bigint,
  asSent: { readonly delegatorAddress: string; readonly validatorAddress: string },
): void {
  const validator = mustGetValidator(ctx, operator);
  if (hasInvalidExRate(validator)) throw errDelegatorShareExRateInvalid.bare();
  if (validator.jailed) throw errValidatorJailed.bare();
  const ubd = getUnbondingDelegation(ctx, delegator, operator);
  if (ubd === undefined) {
    const { delegatorAddress, validatorAddress } = asSent;
    throw plainError(
      `rpc error: code = NotFound desc = unbonding delegation with delegator ${delegatorAddress} not found for validator ${validatorAddress}`,
    );
  }
  const at = ubd.entries.findIndex((entry) => BigInt(entry.creationHeight) === creationHeight);
  const entry = ubd.entries[at];
  if (entry === undefined) {
    throw sdkErrors.notFound.wrap(
      `unbonding delegation entry is not found at block height ${creationHeight}`,
    );
  }
  if (entry.balance < amount) {
    throw sdkErrors.invalidRequest.wrap(
      "amount is greater than the unbonding delegation entry balance",
    );
  }
  if (entry.completionTime < ctx.time) {
    throw sdkErrors.invalidRequest.wrap("unbonding delegation is already processed");
  }
  delegate(k, ctx, delegator, amount, "unbonding", validator);
  const rest = {
    ...entry,
    balance: entry.balance - amount,
    initialBalance: entry.initialBalance - amount,
  };
  const entries = rest.balance === 0n ? ubd.entries.toSpliced(at, 1) : ubd.entries.with(at, rest);
  setUnbondingDelegation(ctx, { ...ubd, entries });
}
