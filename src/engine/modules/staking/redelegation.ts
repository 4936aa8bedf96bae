import { accAddress, fromAccAddress, fromValAddress, valAddress } from "../../../base/bech32.ts";
import { EMPTY, equal } from "../../../base/bytes.ts";
import type { Dec } from "../../../base/dec.ts";
import { GO_ZERO_TIME, type Time } from "../../../base/time.ts";
import { DVVTripletsSchema } from "../../../gen/chain/staking/v1beta1/staking_pb.ts";
import { decodeMessage, encodeMessage } from "../../framework/codec.ts";
import { formatCoins } from "../../framework/coins.ts";
import type { Context } from "../../framework/context.ts";
import { timeAfter } from "../../framework/time-messages.ts";
import { redelegationCodec } from "./codec.ts";
import { delegate, unbond } from "./delegation.ts";
import {
  errBadRedelegationDst,
  errBadRedelegationSrc,
  errMaxRedelegationEntries,
  errSelfRedelegation,
  errTinyRedelegationAmount,
  errTransitiveRedelegation,
} from "./errors.ts";
import { emitCompleteRedelegation } from "./events.ts";
import { addressKey, PREFIX, parseAddressKey, prefixKey, STAKING } from "./keys.ts";
import type { Staking } from "./needs.ts";
import { bondCoins } from "./pools.ts";
import { dequeueMature, enqueue, enqueueAll, type TimeQueue } from "./queue.ts";
import { isMature, type Redelegation } from "./types.ts";
import { getParams, getValidator, mustGetValidator } from "./validators.ts";

/** Key of a maturing redelegation, with addresses as in the queue of unbonding delegations. */
type Triplet = Omit<Redelegation, "entries">;

const QUEUE: TimeQueue<Triplet> = {
  prefix: PREFIX.redelegationQueue,
  codec: {
    late: true,
    encode: (triplets) =>
      encodeMessage(DVVTripletsSchema, {
        triplets: triplets.map(({ delegator, validatorSrc, validatorDst }) => ({
          delegatorAddress: accAddress(delegator),
          validatorSrcAddress: valAddress(validatorSrc),
          validatorDstAddress: valAddress(validatorDst),
        })),
      }),
    decode: (bytes) =>
      decodeMessage(DVVTripletsSchema, bytes).triplets.map((triplet) => ({
        delegator: fromAccAddress(triplet.delegatorAddress),
        validatorSrc: fromValAddress(triplet.validatorSrcAddress),
        validatorDst: fromValAddress(triplet.validatorDstAddress),
      })),
  },
};

export const getRedelegation = (
  ctx: Context,
  delegator: Uint8Array,
  source: Uint8Array,
  destination: Uint8Array,
): Redelegation | undefined =>
  ctx
    .store(STAKING)
    .read(addressKey(PREFIX.redelegation, delegator, source, destination), redelegationCodec);

/** Rewrites a record and its indexes (rules/staking 1.4); without entries both are removed. */
export function setRedelegation(ctx: Context, red: Redelegation): void {
  const store = ctx.store(STAKING);
  const { delegator, validatorSrc, validatorDst } = red;
  const key = addressKey(PREFIX.redelegation, delegator, validatorSrc, validatorDst);
  const indexes = [
    addressKey(PREFIX.redelegationBySrc, validatorSrc, delegator, validatorDst),
    addressKey(PREFIX.redelegationByDst, validatorDst, delegator, validatorSrc),
  ];
  if (red.entries.length === 0) {
    store.delete(key);
    for (const index of indexes) store.delete(index);
    return;
  }
  store.write(key, redelegationCodec, red);
  for (const index of indexes) store.set(index, EMPTY);
}

export function* allRedelegations(ctx: Context): Iterable<Redelegation> {
  for (const entry of ctx.store(STAKING).prefix(prefixKey(PREFIX.redelegation))) {
    yield entry.read(redelegationCodec);
  }
}

/**
 * Yields the redelegations away from one validator, by delegator and then destination, without
 * reading those of other validators.
 */
export function* redelegationsFrom(ctx: Context, source: Uint8Array): Iterable<Redelegation> {
  const store = ctx.store(STAKING);
  for (const { key } of store.prefix(addressKey(PREFIX.redelegationBySrc, source))) {
    const [, delegator, destination] = parseAddressKey(key) as [Uint8Array, Uint8Array, Uint8Array];
    const red = getRedelegation(ctx, delegator, source, destination);
    if (red !== undefined) yield red;
  }
}

/** Returns true if the delegator has an immature redelegation to the validator. */
function hasReceivingRedelegation(
  ctx: Context,
  delegator: Uint8Array,
  operator: Uint8Array,
): boolean {
  const prefix = addressKey(PREFIX.redelegationByDst, operator, delegator);
  return ctx.store(STAKING).first(prefix) !== undefined;
}

const tripletOf = ({ delegator, validatorSrc, validatorDst }: Redelegation): Triplet => ({
  delegator,
  validatorSrc,
  validatorDst,
});

/** Adds all entries of these redelegations to the queue of maturing ones. */
export function enqueueRedelegations(ctx: Context, reds: readonly Redelegation[]): void {
  const items = reds.flatMap((red) => {
    const triplet = tripletOf(red);
    return red.entries.map(({ completionTime }) => [completionTime, triplet] as const);
  });
  enqueueAll(ctx, QUEUE, items);
}

/**
 * Moves shares from one validator to another, or throws the first refusal (rules/staking 3.2).
 * @returns time from which the tokens are not liable for the source's infractions; Go's zero time
 *   if at once
 */
export function beginRedelegation(
  k: Staking,
  ctx: Context,
  delegator: Uint8Array,
  source: Uint8Array,
  destination: Uint8Array,
  shares: Dec,
): Time {
  if (equal(source, destination)) throw errSelfRedelegation.bare();
  const to = getValidator(ctx, destination);
  if (to === undefined) throw errBadRedelegationDst.bare();
  const from = getValidator(ctx, source);
  if (from === undefined) throw errBadRedelegationSrc.bare();
  if (hasReceivingRedelegation(ctx, delegator, source)) throw errTransitiveRedelegation.bare();
  const waiting = getRedelegation(ctx, delegator, source, destination)?.entries ?? [];
  if (waiting.length >= getParams(ctx).maxEntries) throw errMaxRedelegationEntries.bare();

  const amount = unbond(k, ctx, delegator, source, shares);
  if (amount === 0n) throw errTinyRedelegationAmount.bare();
  const sharesDst = delegate(k, ctx, delegator, amount, from.status, to);

  const begin = beginOf(ctx, source);
  if (begin === undefined) return GO_ZERO_TIME;
  const entry = { ...begin, initialBalance: amount, sharesDst };
  const red = {
    delegator,
    validatorSrc: source,
    validatorDst: destination,
    entries: waiting.concat(entry),
  };
  setRedelegation(ctx, red);
  enqueue(ctx, QUEUE, begin.completionTime, tripletOf(red));
  return begin.completionTime;
}

/**
 * Returns the creation height and completion time of a redelegation from a validator: after the
 * unbonding time, or with the validator if it is unbonding itself. From an unbonded validator it
 * completes at once (undefined). Throws staking 3 if the validator was unbonded and this
 * redelegation removed it by taking its last shares: upstream looks it up only now (x/staking
 * getBeginInfo).
 */
function beginOf(
  ctx: Context,
  source: Uint8Array,
): { readonly creationHeight: number; readonly completionTime: Time } | undefined {
  const validator = mustGetValidator(ctx, source);
  if (validator.status === "unbonded") return undefined;
  if (validator.status === "unbonding") {
    return {
      creationHeight: validator.unbondingHeight,
      completionTime: validator.unbondingTime,
    };
  }
  return {
    creationHeight: ctx.height,
    completionTime: timeAfter(ctx.time, getParams(ctx).unbondingTime),
  };
}

/** EndBlock: removes all mature redelegations. */
export function completeMatureRedelegations(ctx: Context): void {
  for (const { delegator, validatorSrc, validatorDst } of dequeueMature(ctx, QUEUE)) {
    const red = getRedelegation(ctx, delegator, validatorSrc, validatorDst);
    if (red === undefined) continue;
    const done = red.entries.filter((entry) => isMature(entry, ctx.time));
    const entries = red.entries.filter((entry) => !isMature(entry, ctx.time));
    setRedelegation(ctx, { ...red, entries });
    const total = done.reduce((sum, entry) => sum + entry.initialBalance, 0n);
    emitCompleteRedelegation(
      ctx,
      formatCoins(bondCoins(ctx, total)),
      accAddress(delegator),
      valAddress(validatorSrc),
      valAddress(validatorDst),
    );
  }
}
