import { compare, prefixEnd } from "../../base/bytes.ts";
import type { PageRequest } from "../../gen/chain/base/query/v1beta1/pagination_pb.ts";
import type { Entry, KVReader } from "../store/kv-store.ts";
import { plainError } from "./errors.ts";

/** Default page size (rules/evidence 6.3). */
const DEFAULT_LIMIT = 100;

/** One page of a prefix: its items, the next key (without prefix), and the total. */
export interface Page<T> {
  readonly items: T[];
  readonly pagination: { readonly nextKey: Uint8Array; readonly total: bigint };
}

/**
 * Paginates the entries under `prefix` like upstream's collections: a limit of 0 means 100 and
 * counts the total; an offset beyond the end returns an empty page without a total; with a key no
 * total is counted, and in reverse order the key itself is included (rules/evidence 6.3).
 * @param decode called only for the entries of the page: counting the others costs no more than
 *   iterating over them
 * @param keep filter: only accepted entries are returned
 * @param counted entries counted by the offset: only the matching ones, or all, as in upstream's
 *   collections; the total is the number skipped plus the matching entries of the rest
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
    const isCounted = counted === "kept" && keep(entry);
    if (counted === "kept" && !isCounted) continue;
    seen += 1;
    if (seen <= offset) continue;
    const isFull = count >= limit;
    // After a full page it advances to the next matching entry, if the total is counted.
    if (count === limit) nextKey = entry.key.slice(prefix.length);
    if (isFull && !countTotal) break;
    if (!isCounted && !keep(entry)) continue;
    count += 1;
    if (!isFull) items.push(decode(entry));
  }
  const total = countTotal && offset <= seen ? BigInt(offset + count) : 0n;
  return { items, pagination: { nextKey, total } };
}

/**
 * Paginates like upstream over a prefix store (rules/staking 6.3): as over a collection, but the
 * total is counted even if the offset is beyond the end, and the next key of a page that started
 * with a key is that of the next entry, whether or not it matches.
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
  let matched = 0;
  for (const entry of range(store, prefix, key, reverse)) {
    const isFull = items.length === limit;
    if (!(isFull && key.length > 0)) {
      if (!keep(entry)) continue;
      matched += 1;
      if (matched <= offset) continue;
    }
    if (!isFull) items.push(decode(entry));
    else if (nextKey.length === 0) {
      nextKey = entry.key.slice(prefix.length);
      if (!countTotal) break;
    }
  }
  return { items, pagination: { nextKey, total: countTotal ? BigInt(matched) : 0n } };
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
