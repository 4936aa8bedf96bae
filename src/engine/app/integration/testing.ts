import {
  create,
  type DescMessage,
  type MessageInitShape,
  type MessageShape,
} from "@bufbuild/protobuf";
import { hash20, moduleAddress } from "../../../base/address.ts";
import { accAddress, consAddress, valAddress } from "../../../base/bech32.ts";
import { compare, concat, toHex, u64be } from "../../../base/bytes.ts";
import { decFromInt, ONE } from "../../../base/dec.ts";
import type { Time } from "../../../base/time.ts";
import { GenesisStateSchema as BankGenesis } from "../../../gen/chain/bank/v1beta1/bank_pb.ts";
import { GenesisStateSchema as SlashingGenesis } from "../../../gen/chain/slashing/v1beta1/slashing_pb.ts";
import { MsgUnjailSchema } from "../../../gen/chain/slashing/v1beta1/tx_pb.ts";
import { GenesisStateSchema as StakingGenesis } from "../../../gen/chain/staking/v1beta1/staking_pb.ts";
import {
  MsgBeginRedelegateSchema,
  MsgCreateValidatorSchema,
  MsgDelegateSchema,
  MsgEditValidatorSchema,
  MsgUndelegateSchema,
} from "../../../gen/chain/staking/v1beta1/tx_pb.ts";
import { typeUrl } from "../../framework/codec.ts";
import type { CommitInfo, Context } from "../../framework/context.ts";
import type { ValidatorUpdate } from "../../framework/module.ts";
import type { Profile } from "../../framework/profile.ts";
import { ServiceRouter } from "../../framework/router.ts";
import {
  BLOCK_TIME,
  GENESIS_TIME,
  TestChain,
  testAddress,
  thrownBy,
} from "../../framework/testing.ts";
import { createBankModule } from "../../modules/bank/module.ts";
import { registerQueries as bankQueries } from "../../modules/bank/query-server.ts";
import type { SlashingKeeper } from "../../modules/slashing/keeper.ts";
import { createSlashingModule } from "../../modules/slashing/module.ts";
import { registerQueries as slashingQueries } from "../../modules/slashing/query-server.ts";
import type { Params as SlashingParams } from "../../modules/slashing/types.ts";
import {
  DEFAULT_PARAMS as SLASHING_DEFAULTS,
  paramsToMessage as slashingParams,
} from "../../modules/slashing/types.ts";
import {
  delegationToMessage,
  packPubkey,
  paramsToMessage,
  validatorToMessage,
} from "../../modules/staking/codec.ts";
import { createStakingModule } from "../../modules/staking/module.ts";
import type { StakingHooks } from "../../modules/staking/needs.ts";
import { registerQueries as stakingQueries } from "../../modules/staking/query-server.ts";
import {
  BONDED_POOL,
  DEFAULT_PARAMS,
  NOT_BONDED_POOL,
  type Params,
  type Validator,
} from "../../modules/staking/types.ts";
import { stepText } from "../step-text.ts";
import type { ModuleStep } from "../steps.ts";

export const AUTHORITY = accAddress(moduleAddress("gov"));
export const POWER = 1_000_000n;

export const op = (name: string): Uint8Array => testAddress(name);
export const acc = (name: string): string => accAddress(testAddress(name));
export const val = (name: string): string => valAddress(testAddress(name));
export const pubKey = (name: string): Uint8Array => {
  const key = new Uint8Array(32).fill(0x2e);
  for (let i = 0; i < name.length; i++) key[i] = name.charCodeAt(i);
  return key;
};
export const cons = (name: string): Uint8Array => hash20(pubKey(name));
export const consText = (name: string): string => consAddress(cons(name));
export const stake = (amount: bigint | number): { denom: string; amount: string } => ({
  denom: "stake",
  amount: amount.toString(),
});

/** Validator in genesis before the first set exists: unbonded, with its own stake. */
export const genesisValidator = (name: string, tokens: bigint): Validator => ({
  operator: op(name),
  consensusPubkey: pubKey(name),
  consensusAddress: cons(name),
  jailed: false,
  status: "unbonded",
  tokens,
  delegatorShares: decFromInt(tokens),
  description: { moniker: name, identity: "", website: "", securityContact: "", details: "" },
  unbondingHeight: 0,
  unbondingTime: 0n,
  commission: { rate: 0n, maxRate: 0n, maxChangeRate: 0n, updateTime: 0n },
  minSelfDelegation: 1n,
});

export interface StakingChainOptions {
  /** Powers by name, self-delegated by the operators. */
  readonly validators: Readonly<Record<string, number>>;
  /** Balances in the smallest unit by name. */
  readonly accounts?: Readonly<Record<string, bigint>>;
  readonly staking?: Partial<Params>;
  readonly slashing?: Partial<SlashingParams>;
  /** Rows of the profile that differ from the documents. */
  readonly profile?: Partial<Profile>;
  /** Replaces slashing's own counting of missed blocks. */
  readonly liveness?: (keeper: SlashingKeeper) => Liveness;
  readonly versions?: {
    readonly bank?: number;
    readonly staking?: number;
    readonly slashing?: number;
  };
}

export interface Liveness {
  readonly hooks: StakingHooks;
  beginBlock(ctx: Context): void;
}

export interface BlockPlan {
  /** Validators whose vote for the previous block is absent. */
  readonly absent?: readonly string[];
  /** Runs in BeginBlock after slashing, in the position of evidence. */
  readonly begin?: (ctx: Context) => void;
  readonly txs?: (ctx: Context) => void;
}

interface Member {
  readonly address: Uint8Array;
  readonly pubKey: Uint8Array;
  readonly power: number;
}

/** Substitute for a set's hash: equal for the same members with the same powers. */
const hashOf = (set: readonly Member[]): Uint8Array =>
  hash20(concat(...set.map(({ address, power }) => concat(address, u64be(power)))));

/**
 * Bank, staking and slashing wired as in an application, with validator sets maintained like those
 * of a consensus engine.
 */
export class StakingChain {
  readonly bank;
  readonly staking;
  readonly slashing;
  readonly router = new ServiceRouter();
  readonly test = new TestChain("bank", "staking", "slashing");
  readonly #beginBlock: (ctx: Context) => void;
  readonly #profile: Partial<Profile>;
  /** Height of the first block, whose last commit is empty. */
  #first = 1;
  height = 0;
  time: Time = GENESIS_TIME;
  /** Updates returned by the last block. */
  updates: readonly ValidatorUpdate[] = [];
  /** Validator sets by height, in the consensus engine's order. */
  readonly sets = new Map<number, readonly Member[]>();

  constructor(options: StakingChainOptions) {
    const { versions = {}, profile = {} } = options;
    this.#profile = profile;
    this.bank = createBankModule({ consensusVersion: versions.bank ?? 4 });
    this.staking = createStakingModule({
      bank: this.bank.keeper,
      authority: AUTHORITY,
      consensusVersion: versions.staking ?? 5,
    });
    this.slashing = createSlashingModule({
      staking: this.staking.keeper,
      authority: AUTHORITY,
      consensusVersion: versions.slashing ?? 4,
    });
    const liveness = options.liveness?.(this.slashing.keeper);
    this.staking.keeper.setHooks(liveness?.hooks ?? this.slashing.hooks);
    this.#beginBlock = (ctx) => (liveness ?? this.slashing).beginBlock?.(ctx);
    for (const module of [this.bank, this.staking, this.slashing]) {
      module.registerMessages(this.router);
    }
    bankQueries(this.router, this.bank.keeper);
    stakingQueries(this.router, this.staking.keeper);
    slashingQueries(this.router, this.slashing.keeper);
    this.#genesis(options);
  }

  #genesis({ validators, accounts = {}, staking, slashing }: StakingChainOptions): void {
    const ctx = this.context();
    const names = Object.keys(validators);
    const tokens = (name: string): bigint => BigInt(validators[name] as number) * POWER;
    const staked = names.reduce((sum, name) => sum + tokens(name), 0n);
    const balances = [
      {
        address: accAddress(moduleAddress(NOT_BONDED_POOL)),
        coins: staked > 0n ? [stake(staked)] : [],
      },
      ...Object.entries(accounts).map(([name, amount]) => ({
        address: acc(name),
        coins: [stake(amount)],
      })),
    ];
    this.bank.genesis.init(ctx, create(BankGenesis, { balances }));
    const state = create(StakingGenesis, {
      params: paramsToMessage({ ...DEFAULT_PARAMS, ...staking }),
      validators: names.map((name) => validatorToMessage(genesisValidator(name, tokens(name)))),
      delegations: names.map((name) =>
        delegationToMessage({
          delegator: op(name),
          validator: op(name),
          shares: decFromInt(tokens(name)),
        }),
      ),
    });
    this.staking.genesis.validate(state);
    this.#applyUpdates(1, this.staking.genesis.init(ctx, state));
    this.sets.set(2, this.sets.get(1) as readonly Member[]);
    const slashingState = create(SlashingGenesis, {
      params: slashingParams({ ...SLASHING_DEFAULTS, ...slashing }),
    });
    this.slashing.genesis.validate(slashingState);
    this.slashing.genesis.init(ctx, slashingState);
    this.test.trace.events.length = 0;
    this.test.trace.logs.length = 0;
    this.test.trace.steps.length = 0;
  }

  /** Returns the steps as `what: found [outcome]` and removes them from the trace. */
  takeSteps(): string[] {
    return (this.test.trace.steps.splice(0) as ModuleStep[]).map((step) => {
      const { what, found } = stepText(step);
      return `${what}: ${found} [${step.outcome}]`;
    });
  }

  /** Context at the current height and time, for reads and writes outside of a block. */
  context(lastCommit?: CommitInfo): Context {
    return this.test.block(this.height, {
      time: this.time,
      profile: this.#profile,
      ...(lastCommit === undefined ? {} : { lastCommit }),
    });
  }

  /** Produces a block five seconds later; returns its events as text. */
  next({ absent = [], begin, txs }: BlockPlan = {}): string[] {
    this.height += 1;
    this.time += BLOCK_TIME;
    const ctx = this.context(this.#commit(absent));
    this.#beginBlock(ctx);
    begin?.(ctx);
    txs?.(ctx);
    this.updates = this.staking.endBlock?.(ctx) ?? [];
    this.#applyUpdates(this.height + 2, this.updates);
    return this.test.takeEvents();
  }

  /** Sets the validators of the first blocks of a chain that starts from an exported state. */
  startSet(updates: readonly ValidatorUpdate[]): void {
    this.#applyUpdates(this.height + 1, updates);
    this.sets.set(this.height + 2, this.sets.get(this.height + 1) as readonly Member[]);
    this.#first = this.height + 1;
  }

  /** Runs something in a transaction of the next block; returns that transaction's events. */
  inTx(body: (ctx: Context) => void): string[] {
    let events: string[] = [];
    this.next({
      txs: (ctx) => {
        body(ctx);
        events = this.test.takeEvents();
      },
    });
    return events;
  }

  /** Returns the error that a body throws, outside of any block. */
  refusal(body: (ctx: Context) => void): Error {
    return thrownBy(() => body(this.context()));
  }

  /** Produces blocks up to and including a height. */
  runTo(height: number, plan: BlockPlan = {}): void {
    while (this.height < height) this.next(plan);
  }

  /** Advances time without blocks. */
  wait(duration: bigint): void {
    this.time += duration;
  }

  /** Handles a message as a transaction would; throws what the handler throws. */
  send<D extends DescMessage>(
    ctx: Context,
    schema: D,
    init: MessageInitShape<D>,
  ): MessageShape<DescMessage> {
    const route = this.router.message(typeUrl(schema));
    if (route === undefined) throw new Error(`no handler of ${schema.typeName}`);
    return ctx.atomically(() => route.invoke(ctx, create(schema, init)));
  }

  /** Creates a validator by message, with its operator's own stake. */
  create(ctx: Context, name: string, amount: bigint, minSelfDelegation = 1n): void {
    const rates = { rate: "0", maxRate: ONE.toString(), maxChangeRate: ONE.toString() };
    this.send(ctx, MsgCreateValidatorSchema, {
      description: { moniker: name },
      commission: rates,
      minSelfDelegation: minSelfDelegation.toString(),
      validatorAddress: val(name),
      pubkey: packPubkey(pubKey(name)),
      value: stake(amount),
    });
  }

  setMinSelfDelegation(ctx: Context, name: string, minimum: bigint): void {
    this.send(ctx, MsgEditValidatorSchema, {
      validatorAddress: val(name),
      description: { moniker: name },
      minSelfDelegation: minimum.toString(),
    });
  }

  delegate(ctx: Context, delegator: string, validator: string, amount: bigint): void {
    const addresses = { delegatorAddress: acc(delegator), validatorAddress: val(validator) };
    this.send(ctx, MsgDelegateSchema, { ...addresses, amount: stake(amount) });
  }

  undelegate(ctx: Context, delegator: string, validator: string, amount: bigint): void {
    const addresses = { delegatorAddress: acc(delegator), validatorAddress: val(validator) };
    this.send(ctx, MsgUndelegateSchema, { ...addresses, amount: stake(amount) });
  }

  redelegate(ctx: Context, delegator: string, from: string, to: string, amount: bigint): void {
    this.send(ctx, MsgBeginRedelegateSchema, {
      delegatorAddress: acc(delegator),
      validatorSrcAddress: val(from),
      validatorDstAddress: val(to),
      amount: stake(amount),
    });
  }

  unjail(ctx: Context, name: string): void {
    this.send(ctx, MsgUnjailSchema, { validatorAddr: val(name) });
  }

  query<O>(name: string, request: Record<string, unknown>): O {
    const route = this.router.query(name);
    if (route === undefined) throw new Error(`no query ${name}`);
    return route.invoke(this.context(), create(route.input, request)) as O;
  }

  validator(name: string): Validator {
    return this.staking.keeper.validator(this.context(), op(name));
  }

  balance(name: string): bigint {
    return this.bank.keeper.getBalance(this.context(), op(name), "stake");
  }

  pool(name: string): bigint {
    return this.bank.keeper.getBalance(this.context(), moduleAddress(name), "stake");
  }

  supply(): bigint {
    return this.bank.keeper.getSupply(this.context(), "stake");
  }

  pools(): { bonded: bigint; notBonded: bigint } {
    return { bonded: this.pool(BONDED_POOL), notBonded: this.pool(NOT_BONDED_POOL) };
  }

  #commit(absent: readonly string[]): CommitInfo {
    const set = this.height === this.#first ? [] : (this.sets.get(this.height - 1) ?? []);
    const missing = new Set(absent.map((name) => toHex(cons(name))));
    return {
      size: set.length,
      validatorsHash: () => hashOf(set),
      address: (i) => (set[i] as Member).address,
      power: (i) => (set[i] as Member).power,
      absent: set.flatMap((member, i) => (missing.has(toHex(member.address)) ? [i] : [])),
    };
  }

  #applyUpdates(height: number, updates: readonly ValidatorUpdate[]): void {
    const before = this.sets.get(height - 1) ?? [];
    if (updates.length === 0) {
      this.sets.set(height, before);
      return;
    }
    const members = new Map(before.map((member) => [toHex(member.pubKey), member]));
    for (const { pubKey: key, power } of updates) {
      if (power === 0) members.delete(toHex(key));
      else members.set(toHex(key), { address: hash20(key), pubKey: key, power });
    }
    const set = [...members.values()].sort(
      (a, b) => b.power - a.power || compare(a.address, b.address),
    );
    this.sets.set(height, set);
  }
}
