import { type Coin, formatCoins } from "../../framework/coins.ts";
import type { Context } from "../../framework/context.ts";
import { accAddress } from "../../primitives/bech32.ts";

/** Events of bank with their attributes in upstream's order (rules/slashing 3.2). */

export const emitCoinSpent = (ctx: Context, spender: Uint8Array, coins: readonly Coin[]): void =>
  ctx.emit("coin_spent", ["spender", accAddress(spender)], ["amount", formatCoins(coins)]);

export const emitCoinReceived = (
  ctx: Context,
  receiver: Uint8Array,
  coins: readonly Coin[],
): void =>
  ctx.emit("coin_received", ["receiver", accAddress(receiver)], ["amount", formatCoins(coins)]);

export const emitBurn = (ctx: Context, burner: Uint8Array, coins: readonly Coin[]): void =>
  ctx.emit("burn", ["burner", accAddress(burner)], ["amount", formatCoins(coins)]);

export function emitTransfer(
  ctx: Context,
  from: Uint8Array,
  to: Uint8Array,
  coins: readonly Coin[],
): void {
  ctx.emit(
    "transfer",
    ["recipient", accAddress(to)],
    ["sender", accAddress(from)],
    ["amount", formatCoins(coins)],
  );
  ctx.emit("message", ["sender", accAddress(from)]);
}
