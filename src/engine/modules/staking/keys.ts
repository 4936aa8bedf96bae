import { lengthPrefixed } from "../../framework/keys.ts";
import { concat, u64be, utf8 } from "../../primitives/bytes.ts";
import { formatRfc3339, type Time, toTimestamp } from "../../primitives/time.ts";
import { potentialPower } from "./shares.ts";
import type { Validator } from "./types.ts";

/** Name of the module and of its store. */
export const STAKING = "staking";

/**
 * Prefixes as upstream has them (staking facts §2.1); addresses inside keys carry their length in one
 * byte before them. Left out: unbonding ids (0x37 to 0x39), which serve only consumer chains; the
 * historical info (0x50), since the chain keeps its own headers; and 0x61, the last block's validator
 * updates, which would be one more write in every block.
 */
export const PREFIX = {
  lastPower: 0x11,
  lastTotalPower: 0x12,
  validator: 0x21,
  validatorByConsAddr: 0x22,
  powerIndex: 0x23,
  delegation: 0x31,
  unbonding: 0x32,
  unbondingByVal: 0x33,
  redelegation: 0x34,
  redelegationBySrc: 0x35,
  redelegationByDst: 0x36,
  unbondingQueue: 0x41,
  redelegationQueue: 0x42,
  validatorQueue: 0x43,
  params: 0x51,
  /**
   * Not upstream's: present while the power index or the parameters differ from what the last
   * EndBlock saw, so that an EndBlock without a change reads one key instead of the whole set.
   */
  setTouched: 0x60,
  delegationByVal: 0x71,
} as const;

export const prefixKey = (prefix: number): Uint8Array => Uint8Array.of(prefix);
export const PARAMS_KEY = prefixKey(PREFIX.params);
export const LAST_TOTAL_POWER_KEY = prefixKey(PREFIX.lastTotalPower);
export const SET_TOUCHED_KEY = prefixKey(PREFIX.setTouched);

/** A prefix followed by addresses, each with its length. */
export const addressKey = (prefix: number, ...addresses: readonly Uint8Array[]): Uint8Array =>
  concat(prefixKey(prefix), ...addresses.map(lengthPrefixed));

/** The addresses of such a key. */
export function parseAddressKey(key: Uint8Array): Uint8Array[] {
  const addresses: Uint8Array[] = [];
  for (let at = 1; at < key.length; ) {
    const end = at + 1 + (key[at] as number);
    addresses.push(key.slice(at + 1, end));
    at = end;
  }
  return addresses;
}

/**
 * `0x23 ‖ potential power (8B big-endian) ‖ len ‖ NOT operator`: read backwards, the greatest power
 * comes first and among equals the lowest operator address.
 */
export function powerIndexKey(validator: Validator): Uint8Array {
  const inverted = validator.operator.map((byte) => byte ^ 0xff);
  const power = u64be(potentialPower(validator));
  return concat(prefixKey(PREFIX.powerIndex), power, lengthPrefixed(inverted));
}

/** A moment as fixed-length text that sorts like time: `2026-01-01T00:00:00.000000000`. */
export function timeKey(time: Time): Uint8Array {
  const { nanos } = toTimestamp(time);
  const seconds = formatRfc3339(time - BigInt(nanos)).slice(0, -1);
  return utf8(`${seconds}.${nanos.toString().padStart(9, "0")}`);
}

/**
 * `prefix ‖ time ‖ seq (8B big-endian)`: one key for each maturing pair, in order of arrival. Upstream
 * keeps one list per moment, whose every insertion rewrites it; many in one block would cost their square.
 */
export const queueKey = (prefix: number, time: Time, seq: bigint): Uint8Array =>
  concat(queuePrefix(prefix, time), u64be(seq));

export const queuePrefix = (prefix: number, time: Time): Uint8Array =>
  concat(prefixKey(prefix), timeKey(time));

const TIME_LENGTH = 29;
/** The time part of a queue's key. */
export const queueKeyTime = (key: Uint8Array): Uint8Array => key.subarray(1, 1 + TIME_LENGTH);

/** `0x43 ‖ len time (8B) ‖ time ‖ height (8B big-endian)`. */
export const validatorQueueKey = (time: Time, height: number): Uint8Array =>
  concat(prefixKey(PREFIX.validatorQueue), u64be(TIME_LENGTH), timeKey(time), u64be(height));

export const validatorQueueKeyTime = (key: Uint8Array): Uint8Array =>
  key.subarray(9, 9 + TIME_LENGTH);
