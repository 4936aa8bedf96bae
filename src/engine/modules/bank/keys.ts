import { concat, EMPTY, fromUtf8, utf8 } from "../../../base/bytes.ts";
import { addressFirstKey, lengthPrefixed, parseAddressFirstKey } from "../../framework/keys.ts";
import type { Codec } from "../../store/kv-store.ts";

/** Name of the module and of its store. */
export const BANK = "bank";

export const PREFIX = {
  /** `‖ denom → amount in decimal digits`. */
  supply: 0x00,
  /** `‖ len(1B) ‖ address ‖ denom → amount in decimal digits`; zero is not stored. */
  balance: 0x02,
  /**
   * `‖ denom ‖ 0x00 ‖ len(1B) ‖ address → 0x00`: owners of a denom. From consensus version 5 on.
   */
  denomOwner: 0x03,
} as const;

/** Amounts are stored as decimal digits (rules/staking 7.2). */
export const amountCodec: Codec<bigint> = {
  late: true,
  encode: (amount) => utf8(amount.toString()),
  decode: (bytes) => BigInt(fromUtf8(bytes)),
};

export const SUPPLY_PREFIX = Uint8Array.of(PREFIX.supply);
export const BALANCES_PREFIX = Uint8Array.of(PREFIX.balance);

export const supplyKey = (denom: string): Uint8Array => concat(SUPPLY_PREFIX, utf8(denom));

export const accountPrefix = (address: Uint8Array): Uint8Array =>
  concat(BALANCES_PREFIX, lengthPrefixed(address));

export const balanceKey = (address: Uint8Array, denom: string): Uint8Array =>
  addressFirstKey(PREFIX.balance, address, denomBytes(denom));

export function denomOwnerKey(denom: string, address: Uint8Array): Uint8Array {
  const text = denomBytes(denom);
  const key = new Uint8Array(3 + text.length + address.length);
  key[0] = PREFIX.denomOwner;
  key.set(text, 1);
  key[2 + text.length] = address.length;
  key.set(address, 3 + text.length);
  return key;
}

let source: { readonly denom: string; readonly bytes: Uint8Array } = { denom: "", bytes: EMPTY };

/** Caches the last denom, since most transfers use the same one. */
function denomBytes(denom: string): Uint8Array {
  if (source.denom !== denom) source = { denom, bytes: utf8(denom) };
  return source.bytes;
}

export function parseBalanceKey(key: Uint8Array): { address: Uint8Array; denom: string } {
  const { address, rest } = parseAddressFirstKey(key);
  return { address, denom: fromUtf8(rest) };
}
