import { type Coin, formatCoins } from "../../framework/coins.ts";
import type { Context } from "../../framework/context.ts";

/**
 * Events of bank with their attributes in upstream's order (rules/slashing 3.2); addresses are in
 * bech32.
 */

export const emitCoinSpent = (ctx: Context, spender: string, coins: readonly Coin[]): void =>
  ctx.emit("coin_spent", ["spender", spender], ["amount", formatCoins(coins)]);

export const emitCoinReceived = (ctx: Context, receiver: string, coins: readonly Coin[]): void =>
  ctx.emit("coin_received", ["receiver", receiver], ["amount", formatCoins(coins)]);

export const emitBurn = (ctx: Context, burner: string, coins: readonly Coin[]): void =>
  ctx.emit("burn", ["burner", burner], ["amount", formatCoins(coins)]);

export function emitTransfer(
  ctx: Context,
  sender: string,
  recipient: string,
  coins: readonly Coin[],
): void {
  ctx.emit(
    "transfer",
    ["recipient", recipient],
    ["sender", sender],
    ["amount", formatCoins(coins)],
  );
  ctx.emit("message", ["sender", sender]);
}
