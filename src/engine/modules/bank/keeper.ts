import { moduleAddress } from "../../../base/address.ts";
import { accAddress } from "../../../base/bech32.ts";
import { equal, fromUtf8 } from "../../../base/bytes.ts";
import { type Coin, formatCoin, formatCoins, mustBeValid } from "../../framework/coins.ts";
import type { Context } from "../../framework/context.ts";
import { sdkErrors } from "../../framework/errors.ts";
import { numberAccount } from "./accounts.ts";
import { emitBurn, emitCoinReceived, emitCoinSpent, emitTransfer } from "./events.ts";
import {
  accountPrefix,
  amountCodec,
  BALANCES_PREFIX,
  BANK,
  balanceKey,
  denomOwnerKey,
  parseBalanceKey,
  SUPPLY_PREFIX,
  supplyKey,
} from "./keys.ts";

/** Balances and supply. Addresses are raw bytes; coins are sorted by denom and positive. */
export class BankKeeper {
  readonly #indexOwners: boolean;
  readonly #blocked: readonly Uint8Array[];

  /**
   * @param consensusVersion from 5 on the index of denom owners is maintained
   * @param blocked addresses to which messages must not send
   */
  constructor(consensusVersion: number, blocked: readonly Uint8Array[]) {
    this.#indexOwners = consensusVersion >= 5;
    this.#blocked = blocked;
  }

  getBalance(ctx: Context, address: Uint8Array, denom: string): bigint {
    return ctx.store(BANK).read(balanceKey(address, denom), amountCodec) ?? 0n;
  }

  getAllBalances(ctx: Context, address: Uint8Array): Coin[] {
    const prefix = accountPrefix(address);
    return Array.from(ctx.store(BANK).prefix(prefix), (entry) => ({
      denom: fromUtf8(entry.key.subarray(prefix.length)),
      amount: entry.read(amountCodec),
    }));
  }

  getSupply(ctx: Context, denom: string): bigint {
    return ctx.store(BANK).read(supplyKey(denom), amountCodec) ?? 0n;
  }

  getTotalSupply(ctx: Context): Coin[] {
    return Array.from(ctx.store(BANK).prefix(SUPPLY_PREFIX), (entry) => ({
      denom: fromUtf8(entry.key.subarray(1)),
      amount: entry.read(amountCodec),
    }));
  }

  /** Yields all balances of all accounts, in key order. */
  *allBalances(ctx: Context): Iterable<{ address: Uint8Array; coin: Coin }> {
    for (const entry of ctx.store(BANK).prefix(BALANCES_PREFIX)) {
      const { address, denom } = parseBalanceKey(entry.key);
      yield { address, coin: { denom, amount: entry.read(amountCodec) } };
    }
  }

  blockedAddr(address: Uint8Array): boolean {
    return this.#blocked.some((blocked) => equal(blocked, address));
  }

  /**
   * Moves coins between accounts. Throws sdk 10 for invalid coins and sdk 5
   * `spendable balance 5stake is smaller than 10stake: insufficient funds`.
   */
  sendCoins(ctx: Context, from: Uint8Array, to: Uint8Array, coins: readonly Coin[]): void {
    const sender = this.#subtract(ctx, from, coins);
    const recipient = this.#add(ctx, to, coins);
    emitTransfer(ctx, sender, recipient, coins);
  }

  sendCoinsFromModuleToModule(
    ctx: Context,
    from: string,
    to: string,
    coins: readonly Coin[],
  ): void {
    this.sendCoins(ctx, moduleAddress(from), moduleAddress(to), coins);
  }

  /** Throws sdk 4 if the recipient must not receive coins. */
  sendCoinsFromModuleToAccount(
    ctx: Context,
    from: string,
    to: Uint8Array,
    coins: readonly Coin[],
  ): void {
    if (this.blockedAddr(to)) {
      throw sdkErrors.unauthorized.wrap(`${accAddress(to)} is not allowed to receive funds`);
    }
    this.sendCoins(ctx, moduleAddress(from), to, coins);
  }

  sendCoinsFromAccountToModule(
    ctx: Context,
    from: Uint8Array,
    to: string,
    coins: readonly Coin[],
  ): void {
    this.sendCoins(ctx, from, moduleAddress(to), coins);
  }

  /**
   * Delegates coins: like a send without a `transfer` event. Throws sdk 5 `failed to delegate; …`.
   */
  delegateCoinsFromAccountToModule(
    ctx: Context,
    from: Uint8Array,
    to: string,
    coins: readonly Coin[],
  ): void {
    mustBeValid(coins);
    for (const coin of coins) {
      const balance = this.getBalance(ctx, from, coin.denom);
      if (balance < coin.amount) {
        const have = formatCoin({ denom: coin.denom, amount: balance });
        throw sdkErrors.insufficientFunds.wrap(
          `failed to delegate; ${have} is smaller than ${formatCoins(coins)}`,
        );
      }
    }
    this.#subtract(ctx, from, coins);
    this.#add(ctx, moduleAddress(to), coins);
  }

  /** Returns delegated coins: like a send without a `transfer` event. */
  undelegateCoinsFromModuleToAccount(
    ctx: Context,
    from: string,
    to: Uint8Array,
    coins: readonly Coin[],
  ): void {
    this.#subtract(ctx, moduleAddress(from), coins);
    this.#add(ctx, to, coins);
  }

  /** Burns coins of a module's account and reduces the supply. */
  burnCoins(ctx: Context, module: string, coins: readonly Coin[]): void {
    const burner = this.#subtract(ctx, moduleAddress(module), coins);
    for (const { denom, amount } of coins) {
      this.setSupply(ctx, { denom, amount: this.getSupply(ctx, denom) - amount });
    }
    ctx.log("info", "x/bank", "burned tokens from module account", {
      amount: formatCoins(coins),
      from: module,
    });
    emitBurn(ctx, burner, coins);
  }

  /** Sets a balance directly. For genesis only; everything else moves coins. */
  setBalance(ctx: Context, address: Uint8Array, { denom, amount }: Coin): void {
    const store = ctx.store(BANK);
    if (amount === 0n) store.delete(balanceKey(address, denom));
    else store.write(balanceKey(address, denom), amountCodec, amount);
    if (this.#indexOwners) this.#indexOwner(ctx, address, denom, amount > 0n);
  }

  setSupply(ctx: Context, { denom, amount }: Coin): void {
    if (amount === 0n) ctx.store(BANK).delete(supplyKey(denom));
    else ctx.store(BANK).write(supplyKey(denom), amountCodec, amount);
  }

  /** Consensus version 4 → 5: writes the index of denom owners for the existing balances. */
  migrate4to5(ctx: Context): void {
    for (const { address, coin } of this.allBalances(ctx)) {
      this.#indexOwner(ctx, address, coin.denom, true);
    }
  }

  #indexOwner(ctx: Context, address: Uint8Array, denom: string, owns: boolean): void {
    const store = ctx.store(BANK);
    const key = denomOwnerKey(denom, address);
    if (!owns) store.delete(key);
    else if (!store.has(key)) store.set(key, Uint8Array.of(0));
  }

  /** Returns the address as text, which other events use too. */
  #subtract(ctx: Context, address: Uint8Array, coins: readonly Coin[]): string {
    mustBeValid(coins);
    for (const coin of coins) {
      const balance = { denom: coin.denom, amount: this.getBalance(ctx, address, coin.denom) };
      if (balance.amount < coin.amount) {
        throw sdkErrors.insufficientFunds.wrap(
          `spendable balance ${formatCoin(balance)} is smaller than ${formatCoin(coin)}`,
        );
      }
      this.setBalance(ctx, address, { ...coin, amount: balance.amount - coin.amount });
    }
    const spender = accAddress(address);
    emitCoinSpent(ctx, spender, coins);
    return spender;
  }

  /** Also returns the address as text. */
  #add(ctx: Context, address: Uint8Array, coins: readonly Coin[]): string {
    for (const coin of coins) {
      const balance = this.getBalance(ctx, address, coin.denom);
      if (balance === 0n) numberAccount(ctx, address);
      this.setBalance(ctx, address, { ...coin, amount: balance + coin.amount });
    }
    const receiver = accAddress(address);
    emitCoinReceived(ctx, receiver, coins);
    return receiver;
  }
}
