/**
 * Reads and changes accounts, which are not in the hashed stores. Running a chain needs none of
 * this, so it is loaded separately.
 */

import { concat, readU64be, u64be } from "../../../base/bytes.ts";
import type { Context } from "../../framework/context.ts";
import { ACCOUNTS } from "./accounts.ts";
import { BANK } from "./keys.ts";

export interface Account {
  readonly number: bigint;
  /** Number of signed transactions sent by the account. */
  readonly sequence: bigint;
  /** Compressed secp256k1 key; empty until the account's first signed transaction. */
  readonly pubKey: Uint8Array;
}

/** Account of an address; undefined if it never received coins. */
export function accountOf(ctx: Context, address: Uint8Array): Account | undefined {
  const bytes = ctx.memory(BANK).get(concat(ACCOUNTS, address));
  return bytes && readAccount(bytes);
}

/** Yields all accounts with their addresses, in order of address. */
export function* allAccounts(ctx: Context): Generator<Account & { readonly address: Uint8Array }> {
  for (const { key, value } of ctx.memory(BANK).prefix(ACCOUNTS)) {
    yield { address: key.slice(ACCOUNTS.length), ...readAccount(value) };
  }
}

const readAccount = (bytes: Uint8Array): Account => ({
  number: readU64be(bytes),
  sequence: readU64be(bytes, 8),
  pubKey: bytes.slice(16),
});

export function setAccount(
  ctx: Context,
  address: Uint8Array,
  { number, sequence, pubKey }: Account,
): void {
  const value = concat(u64be(number), u64be(sequence), pubKey);
  ctx.memory(BANK).set(concat(ACCOUNTS, address), value);
}
