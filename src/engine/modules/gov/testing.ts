import { create, type DescMessage, type MessageInitShape } from "@bufbuild/protobuf";
import type { Any } from "@bufbuild/protobuf/wkt";
import { moduleAddress } from "../../../base/address.ts";
import { accAddress } from "../../../base/bech32.ts";
import { toHex } from "../../../base/bytes.ts";
import { decFromInt, decFromString } from "../../../base/dec.ts";
import { GenesisStateSchema } from "../../../gen/chain/gov/v1/gov_pb.ts";
import { MsgSubmitProposalSchema, MsgVoteSchema } from "../../../gen/chain/gov/v1/tx_pb.ts";
import {
  MsgCancelUpgradeSchema,
  MsgSoftwareUpgradeSchema,
  Msg as UpgradeMsg,
} from "../../../gen/chain/upgrade/v1beta1/tx_pb.ts";
import { packInit, typeUrl } from "../../framework/codec.ts";
import { addCoins, type Coin, formatCoins, isAllGte, subCoins } from "../../framework/coins.ts";
import type { Context } from "../../framework/context.ts";
import { Panic, plainError, sdkErrors } from "../../framework/errors.ts";
import type { Profile } from "../../framework/profile.ts";
import { ServiceRouter } from "../../framework/router.ts";
import { TestChain, testAddress } from "../../framework/testing.ts";
import { createGovModule } from "./module.ts";
import type { BankKeeper, BondedValidator, StakingKeeper } from "./needs.ts";
import { defaultParams } from "./params.ts";
import { registerQueries } from "./query-server.ts";
import { durationMessage, type Params, type VoteOption } from "./types.ts";

export const AUTHORITY = accAddress(moduleAddress("gov"));
export const account = (name: string): string => accAddress(testAddress(name));
export const stake = (amount: number | bigint): Coin[] => [
  { denom: "stake", amount: BigInt(amount) },
];

/** Balances in memory, and what was burned. */
class FakeBank implements BankKeeper {
  readonly balances = new Map<string, Coin[]>();
  burned: Coin[] = [];
  /** All sends and burns, including empty ones. */
  readonly calls: string[] = [];

  give(name: string, coins: Coin[]): void {
    this.balances.set(toHex(testAddress(name)), coins);
  }
  of(name: string): string {
    return formatCoins(this.getAllBalances(undefined, testAddress(name)));
  }
  get pool(): string {
    return formatCoins(this.getAllBalances(undefined, moduleAddress("gov")));
  }
  getAllBalances(_ctx: unknown, address: Uint8Array): Coin[] {
    return this.balances.get(toHex(address)) ?? [];
  }
  sendCoinsFromAccountToModule(
    _ctx: unknown,
    from: Uint8Array,
    to: string,
    coins: readonly Coin[],
  ): void {
    this.calls.push(`pay ${formatCoins(coins)}`);
    this.#move(from, moduleAddress(to), coins);
  }
  sendCoinsFromModuleToAccount(
    _ctx: unknown,
    from: string,
    to: Uint8Array,
    coins: readonly Coin[],
  ): void {
    this.calls.push(`refund ${formatCoins(coins)}`);
    this.#move(moduleAddress(from), to, coins);
  }
  burnCoins(_ctx: unknown, module: string, coins: readonly Coin[]): void {
    this.calls.push(`burn ${formatCoins(coins)}`);
    const from = moduleAddress(module);
    this.balances.set(toHex(from), subCoins(this.getAllBalances(undefined, from), coins));
    this.burned = addCoins(this.burned, coins);
  }
  #move(from: Uint8Array, to: Uint8Array, coins: readonly Coin[]): void {
    const balance = this.getAllBalances(undefined, from);
    if (!isAllGte(balance, coins)) throw sdkErrors.insufficientFunds.wrap(formatCoins(coins));
    this.balances.set(toHex(from), subCoins(balance, coins));
    this.balances.set(toHex(to), addCoins(this.getAllBalances(undefined, to), coins));
  }
}

/** Validators with one token per share unless `shares` is set; only `delegate` adds delegations. */
class FakeStaking implements StakingKeeper {
  readonly validators: BondedValidator[] = [];
  readonly delegations: { delegator: Uint8Array; validator: Uint8Array; shares: bigint }[] = [];
  bonded = 0n;

  validator(name: string, tokens: number | bigint, shares: number | bigint = tokens): void {
    this.validators.push({
      operator: testAddress(name),
      bondedTokens: BigInt(tokens),
      delegatorShares: decFromInt(shares),
    });
    this.bonded += BigInt(tokens);
  }
  delegate(delegator: string, validator: string, shares: number | string): void {
    this.delegations.push({
      delegator: testAddress(delegator),
      validator: testAddress(validator),
      shares: decFromString(String(shares)),
    });
  }
  iterateBondedValidatorsByPower(): Iterable<BondedValidator> {
    return this.validators;
  }
  delegationsOf(_ctx: Context, delegator: Uint8Array) {
    return this.delegations.filter((d) => toHex(d.delegator) === toHex(delegator));
  }
  totalBondedTokens(): bigint {
    return this.bonded;
  }
}

/** Voting lasts 60 s, up to height 13 for a proposal of height 1; expedited 20 s. */
const shortPeriods = (): Params => ({
  ...defaultParams(),
  votingPeriod: durationMessage(60_000_000_000n),
  expeditedVotingPeriod: durationMessage(20_000_000_000n),
  maxDepositPeriod: durationMessage(30_000_000_000n),
});

/**
 * A chain with only gov. A handler that stores the plan's name replaces x/upgrade; for a plan named
 * `error` or `panic` it fails accordingly.
 */
export function govChain(params: Partial<Params> = {}) {
  const chain = new TestChain("gov", "upgrade");
  const bank = new FakeBank();
  const staking = new FakeStaking();
  const router = new ServiceRouter();
  const module = createGovModule({
    ...{ authority: AUTHORITY, bank, staking, router },
    legacyContents: [],
  });
  module.registerMessages(router);
  registerQueries(router, module.keeper);
  router.registerMsg("upgrade", UpgradeMsg, {
    softwareUpgrade(ctx, { plan }) {
      ctx.store("upgrade").set(Uint8Array.of(0), new Uint8Array(1));
      ctx.emit("planned", ["name", plan?.name ?? ""]);
      if (plan?.name === "error") throw plainError("it does not work");
      if (plan?.name === "panic") throw new Panic("boom");
      return {};
    },
    cancelUpgrade: () => ({}),
  });
  bank.give("alice", stake(100_000_000));
  bank.give("bob", stake(100_000_000));
  const state = create(GenesisStateSchema, {
    startingProposalId: 1n,
    params: { ...shortPeriods(), ...params },
  });
  module.genesis.init(chain.block(1), state);
  const send = <D extends DescMessage>(ctx: Context, schema: D, init: MessageInitShape<D>) =>
    router.message(typeUrl(schema))?.invoke(ctx, create(schema, init));
  const ask = <D extends DescMessage>(
    method: string,
    schema: D,
    init: MessageInitShape<D>,
    profile: Partial<Profile> = {},
  ) => {
    const ctx = chain.block(2, { profile });
    return router.query(`chain.gov.v1.Query/${method}`)?.invoke(ctx, create(schema, init));
  };
  return { chain, bank, staking, router, module, keeper: module.keeper, send, ask };
}

export type GovChain = ReturnType<typeof govChain>;

export const upgradeTo = (name: string): Any =>
  packInit(MsgSoftwareUpgradeSchema, { authority: AUTHORITY, plan: { name, height: 50n } });
export const cancelUpgrade = (authority = AUTHORITY): Any =>
  packInit(MsgCancelUpgradeSchema, { authority });

export const proposal = (
  init: MessageInitShape<typeof MsgSubmitProposalSchema> = {},
): MessageInitShape<typeof MsgSubmitProposalSchema> =>
  ({
    title: "Upgrade to v2",
    summary: "New things",
    proposer: account("alice"),
    messages: [upgradeTo("v2")],
    initialDeposit: [{ denom: "stake", amount: "10000000" }],
    ...init,
  }) as MessageInitShape<typeof MsgSubmitProposalSchema>;

/**
 * Submits at height 1 with a sufficient deposit, casts the votes, and ends the block in which
 * voting ends.
 */
export function runToTally(
  g: GovChain,
  votes: Readonly<Record<string, VoteOption>>,
  init: MessageInitShape<typeof MsgSubmitProposalSchema> = {},
  height = 13,
) {
  const deposit = [{ denom: "stake", amount: init.expedited ? "50000000" : "10000000" }];
  g.send(
    g.chain.block(1),
    MsgSubmitProposalSchema,
    proposal({ initialDeposit: deposit, ...init } as typeof init),
  );
  for (const [voter, option] of Object.entries(votes)) {
    g.send(g.chain.block(2), MsgVoteSchema, { proposalId: 1n, voter: account(voter), option });
  }
  g.chain.takeEvents();
  g.chain.trace.steps.length = 0;
  g.module.endBlock?.(g.chain.block(height));
  return g.keeper.findProposal(g.chain.block(height), 1n);
}

/** Coins as in messages. */
export const coins = (amount: number, denom = "stake") => [{ denom, amount: String(amount) }];

/** Alice proposes at height 1. */
export const submit = (
  g: GovChain,
  init: MessageInitShape<typeof MsgSubmitProposalSchema> = {},
): unknown => g.send(g.chain.block(1), MsgSubmitProposalSchema, proposal(init));
