/**
 * Accounts, outside of the hashed stores: number, sequence and public key of every address that
 * received coins (rules/clients 6.1). They are in bank's memory store, so they are part of the
 * state and reverted with it, but not covered by any hash.
 */

import { fromAccAddress } from "../../../base/bech32.ts";
import { concat, readU64be, u64be } from "../../../base/bytes.ts";
import type { Context } from "../../framework/context.ts";
import { BANK } from "./keys.ts";

/** `‖ address → number ‖ sequence ‖ public key`; below it the key of the number of accounts. */
export const ACCOUNTS = Uint8Array.of(0x01);
const COUNT = Uint8Array.of(0x02);

/** An account of a chain that is continued. */
export interface ImportedAccount {
  readonly address: string;
  readonly number: bigint;
  readonly sequence: bigint;
  readonly pubKey: Uint8Array;
}

/** Imports the accounts of the chain that this one continues; new accounts get later numbers. */
export function importAccounts(ctx: Context, accounts: readonly ImportedAccount[]): void {
  const memory = ctx.memory(BANK);
  let count = 0n;
  for (const { address, number, sequence, pubKey } of accounts) {
    const value = concat(u64be(number), u64be(sequence), pubKey);
    memory.set(concat(ACCOUNTS, fromAccAddress(address)), value);
    if (number >= count) count = number + 1n;
  }
  memory.set(COUNT, u64be(count));
}

/** Numbers an account that receives coins for the first time. */
export function numberAccount(ctx: Context, address: Uint8Array): void {
  const memory = ctx.memory(BANK);
  const key = concat(ACCOUNTS, address);
  if (memory.has(key)) return;
  const number = memory.get(COUNT) ?? u64be(0);
  memory.set(key, concat(number, u64be(0)));
  memory.set(COUNT, u64be(readU64be(number) + 1n));
}
