import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import type { Context } from "../../framework/context.ts";
import { timeKey } from "../../framework/keys.ts";
import { compare, readU64be } from "../../primitives/bytes.ts";
import type { Time } from "../../primitives/time.ts";
import type { Codec } from "../../store/kv-store.ts";
import { prefixKey, queueKey, queueKeyTime, queuePrefix, STAKING } from "./keys.ts";

/** Puts an item at the end of those that mature at the same moment. */
export function enqueue<D extends DescMessage>(
  ctx: Context,
  prefix: number,
  codec: Codec<MessageShape<D>>,
  time: Time,
  item: MessageShape<D>,
): void {
  const store = ctx.store(STAKING);
  let next = 0n;
  for (const last of store.prefix(queuePrefix(prefix, time), true)) {
    next = readU64be(last.key, last.key.length - 8) + 1n;
    break;
  }
  store.write(queueKey(prefix, time, next), codec, item);
}

/** Takes out what is mature at the block's time, earliest first. One read if there is nothing. */
export function dequeueMature<D extends DescMessage>(
  ctx: Context,
  prefix: number,
  codec: Codec<MessageShape<D>>,
): MessageShape<D>[] {
  const store = ctx.store(STAKING);
  const mature: MessageShape<D>[] = [];
  let now: Uint8Array | undefined;
  for (const entry of store.prefix(prefixKey(prefix))) {
    now ??= timeKey(ctx.time);
    if (compare(queueKeyTime(entry.key), now) > 0) break;
    mature.push(entry.read(codec));
    store.delete(entry.key);
  }
  return mature;
}
