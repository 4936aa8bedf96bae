import { create } from "@bufbuild/protobuf";
import { moduleAddress } from "../../../base/address.ts";
import { consAddress, fromValAddress, valAddress } from "../../../base/bech32.ts";
import { toHex } from "../../../base/bytes.ts";
import {
  type GenesisState,
  GenesisStateSchema,
} from "../../../gen/chain/staking/v1beta1/staking_pb.ts";
import { formatCoins } from "../../framework/coins.ts";
import type { Context } from "../../framework/context.ts";
import { Panic, plainError } from "../../framework/errors.ts";
import { genesisOf, type ModuleGenesis, type ValidatorUpdate } from "../../framework/module.ts";
import {
  delegationFromMessage,
  delegationToMessage,
  integer,
  paramsFromMessage,
  paramsToMessage,
  redelegationFromMessage,
  redelegationToMessage,
  unbondingFromMessage,
  unbondingToMessage,
  validatorFromMessage,
  validatorToMessage,
} from "./codec.ts";
import { allDelegations, setDelegation } from "./delegation.ts";
import type { Staking } from "./needs.ts";
import { validateParams } from "./params.ts";
import { bondCoins } from "./pools.ts";
import { allRedelegations, enqueueRedelegations, setRedelegation } from "./redelegation.ts";
import { BONDED_POOL, DEFAULT_PARAMS, NOT_BONDED_POOL } from "./types.ts";
import { allUnbondingDelegations, enqueueUnbondings, setUnbondingDelegation } from "./unbonding.ts";
import {
  applyAndReturnValidatorSetUpdates,
  enqueueValidator,
  getLastTotalPower,
  lastValidatorPowers,
  setLastTotalPower,
  setLastValidatorPower,
} from "./validator-set.ts";
import { addValidator, allValidators, getParams, getValidator, setParams } from "./validators.ts";

/** Genesis as in upstream; runs after bank's, because it checks the pools (rules/staking 1.7). */
export const stakingGenesis = (k: Staking): ModuleGenesis =>
  genesisOf<typeof GenesisStateSchema>({
    schema: GenesisStateSchema,
    defaults: () => create(GenesisStateSchema, { params: paramsToMessage(DEFAULT_PARAMS) }),
    validate: (state) => void read(state),
    init: (ctx, state) => init(k, ctx, state),
    export: exportState,
  });

/** Converts the state to the engine's form. Throws a plain error for invalid values. */
function read(state: GenesisState) {
  const keys = new Set<string>();
  const validators = state.validators.map((message) => {
    const validator = validatorFromMessage(message);
    const who = (): string =>
      `moniker ${validator.description.moniker}, address ${consAddress(validator.consensusAddress)}`;
    const key = toHex(validator.consensusPubkey);
    if (keys.has(key)) throw plainError(`duplicate validator in genesis state: ${who()}`);
    keys.add(key);
    if (validator.jailed && validator.status === "bonded") {
      throw plainError(`validator is bonded and jailed in genesis state: ${who()}`);
    }
    if (validator.delegatorShares === 0n && validator.status !== "unbonding") {
      throw plainError(
        `bonded/unbonded genesis validator cannot have zero delegator shares, validator: ${who()}`,
      );
    }
    if (validator.tokens < 0n) throw plainError(`validator with negative tokens: ${who()}`);
    return validator;
  });
  const delegations = state.delegations.map(delegationFromMessage);
  const unbonding = state.unbondingDelegations.map(unbondingFromMessage);
  const redelegations = state.redelegations.map(redelegationFromMessage);
  const params = paramsFromMessage(state.params);
  validateParams(params);
  return { validators, delegations, unbonding, redelegations, params };
}

function init(k: Staking, ctx: Context, state: GenesisState): readonly ValidatorUpdate[] {
  const { validators, delegations, unbonding, redelegations, params } = read(state);
  setParams(ctx, params);
  const pools = { [BONDED_POOL]: 0n, [NOT_BONDED_POOL]: 0n };
  for (const { status, tokens } of validators) {
    pools[status === "bonded" ? BONDED_POOL : NOT_BONDED_POOL] += tokens;
  }
  for (const { balance } of unbonding.flatMap(({ entries }) => entries)) {
    pools[NOT_BONDED_POOL] += balance;
  }
  // Upstream checks the pools last; here an invalid state is refused before it is written.
  checkPool(k, ctx, "bonded", BONDED_POOL, pools[BONDED_POOL]);
  checkPool(k, ctx, "not bonded", NOT_BONDED_POOL, pools[NOT_BONDED_POOL]);
  setLastTotalPower(ctx, integer(state.lastTotalPower));
  for (const validator of validators) {
    addValidator(ctx, validator);
    if (!state.exported) k.hooks.afterValidatorCreated(ctx, validator.operator);
    if (validator.status === "unbonding") enqueueValidator(ctx, validator);
  }
  for (const delegation of delegations) setDelegation(k, ctx, delegation);
  for (const ubd of unbonding) setUnbondingDelegation(ctx, ubd);
  enqueueUnbondings(ctx, unbonding);
  for (const red of redelegations) setRedelegation(ctx, red);
  enqueueRedelegations(ctx, redelegations);
  return state.exported ? initLastPowers(ctx, state) : applyAndReturnValidatorSetUpdates(k, ctx);
}

/** Panics unless a pool's balance equals the sum of validators and unbonding entries. */
function checkPool(k: Staking, ctx: Context, name: string, pool: string, tokens: bigint): void {
  const balance = formatCoins(k.bank.getAllBalances(ctx, moduleAddress(pool)));
  const coins = formatCoins(bondCoins(ctx, tokens));
  if (balance !== coins) {
    throw new Panic(
      `${name} pool balance is different from ${name} coins: ${balance} <-> ${coins}`,
    );
  }
}

/**
 * Restores the validator set of an exported state; the next EndBlock applies the changes still due.
 */
function initLastPowers(ctx: Context, state: GenesisState): ValidatorUpdate[] {
  return state.lastValidatorPowers.map(({ address, power }) => {
    const operator = fromValAddress(address);
    const validator = getValidator(ctx, operator);
    if (validator === undefined) throw new Panic(`validator ${address} not found`);
    setLastValidatorPower(ctx, operator, Number(power));
    return { pubKey: validator.consensusPubkey, power: Number(power) };
  });
}

const exportState = (ctx: Context): GenesisState =>
  create(GenesisStateSchema, {
    params: paramsToMessage(getParams(ctx)),
    lastTotalPower: getLastTotalPower(ctx).toString(),
    lastValidatorPowers: Array.from(lastValidatorPowers(ctx), ({ operator, power }) => ({
      address: valAddress(operator),
      power: BigInt(power),
    })),
    validators: Array.from(allValidators(ctx), validatorToMessage),
    delegations: Array.from(allDelegations(ctx), delegationToMessage),
    unbondingDelegations: Array.from(allUnbondingDelegations(ctx), unbondingToMessage),
    redelegations: Array.from(allRedelegations(ctx), redelegationToMessage),
    exported: true,
  });
