import type { Dec } from "../../../base/dec.ts";
import type { Context } from "../../framework/context.ts";

/** Fields of a validator that slashing reads. */
export interface Validator {
  readonly operator: Uint8Array;
  readonly consensusPubkey: Uint8Array;
  readonly consensusAddress: Uint8Array;
  readonly jailed: boolean;
  readonly minSelfDelegation: bigint;
}

/** Methods of the staking keeper that slashing uses; validators are passed back unchanged. */
export interface StakingKeeper {
  /** Throws staking 3 if there is no such validator. */
  validator(ctx: Context, operator: Uint8Array): Validator;
  validatorByConsAddr(ctx: Context, consensusAddress: Uint8Array): Validator | undefined;
  /** Throws staking 3 if there is no such validator. */
  isValidatorJailed(ctx: Context, consensusAddress: Uint8Array): boolean;
  allValidators(ctx: Context): Iterable<Validator>;
  /** Throws staking 19 if there is none. */
  delegation(ctx: Context, delegator: Uint8Array, operator: Uint8Array): { readonly shares: Dec };
  tokensFromShares(validator: Validator, shares: Dec): Dec;
  /** Returns the tokens burned from the validator itself. */
  slash(
    ctx: Context,
    consensusAddress: Uint8Array,
    infractionHeight: number,
    power: number,
    fraction: Dec,
  ): bigint;
  jail(ctx: Context, consensusAddress: Uint8Array): void;
  unjail(ctx: Context, consensusAddress: Uint8Array): void;
}
