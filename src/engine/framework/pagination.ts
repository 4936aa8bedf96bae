import type { PageRequest } from "../../gen/chain/base/query/v1beta1/pagination_pb.ts";
import { compare, prefixEnd } from "../primitives/bytes.ts";
import type { Entry, KVReader } from "../store/kv-store.ts";
import { plainError } from "./errors.ts";

/** Page size when the request names none (rules/evidence 6.3). */
const DEFAULT_LIMIT = 100;

/** One page of a prefix: its items, the key (without prefix) that continues, and the total. */
export interface Page<T> {
  readonly items: T[];
  readonly pagination: { readonly nextKey: Uint8Array; readonly total: bigint };
}

/**
 * Pages over the entries below `prefix` as upstream's collections do: a limit of 0 means 100 and counts the
 * total; an offset beyond the end answers an empty page without a total; with a key no total is counted, and
 * going backwards the key itself is included (rules/evidence 6.3).
 * @param decode called for the entries of the page alone: counting the others costs no more than walking over
 *   them
 * @param keep only entries it accepts are returned
 * @param counted what the offset counts: the entries that are kept, or all, as upstream's collections do; the total is
 *   what is skipped and all that is kept of the rest
 */
export function paginate<T>(
  store: KVReader,
  prefix: Uint8Array,
  request: PageRequest | undefined,
  decode: (entry: Entry) => T,
  keep: (entry: Entry) => boolean = () => true,
  counted: "kept" | "all" = "kept",
): Page<T> {
  const { offset, key, reverse, limit, countTotal } = readRequest(request);
  const items: T[] = [];
  let nextKey: Uint8Array = new Uint8Array();
  let seen = 0;
  let count = 0;
  for (const entry of range(store, prefix, key, reverse)) {
    const isKept = counted === "kept" && keep(entry);
    if (counted === "kept" && !isKept) continue;
    seen += 1;
    if (seen <= offset) continue;
    const isFull = count >= limit;
    // Behind a full page it moves on until an entry is kept, as long as the total is counted.
    if (count === limit) nextKey = entry.key.slice(prefix.length);
    if (isFull && !countTotal) break;
    if (!isKept && !keep(entry)) continue;
    count += 1;
    if (!isFull) items.push(decode(entry));
  }
  const total = countTotal && offset <= seen ? BigInt(offset + count) : 0n;
  return { items, pagination: { nextKey, total } };
}

/**
 * Pages as upstream does over a prefix store (rules/staking 6.3): as over a
 * collection, but the total is counted also where the offset lies beyond the end, and the key that continues
 * a page begun with a key is that of the next entry, whether it is kept or not.
 */
export function paginateStore<T>(
  store: KVReader,
  prefix: Uint8Array,
  request: PageRequest | undefined,
  decode: (entry: Entry) => T,
  keep: (entry: Entry) => boolean = () => true,
): Page<T> {
  const { offset, key, reverse, limit, countTotal } = readRequest(request);
  const items: T[] = [];
  let nextKey: Uint8Array = new Uint8Array();
  let kept = 0;
  for (const entry of range(store, prefix, key, reverse)) {
    const isFull = items.length === limit;
    if (!(isFull && key.length > 0)) {
      if (!keep(entry)) continue;
      kept += 1;
      if (kept <= offset) continue;
    }
    if (!isFull) items.push(decode(entry));
    else if (nextKey.length === 0) {
      nextKey = entry.key.slice(prefix.length);
      if (!countTotal) break;
    }
  }
  return { items, pagination: { nextKey, total: countTotal ? BigInt(kept) : 0n } };
}

function readRequest(request: PageRequest | undefined) {
  const offset = Number(request?.offset ?? 0n);
  const key = request?.key ?? new Uint8Array();
  if (offset > 0 && key.length > 0) {
    throw plainError("invalid request, either offset or key is expected, got both");
  }
  const unlimited = (request?.limit ?? 0n) === 0n;
  return {
    offset,
    key,
    reverse: request?.reverse ?? false,
    limit: unlimited ? DEFAULT_LIMIT : Number(request?.limit),
    countTotal: key.length === 0 && (unlimited || (request?.countTotal ?? false)),
  };
}

function range(
  store: KVReader,
  prefix: Uint8Array,
  key: Uint8Array,
  reverse: boolean,
): Iterable<Entry> {
  if (key.length === 0) return store.prefix(prefix, reverse);
  const from = concatKey(prefix, key);
  const end = prefixEnd(prefix);
  if (!reverse) return store.iterate(from, end);
  const stop = prefixEnd(from);
  return store.iterate(
    prefix,
    end !== undefined && stop !== undefined && compare(stop, end) > 0 ? end : stop,
    true,
  );
}

function concatKey(a: Uint8Array, b: Uint8Array): Uint8Array {
  const out = new Uint8Array(a.length + b.length);
  out.set(a);
  out.set(b, a.length);
  return out;
}
