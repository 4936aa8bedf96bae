import type { Dec } from "../../../base/dec.ts";
import type { Time } from "../../../base/time.ts";
import type { Context } from "../../framework/context.ts";
import * as delegation from "./delegation.ts";
import { errNoValidatorFound } from "./errors.ts";
import type { BankKeeper, Staking, StakingHooks } from "./needs.ts";
import { poolTokens } from "./pools.ts";
import * as redelegation from "./redelegation.ts";
import { tokensFromShares } from "./shares.ts";
import { slash } from "./slash.ts";
import {
  BONDED_POOL,
  type BondStatus,
  type Delegation,
  NOT_BONDED_POOL,
  type Params,
  type Validator,
} from "./types.ts";
import * as unbonding from "./unbonding.ts";
import { lastValidatorPowers } from "./validator-set.ts";
import * as validators from "./validators.ts";

const NO_HOOKS: StakingHooks = {
  afterValidatorCreated: () => {},
  afterValidatorRemoved: () => {},
  afterValidatorBonded: () => {},
  afterJailedChanged: () => {},
};

/**
 * Operations of staking that other modules use. Addresses are raw bytes (operators 20, consensus
 * addresses 20), amounts are in the bond denom's smallest unit, shares are Dec.
 */
export class StakingKeeper implements Staking {
  readonly bank: BankKeeper;
  readonly consensusVersion: number;
  hooks: StakingHooks = NO_HOOKS;

  constructor(bank: BankKeeper, consensusVersion: number) {
    this.bank = bank;
    this.consensusVersion = consensusVersion;
  }

  /** Called once when the application is assembled. */
  setHooks(hooks: StakingHooks): void {
    this.hooks = hooks;
  }

  getParams(ctx: Context): Params {
    return validators.getParams(ctx);
  }

  validatorByConsAddr(ctx: Context, consensusAddress: Uint8Array): Validator | undefined {
    return validators.validatorByConsAddr(ctx, consensusAddress);
  }

  /** Throws staking 3 for an unknown validator. */
  isValidatorJailed(ctx: Context, consensusAddress: Uint8Array): boolean {
    const validator = validators.validatorByConsAddr(ctx, consensusAddress);
    if (validator === undefined) throw errNoValidatorFound.bare();
    return validator.jailed;
  }

  /** All validators, in order of operator addresses. */
  allValidators(ctx: Context): Iterable<Validator> {
    return validators.allValidators(ctx);
  }

  /** Bonded validators by descending power, at most max_validators, without jailed ones. */
  *bondedValidatorsByPower(ctx: Context): Iterable<Validator> {
    let left = validators.getParams(ctx).maxValidators;
    for (const operator of validators.operatorsByPower(ctx)) {
      if (left === 0) return;
      const validator = validators.mustHaveRecord(ctx, operator);
      if (validator.status !== "bonded") continue;
      left -= 1;
      yield validator;
    }
  }

  /** Operators and powers as last returned to the consensus engine. */
  lastValidatorPowers(
    ctx: Context,
  ): Iterable<{ readonly operator: Uint8Array; readonly power: number }> {
    return lastValidatorPowers(ctx);
  }

  /** Throws staking 3 if there is no such validator. */
  validator(ctx: Context, operator: Uint8Array): Validator {
    return validators.mustGetValidator(ctx, operator);
  }

  /** Throws staking 19 if there is none. */
  delegation(ctx: Context, delegator: Uint8Array, operator: Uint8Array): Delegation {
    return delegation.mustGetDelegation(ctx, delegator, operator);
  }

  /** Returns the value in tokens of a validator's shares. */
  tokensFromShares(validator: Validator, shares: Dec): Dec {
    return tokensFromShares(validator, shares);
  }

  delegatorDelegations(ctx: Context, delegator: Uint8Array): Iterable<Delegation> {
    return delegation.delegatorDelegations(ctx, delegator);
  }

  /** Tokens of the bonded pool, including those of a validator jailed in this block. */
  totalBondedTokens(ctx: Context): bigint {
    return poolTokens(this.bank, ctx, BONDED_POOL);
  }

  notBondedTokens(ctx: Context): bigint {
    return poolTokens(this.bank, ctx, NOT_BONDED_POOL);
  }

  delegate(
    ctx: Context,
    delegator: Uint8Array,
    amount: bigint,
    source: BondStatus | "account",
    validator: Validator,
  ): Dec {
    return delegation.delegate(this, ctx, delegator, amount, source, validator);
  }

  undelegate(
    ctx: Context,
    delegator: Uint8Array,
    operator: Uint8Array,
    shares: Dec,
  ): { readonly completionTime: Time; readonly amount: bigint } {
    return unbonding.undelegate(this, ctx, delegator, operator, shares);
  }

  beginRedelegation(
    ctx: Context,
    delegator: Uint8Array,
    source: Uint8Array,
    destination: Uint8Array,
    shares: Dec,
  ): Time {
    return redelegation.beginRedelegation(this, ctx, delegator, source, destination, shares);
  }

  /** See slash.ts. Returns the tokens burned from the validator itself. */
  slash(
    ctx: Context,
    consensusAddress: Uint8Array,
    infractionHeight: number,
    power: number,
    factor: Dec,
  ): bigint {
    return slash(this, ctx, consensusAddress, infractionHeight, power, factor);
  }

  /** Panics for an unknown validator; throws staking 7 for a jailed one. */
  jail(ctx: Context, consensusAddress: Uint8Array): void {
    validators.jail(this, ctx, consensusAddress);
  }

  unjail(ctx: Context, consensusAddress: Uint8Array): void {
    validators.unjail(this, ctx, consensusAddress);
  }
}
