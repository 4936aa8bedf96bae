import { utf8 } from "../../base/bytes.ts";
import { formatRfc3339, type Time, toTimestamp } from "../../base/time.ts";

/** Prefixes bytes with their length in one byte, as for addresses inside store keys. */
export function lengthPrefixed(bytes: Uint8Array): Uint8Array {
  const key = new Uint8Array(1 + bytes.length);
  key[0] = bytes.length;
  key.set(bytes, 1);
  return key;
}

const PREFIXES = Array.from({ length: 256 }, (_, byte) => Uint8Array.of(byte));

/** Key that consists of a prefix byte. The same array each time: never modify it. */
export const prefixKey = (prefix: number): Uint8Array => PREFIXES[prefix] as Uint8Array;

/** Key with a prefix byte and length-prefixed addresses. */
export function addressKey(prefix: number, ...addresses: readonly Uint8Array[]): Uint8Array {
  let length = 1;
  for (const address of addresses) length += 1 + address.length;
  const key = new Uint8Array(length);
  key[0] = prefix;
  let at = 1;
  for (const address of addresses) {
    key[at] = address.length;
    key.set(address, at + 1);
    at += 1 + address.length;
  }
  return key;
}

/** Key with a prefix byte, a length-prefixed address, and the rest without a length. */
export function addressFirstKey(prefix: number, address: Uint8Array, rest: Uint8Array): Uint8Array {
  const key = new Uint8Array(2 + address.length + rest.length);
  key[0] = prefix;
  key[1] = address.length;
  key.set(address, 2);
  key.set(rest, 2 + address.length);
  return key;
}

/** The parts of an `addressFirstKey`. */
export function parseAddressFirstKey(key: Uint8Array): { address: Uint8Array; rest: Uint8Array } {
  const end = 2 + (key[1] as number);
  return { address: key.slice(2, end), rest: key.slice(end) };
}

/** Length of a `timeKey`. */
export const TIME_KEY_LENGTH = 29;

let source: { readonly time: Time; readonly key: Uint8Array } | undefined;

/**
 * A time as text of fixed length with the same sort order: `2026-01-01T00:00:00.000000000`.
 * Everything that a block starts ends at the same time, so the last key is cached: never modify it.
 */
export function timeKey(time: Time): Uint8Array {
  if (source?.time !== time) source = { time, key: timeText(time) };
  return source.key;
}

function timeText(time: Time): Uint8Array {
  const { nanos } = toTimestamp(time);
  const seconds = formatRfc3339(time - BigInt(nanos)).slice(0, -1);
  return utf8(`${seconds}.${nanos.toString().padStart(9, "0")}`);
}
