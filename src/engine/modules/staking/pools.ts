import { moduleAddress } from "../../../base/address.ts";
import type { Coin } from "../../framework/coins.ts";
import type { Context } from "../../framework/context.ts";
import type { BankKeeper, Staking } from "./needs.ts";
import { BONDED_POOL, type BondStatus, NOT_BONDED_POOL } from "./types.ts";
import { getParams } from "./validators.ts";

/** The two accounts of staked tokens: one for bonded validators, one for all others. */

/** Pool with the tokens of validators in this status. */
export const poolOf = (status: BondStatus): string =>
  status === "bonded" ? BONDED_POOL : NOT_BONDED_POOL;

/** Coins of the bond denom; none for zero. */
export const bondCoins = (ctx: Context, amount: bigint): Coin[] =>
  amount === 0n ? [] : [{ denom: getParams(ctx).bondDenom, amount }];

export function poolTokens(bank: BankKeeper, ctx: Context, pool: string): bigint {
  return bank.getBalance(ctx, moduleAddress(pool), getParams(ctx).bondDenom);
}

/** Moves tokens between the pools if the two statuses use different ones. */
export function movePool(
  k: Staking,
  ctx: Context,
  from: BondStatus,
  to: BondStatus,
  amount: bigint,
): void {
  const [source, target] = [poolOf(from), poolOf(to)];
  if (source === target) return;
  k.bank.sendCoinsFromModuleToModule(ctx, source, target, bondCoins(ctx, amount));
}

/** Burns tokens of a pool; does nothing for zero. */
export function burnPool(k: Staking, ctx: Context, pool: string, amount: bigint): void {
  if (amount > 0n) k.bank.burnCoins(ctx, pool, bondCoins(ctx, amount));
}
