import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import type { Coin } from "../../framework/coins.ts";
import type { Context } from "../../framework/context.ts";
import type { ServiceRouter } from "../../framework/router.ts";
import type { Dec } from "../../primitives/dec.ts";

/** Addresses are account bytes; a module is named, its account is the bank's to know. */
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
  /** Everything an account holds, sorted by denom. */
  getAllBalances(ctx: Context, address: Uint8Array): readonly Coin[];
}

export interface BondedValidator {
  readonly operator: Uint8Array;
  readonly bondedTokens: bigint;
  readonly delegatorShares: Dec;
}

export interface StakingKeeper {
  /** Bonded validators by descending power, as many as the validator set holds at most. */
  iterateBondedValidatorsByPower(ctx: Context): Iterable<BondedValidator>;
  delegationsOf(
    ctx: Context,
    delegator: Uint8Array,
  ): Iterable<{ readonly validator: Uint8Array; readonly shares: Dec }>;
  /** Balance of the bonded pool in the bond denom. */
  totalBondedTokens(ctx: Context): bigint;
}

/** A type of content, and what a passed proposal of it does. */
export interface LegacyContent<D extends DescMessage = DescMessage> {
  readonly schema: D;
  /** The module that handles it. */
  readonly route: string;
  /** Throws what its module refuses. */
  handle(ctx: Context, content: MessageShape<D>): void;
}

export interface GovNeeds {
  /** Account (as text) that alone may sign messages of proposals: governance's own. */
  readonly authority: string;
  readonly bank: BankKeeper;
  readonly staking: StakingKeeper;
  /** Contents of gov v1beta1 that other modules handle. */
  readonly legacyContents: readonly LegacyContent[];
  /** Router for the messages of a passed proposal. */
  readonly router: ServiceRouter;
}
