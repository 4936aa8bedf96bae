import { compare } from "../../../base/bytes.ts";
import type { Time } from "../../../base/time.ts";
import type { Context, StateStores } from "../../framework/context.ts";
import { timeKey } from "../../framework/keys.ts";
import type { Codec } from "../../store/kv-store.ts";
import { prefixKey, queueKey, queueKeyTime, STAKING } from "./keys.ts";

/** A queue by time: for each time, the list of items that mature then, in order of insertion. */
export interface TimeQueue<T> {
  readonly prefix: number;
  /** Deferred encoding: one block may add many items to the list of the same time. */
  readonly codec: Codec<readonly T[]> & { readonly late: true };
}

/** Appends an item to those that mature at the same time. */
export function enqueue<T>(
  ctx: Context,
  { prefix, codec }: TimeQueue<T>,
  time: Time,
  item: T,
): void {
  const store = ctx.store(STAKING);
  const key = queueKey(prefix, time);
  store.write(key, codec, (store.read(key, codec) ?? []).concat([item]));
}

/** Adds many items, writing the list of each time only once. */
export function enqueueAll<T>(
  ctx: Context,
  { prefix, codec }: TimeQueue<T>,
  items: Iterable<readonly [Time, T]>,
): void {
  const store = ctx.store(STAKING);
  const byTime = new Map<Time, T[]>();
  for (const [time, item] of items) {
    const known = byTime.get(time);
    if (known) known.push(item);
    else byTime.set(time, [item]);
  }
  for (const [time, added] of byTime) {
    const key = queueKey(prefix, time);
    store.write(key, codec, (store.read(key, codec) ?? []).concat(added));
  }
}

/** Returns true if the queue with this prefix has a mature entry at a time. */
export function isAnyMature(state: StateStores, prefix: number, time: Time): boolean {
  const entry = state.store(STAKING).first(prefixKey(prefix));
  return entry !== undefined && compare(queueKeyTime(entry.key), timeKey(time)) <= 0;
}

/** Removes and returns the items mature at the block's time, earliest first. */
export function dequeueMature<T>(ctx: Context, { prefix, codec }: TimeQueue<T>): T[] {
  const store = ctx.store(STAKING);
  const mature: T[] = [];
  for (;;) {
    const entry = store.first(prefixKey(prefix));
    if (entry === undefined || compare(queueKeyTime(entry.key), timeKey(ctx.time)) > 0)
      return mature;
    mature.push(...entry.read(codec));
    store.delete(entry.key);
  }
}
