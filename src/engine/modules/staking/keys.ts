import { concat, u64be } from "../../../base/bytes.ts";
import type { Time } from "../../../base/time.ts";
import {
  addressFirstKey,
  addressKey,
  parseAddressFirstKey,
  prefixKey,
  TIME_KEY_LENGTH,
  timeKey,
} from "../../framework/keys.ts";
import { potentialPower } from "./shares.ts";
import type { Validator } from "./types.ts";

/** Name of the module and of its store. */
export const STAKING = "staking";

/**
 * Upstream's prefixes (rules/staking 1.4); addresses inside keys are preceded by their length in
 * one byte. Omitted: unbonding ids (0x37 to 0x39), which are only for consumer chains; the
 * historical info (0x50), since the chain stores its own headers; and 0x61, the last block's
 * validator updates, which would be one more write in every block.
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
  delegationByVal: 0x71,
} as const;

export const PARAMS_KEY = prefixKey(PREFIX.params);
export const LAST_TOTAL_POWER_KEY = prefixKey(PREFIX.lastTotalPower);
/** The only key of the memory store. */
export const SET_TOUCHED = Uint8Array.of(0x00);

export { addressKey, prefixKey };

/** `0x71 ‖ len ‖ operator ‖ delegator`: unlike elsewhere, no length before the last address. */
export const delegationByValKey = (operator: Uint8Array, delegator: Uint8Array): Uint8Array =>
  addressFirstKey(PREFIX.delegationByVal, operator, delegator);

export function parseDelegationByValKey(key: Uint8Array): {
  readonly operator: Uint8Array;
  readonly delegator: Uint8Array;
} {
  const { address, rest } = parseAddressFirstKey(key);
  return { operator: address, delegator: rest };
}

/** Addresses in an `addressKey`. */
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
 * `0x23 ‖ potential power (8B big-endian) ‖ len ‖ NOT operator`: in reverse order, the greatest
 * power comes first, and among equals the lowest operator address.
 */
export function powerIndexKey(validator: Validator): Uint8Array {
  const { operator } = validator;
  const key = new Uint8Array(10 + operator.length);
  key[0] = PREFIX.powerIndex;
  new DataView(key.buffer).setBigUint64(1, BigInt(potentialPower(validator)));
  key[9] = operator.length;
  for (let i = 0; i < operator.length; i++) key[10 + i] = (operator[i] as number) ^ 0xff;
  return key;
}

/** `prefix ‖ time`: everything that matures at that time. */
export function queueKey(prefix: number, time: Time): Uint8Array {
  const key = new Uint8Array(1 + TIME_KEY_LENGTH);
  key[0] = prefix;
  key.set(timeKey(time), 1);
  return key;
}

/** Time part of a queue key. */
export const queueKeyTime = (key: Uint8Array): Uint8Array => key.subarray(1, 1 + TIME_KEY_LENGTH);

/** `0x43 ‖ len time (8B) ‖ time ‖ height (8B big-endian)`. */
export const validatorQueueKey = (time: Time, height: number): Uint8Array =>
  concat(prefixKey(PREFIX.validatorQueue), u64be(TIME_KEY_LENGTH), timeKey(time), u64be(height));

export const validatorQueueKeyTime = (key: Uint8Array): Uint8Array =>
  key.subarray(9, 9 + TIME_KEY_LENGTH);
