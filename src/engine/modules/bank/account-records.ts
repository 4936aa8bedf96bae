/** Reads and changes the accounts beside the stores. A chain that runs needs none of this, so it loads apart from it. */
import type { Context } from "../../framework/context.ts";
import { concat, readU64be, u64be } from "../../primitives/bytes.ts";
import { ACCOUNTS } from "./accounts.ts";
import { BANK } from "./keys.ts";

export interface Account {
  readonly number: bigint;
  /** Number of signed transactions that it sent. */
  readonly sequence: bigint;
  /** The compressed secp256k1 key; empty until its first signed transaction. */
  readonly pubKey: Uint8Array;
}

/** The account of an address; undefined if it never received coins. */
export function accountOf(ctx: Context, address: Uint8Array): Account | undefined {
  const bytes = ctx.memory(BANK).get(concat(ACCOUNTS, address));
  return bytes && readAccount(bytes);
}

/** Every account with its address, in order of address. */
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
