import type { Coin } from "../../framework/coins.ts";
import type { Context } from "../../framework/context.ts";

/** Methods of the bank keeper that staking uses. */
export interface BankKeeper {
  getBalance(ctx: Context, address: Uint8Array, denom: string): bigint;
  getAllBalances(ctx: Context, address: Uint8Array): Coin[];
  sendCoinsFromModuleToModule(ctx: Context, from: string, to: string, coins: readonly Coin[]): void;
  delegateCoinsFromAccountToModule(
    ctx: Context,
    from: Uint8Array,
    to: string,
    coins: readonly Coin[],
  ): void;
  undelegateCoinsFromModuleToAccount(
    ctx: Context,
    from: string,
    to: Uint8Array,
    coins: readonly Coin[],
  ): void;
  burnCoins(ctx: Context, module: string, coins: readonly Coin[]): void;
}

/**
 * Hooks that staking calls on changes: upstream's hooks with a listener here, and
 * `afterJailedChanged`, which does not exist upstream. It is called when every validator's vote has
 * to be judged again.
 */
export interface StakingHooks {
  afterValidatorCreated(ctx: Context, operator: Uint8Array): void;
  afterValidatorRemoved(ctx: Context, consensusAddress: Uint8Array): void;
  afterValidatorBonded(ctx: Context, consensusAddress: Uint8Array): void;
  /** A validator was jailed or unjailed. */
  afterJailedChanged(ctx: Context): void;
}

/** Dependencies shared by the parts of the keeper. */
export interface Staking {
  readonly bank: BankKeeper;
  readonly hooks: StakingHooks;
  /** From 6 on the index of a validator's delegations contains their shares. */
  readonly consensusVersion: number;
}
