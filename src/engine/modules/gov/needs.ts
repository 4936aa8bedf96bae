import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import type { Dec } from "../../../base/dec.ts";
import type { Coin } from "../../framework/coins.ts";
import type { Context } from "../../framework/context.ts";
import type { ServiceRouter } from "../../framework/router.ts";

/** Addresses are account bytes; modules are given by name, and the bank resolves their accounts. */
export interface BankKeeper {
  /** @throws sdk insufficient funds */
  sendCoinsFromAccountToModule(
    ctx: Context,
    from: Uint8Array,
    module: string,
    coins: readonly Coin[],
  ): void;
  sendCoinsFromModuleToAccount(
    ctx: Context,
    module: string,
    to: Uint8Array,
    coins: readonly Coin[],
  ): void;
  burnCoins(ctx: Context, module: string, coins: readonly Coin[]): void;
  /** All balances of an account, sorted by denom. */
  getAllBalances(ctx: Context, address: Uint8Array): readonly Coin[];
}

export interface BondedValidator {
  readonly operator: Uint8Array;
  readonly bondedTokens: bigint;
  readonly delegatorShares: Dec;
}

export interface StakingKeeper {
  /**
   * Bonded validators by descending power, at most as many as the maximum size of the validator
   * set.
   */
  iterateBondedValidatorsByPower(ctx: Context): Iterable<BondedValidator>;
  delegationsOf(
    ctx: Context,
    delegator: Uint8Array,
  ): Iterable<{ readonly validator: Uint8Array; readonly shares: Dec }>;
  /** Balance of the bonded pool in the bond denom. */
  totalBondedTokens(ctx: Context): bigint;
}

/** A content type, and the effect of a passed proposal with it. */
export interface LegacyContent<D extends DescMessage = DescMessage> {
  readonly schema: D;
  /** Name of the module that handles it. */
  readonly route: string;
  /** Throws its module's error if refused. */
  handle(ctx: Context, content: MessageShape<D>): void;
}

export interface GovNeeds {
  /** The only account (as text) that may sign messages of proposals: governance's own. */
  readonly authority: string;
  readonly bank: BankKeeper;
  readonly staking: StakingKeeper;
  /** Contents of gov v1beta1 that other modules handle. */
  readonly legacyContents: readonly LegacyContent[];
  /** Router for the messages of a passed proposal. */
  readonly router: ServiceRouter;
}
