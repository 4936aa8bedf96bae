import { create } from "@bufbuild/protobuf";
import { hash20, moduleAddress } from "../../../base/address.ts";
import { toHex } from "../../../base/bytes.ts";
import { decFromInt } from "../../../base/dec.ts";
import type { Time } from "../../../base/time.ts";
import { GenesisStateSchema } from "../../../gen/chain/staking/v1beta1/staking_pb.ts";
import type { Coin } from "../../framework/coins.ts";
import type { Context } from "../../framework/context.ts";
import type { ValidatorUpdate } from "../../framework/module.ts";
import { BLOCK_TIME, GENESIS_TIME, TestChain, testAddress } from "../../framework/testing.ts";
import { delegationToMessage, paramsToMessage, validatorToMessage } from "./codec.ts";
import { stakingGenesis } from "./genesis.ts";
import { StakingKeeper } from "./keeper.ts";
import type { BankKeeper } from "./needs.ts";
import {
  BONDED_POOL,
  DEFAULT_PARAMS,
  NOT_BONDED_POOL,
  type Params,
  POWER_REDUCTION,
  type Validator,
} from "./types.ts";
import { endBlock } from "./validator-set.ts";
import { mustGetValidator } from "./validators.ts";

export const op = (name: string): Uint8Array => testAddress(name);

export const pubKey = (name: string): Uint8Array => {
  const key = new Uint8Array(32).fill(0x2e);
  for (let i = 0; i < name.length; i++) key[i] = name.charCodeAt(i);
  return key;
};

export const cons = (name: string): Uint8Array => hash20(pubKey(name));

/** Balances of one denom in a map; may be negative. */
class FakeBank implements BankKeeper {
  readonly #balances = new Map<string, bigint>();

  add(address: Uint8Array, coins: readonly Coin[], sign = 1n): void {
    const amount = coins.reduce((sum, coin) => sum + coin.amount, 0n);
    const key = toHex(address);
    this.#balances.set(key, (this.#balances.get(key) ?? 0n) + sign * amount);
  }

  getBalance(_ctx: Context, address: Uint8Array): bigint {
    return this.#balances.get(toHex(address)) ?? 0n;
  }

  getAllBalances(ctx: Context, address: Uint8Array): Coin[] {
    const amount = this.getBalance(ctx, address);
    return amount === 0n ? [] : [{ denom: "stake", amount }];
  }

  sendCoinsFromModuleToModule(
    _ctx: Context,
    from: string,
    to: string,
    coins: readonly Coin[],
  ): void {
    this.add(moduleAddress(from), coins, -1n);
    this.add(moduleAddress(to), coins);
  }

  delegateCoinsFromAccountToModule(
    _ctx: Context,
    from: Uint8Array,
    to: string,
    coins: readonly Coin[],
  ): void {
    this.add(from, coins, -1n);
    this.add(moduleAddress(to), coins);
  }

  undelegateCoinsFromModuleToAccount(
    _ctx: Context,
    from: string,
    to: Uint8Array,
    coins: readonly Coin[],
  ): void {
    this.add(moduleAddress(from), coins, -1n);
    this.add(to, coins);
  }

  burnCoins(ctx: Context, module: string, coins: readonly Coin[]): void {
    this.add(moduleAddress(module), coins, -1n);
    ctx.emit("burn", ["pool", module], ["amount", coins.map(({ amount }) => amount).join()]);
  }
}

export interface StakingTestOptions {
  /** Power by operator, staked by the operator itself. */
  readonly validators: Readonly<Record<string, number>>;
  readonly params?: Partial<Params>;
  /** Minimum of every validator. */
  readonly minSelfDelegation?: bigint;
}

/** Only staking, with a fake bank, block by block. */
export class StakingTest {
  readonly bank = new FakeBank();
  readonly keeper = new StakingKeeper(this.bank, 5);
  readonly test = new TestChain("staking");
  /** Calls of the hooks: consensus addresses and events. */
  readonly hooked: string[] = [];
  height = 0;
  time: Time = GENESIS_TIME;
  updates: readonly ValidatorUpdate[] = [];

  constructor({ validators, params, minSelfDelegation = 1n }: StakingTestOptions) {
    this.keeper.setHooks({
      afterValidatorCreated: () => {},
      afterValidatorRemoved: (_ctx, address) => this.hooked.push(`removed ${toHex(address)}`),
      afterValidatorBonded: (_ctx, address) => this.hooked.push(`bonded ${toHex(address)}`),
      afterJailedChanged: () => this.hooked.push("jailed changed"),
    });
    const entries = Object.entries(validators).map(([name, power]) => {
      const tokens = BigInt(power) * POWER_REDUCTION;
      return { name, tokens, shares: decFromInt(tokens) };
    });
    for (const { tokens } of entries) {
      this.bank.add(moduleAddress(NOT_BONDED_POOL), [{ denom: "stake", amount: tokens }]);
    }
    const state = create(GenesisStateSchema, {
      params: paramsToMessage({ ...DEFAULT_PARAMS, ...params }),
      validators: entries.map(({ name, tokens, shares }) =>
        validatorToMessage({
          ...newValidator(name),
          tokens,
          delegatorShares: shares,
          minSelfDelegation,
        }),
      ),
      delegations: entries.map(({ name, shares }) =>
        delegationToMessage({ delegator: op(name), validator: op(name), shares }),
      ),
    });
    this.updates = stakingGenesis(this.keeper).init(this.ctx(), state);
    this.#forget();
  }

  /** Context at the current height and time. */
  ctx(): Context {
    return this.test.block(this.height, { time: this.time });
  }

  /** Runs a block with this body and staking's EndBlock. */
  next(body: (ctx: Context) => void = () => {}): void {
    this.height += 1;
    this.time += BLOCK_TIME;
    this.#forget();
    const ctx = this.ctx();
    body(ctx);
    this.updates = endBlock(this.keeper, ctx);
  }

  #forget(): void {
    const { events, logs, steps } = this.test.trace;
    for (const list of [events, logs, steps]) list.length = 0;
    this.hooked.length = 0;
  }

  validator(name: string): Validator {
    return mustGetValidator(this.ctx(), op(name));
  }

  delegate(ctx: Context, delegator: string, validator: string, amount: bigint): void {
    const to = mustGetValidator(ctx, op(validator));
    this.keeper.delegate(ctx, op(delegator), amount, "account", to);
  }

  undelegate(ctx: Context, delegator: string, validator: string, amount: bigint): void {
    this.keeper.undelegate(ctx, op(delegator), op(validator), decFromInt(amount));
  }

  redelegate(ctx: Context, delegator: string, from: string, to: string, amount: bigint): Time {
    const shares = decFromInt(amount);
    return this.keeper.beginRedelegation(ctx, op(delegator), op(from), op(to), shares);
  }

  /** Tokens in the two pools. */
  pools(): { readonly bonded: bigint; readonly notBonded: bigint } {
    const of = (name: string) => this.bank.getBalance(this.ctx(), moduleAddress(name));
    return { bonded: of(BONDED_POOL), notBonded: of(NOT_BONDED_POOL) };
  }

  /** Returns the burns since the start of the block: pool and amount. */
  burns(): string[] {
    return this.test.trace.events
      .filter(({ type }) => type === "burn")
      .map(({ attributes }) => attributes.map(({ value }) => value).join(" "));
  }
}

const newValidator = (name: string): Validator => ({
  operator: op(name),
  consensusPubkey: pubKey(name),
  consensusAddress: cons(name),
  jailed: false,
  status: "unbonded",
  tokens: 0n,
  delegatorShares: 0n,
  description: { moniker: name, identity: "", website: "", securityContact: "", details: "" },
  unbondingHeight: 0,
  unbondingTime: 0n,
  commission: { rate: 0n, maxRate: 0n, maxChangeRate: 0n, updateTime: 0n },
  minSelfDelegation: 1n,
});
