import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import { moduleAddress } from "../../../base/address.ts";
import { accAddress } from "../../../base/bech32.ts";
import { GenesisStateSchema } from "../../../gen/chain/bank/v1beta1/bank_pb.ts";
import { MsgSendSchema } from "../../../gen/chain/bank/v1beta1/tx_pb.ts";
import { type Coin, parseCoins } from "../../framework/coins.ts";
import { ServiceRouter } from "../../framework/router.ts";
import { TestChain, testAddress, thrownBy } from "../../framework/testing.ts";
import { createBankModule } from "./module.ts";
import { registerQueries } from "./query-server.ts";

const alice = testAddress("alice");
const bob = testAddress("bob");
const pool = moduleAddress("pool");

function setUp(consensusVersion = 4) {
  const bank = createBankModule({ consensusVersion, blocked: [pool] });
  const chain = new TestChain("bank");
  const ctx = chain.block();
  const router = new ServiceRouter();
  bank.registerMessages(router);
  registerQueries(router, bank.keeper);
  const state = {
    balances: [
      { address: accAddress(alice), coins: messages("7atom,100stake") },
      { address: accAddress(pool), coins: messages("50stake") },
    ],
    supply: messages("7atom,150stake"),
  };
  const load = (genesis: MessageInitShape<typeof GenesisStateSchema>) => {
    const message = create(GenesisStateSchema, genesis);
    bank.genesis.validate(message);
    bank.genesis.init(ctx, message);
  };
  const send = (init: MessageInitShape<typeof MsgSendSchema>) =>
    router.message("/chain.bank.v1beta1.MsgSend")?.invoke(ctx, create(MsgSendSchema, init));
  const query = (name: string, request: Record<string, unknown>): unknown => {
    const route = router.query(`chain.bank.v1beta1.Query/${name}`);
    return route?.invoke(ctx, create(route.input, request));
  };
  return { bank, keeper: bank.keeper, chain, ctx, state, load, send, query };
}

const messages = (text: string) =>
  parseCoins(text).map(({ denom, amount }: Coin) => ({ denom, amount: amount.toString() }));

describe("MsgSend", () => {
  test("moves coins, with the events in upstream's order", () => {
    const { keeper, chain, ctx, state, load, send } = setUp();
    load(state);
    send({
      fromAddress: accAddress(alice),
      toAddress: accAddress(bob),
      amount: messages("7atom,30stake"),
    });
    expect(keeper.getAllBalances(ctx, alice)).toEqual(parseCoins("70stake"));
    expect(keeper.getAllBalances(ctx, bob)).toEqual(parseCoins("7atom,30stake"));
    const [a, b] = [accAddress(alice), accAddress(bob)];
    expect(chain.takeEvents()).toEqual([
      `coin_spent{spender=${a}, amount=7atom,30stake}`,
      `coin_received{receiver=${b}, amount=7atom,30stake}`,
      `transfer{recipient=${b}, sender=${a}, amount=7atom,30stake}`,
      `message{sender=${a}}`,
    ]);
  });

  test.each([
    [
      { amount: messages("101stake") },
      5,
      "spendable balance 100stake is smaller than 101stake: insufficient funds",
    ],
    [{ amount: [] }, 10, ": invalid coins"],
    [{ amount: [{ denom: "stake", amount: "-1" }] }, 10, "-1stake: invalid coins"],
    [
      { fromAddress: "" },
      7,
      "invalid from address: empty address string is not allowed: invalid address",
    ],
    [
      { toAddress: "x" },
      7,
      "invalid to address: decoding bech32 failed: invalid bech32 string length 1: invalid address",
    ],
    [
      { toAddress: accAddress(pool) },
      4,
      `${accAddress(pool)} is not allowed to receive funds: unauthorized`,
    ],
  ])("refuses %j with sdk %i", (change, code, text) => {
    const { state, load, send } = setUp();
    load(state);
    const good = {
      fromAddress: accAddress(alice),
      toAddress: accAddress(bob),
      amount: messages("1stake"),
    };
    const error = thrownBy(() => send({ ...good, ...change }));
    expect(error).toMatchObject({ codespace: "sdk", code, message: text });
  });
});

test("burning takes from the module's account and from the supply", () => {
  const { keeper, chain, ctx, state, load } = setUp();
  load(state);
  keeper.burnCoins(ctx, "pool", parseCoins("50stake"));
  expect(keeper.getSupply(ctx, "stake")).toBe(100n);
  expect(keeper.getAllBalances(ctx, pool)).toEqual([]);
  expect(chain.takeEvents()).toEqual([
    `coin_spent{spender=${accAddress(pool)}, amount=50stake}`,
    `burn{burner=${accAddress(pool)}, amount=50stake}`,
  ]);
});

test("staking more than one has fails to delegate", () => {
  const { keeper, ctx, state, load } = setUp();
  load(state);
  const body = () =>
    keeper.delegateCoinsFromAccountToModule(ctx, bob, "pool", parseCoins("5stake"));
  expect(body).toThrow("failed to delegate; 0stake is smaller than 5stake: insufficient funds");
});

describe("genesis", () => {
  test("comes out as it went in", () => {
    const { bank, ctx, state, load } = setUp();
    load(state);
    const exported = bank.genesis.export(ctx);
    const other = setUp();
    other.bank.genesis.validate(exported);
    other.bank.genesis.init(other.ctx, exported);
    expect(other.bank.genesis.export(other.ctx)).toEqual(exported);
    expect(other.keeper.getTotalSupply(other.ctx)).toEqual(parseCoins("7atom,150stake"));
  });

  test.each([
    [
      { supply: messages("7atom,149stake") },
      "genesis supply is incorrect, expected 7atom,149stake, got 7atom,150stake",
    ],
    [
      {
        balances: [
          { address: accAddress(bob), coins: messages("1stake") },
          { address: accAddress(bob), coins: messages("1stake") },
        ],
      },
      `duplicate balance for address ${accAddress(bob)}`,
    ],
    [
      { balances: [{ address: accAddress(bob), coins: messages("1stake,1atom").reverse() }] },
      "denomination atom is not sorted",
    ],
    [
      {
        balances: [{ address: accAddress(bob), coins: [{ denom: "stake", amount: "0" }] }],
      },
      "coin 0stake amount is not positive",
    ],
    [
      {
        balances: [{ address: accAddress(bob), coins: messages(`${2n * 10n ** 21n}stake`) }],
        supply: [],
      },
      "supply of stake must be below 2000000000000000000000: 2000000000000000000000",
    ],
  ])("%# is refused: %s", (change, text) => {
    const { state, load } = setUp();
    expect(() => load({ ...state, ...change })).toThrow(text);
  });
});

describe("queries", () => {
  test("give a balance, all balances and the supply", () => {
    const { state, load, query } = setUp();
    load(state);
    const address = accAddress(alice);
    expect(query("Balance", { address, denom: "stake" })).toMatchObject({
      balance: { denom: "stake", amount: "100" },
    });
    expect(query("Balance", { address, denom: "none" })).toMatchObject({
      balance: { amount: "0" },
    });
    expect(query("AllBalances", { address })).toMatchObject({
      balances: messages("7atom,100stake"),
      pagination: { total: 2n },
    });
    expect(query("TotalSupply", {})).toMatchObject({ supply: messages("7atom,150stake") });
  });

  test("give the supply of one denom, which may be none", () => {
    const { state, load, query } = setUp();
    load(state);
    const supply = (denom: string) => query("SupplyOf", { denom });
    expect(supply("stake")).toMatchObject({ amount: { denom: "stake", amount: "150" } });
    expect(supply("none")).toMatchObject({ amount: { denom: "none", amount: "0" } });
  });

  test("say that an account may spend all it holds", () => {
    const { state, load, query } = setUp();
    load(state);
    const address = accAddress(alice);
    expect(query("SpendableBalances", { address })).toMatchObject({
      balances: messages("7atom,100stake"),
      pagination: { total: 2n },
    });
    expect(query("SpendableBalanceByDenom", { address, denom: "atom" })).toMatchObject({
      balance: { denom: "atom", amount: "7" },
    });
  });

  test.each([
    [
      "Balance",
      { address: "", denom: "stake" },
      "invalid address: empty address string is not allowed",
    ],
    ["Balance", { address: accAddress(alice), denom: "" }, "invalid denom: "],
    ["Balance", { address: "nothing", denom: "1x" }, "invalid denom: 1x"],
    [
      "SpendableBalanceByDenom",
      { address: "", denom: "1x" },
      "invalid address: empty address string is not allowed",
    ],
    ["SpendableBalanceByDenom", { address: accAddress(alice), denom: "1x" }, "invalid denom: 1x"],
    ["SupplyOf", { denom: "" }, "invalid denom: "],
    ["SupplyOf", { denom: "1x" }, "invalid denom: 1x"],
    [
      "AllBalances",
      { address: "nothing" },
      "invalid address: decoding bech32 failed: invalid bech32 string length 7",
    ],
  ])("%s with %j is an invalid argument", (name, request, text) => {
    expect(thrownBy(() => setUp().query(name, request))).toMatchObject({ code: 3, message: text });
  });
});

describe("consensus version 5 keeps who owns a denom", () => {
  const owners = (dump: Record<string, string>) =>
    Object.keys(dump).filter((key) => key.startsWith("03"));

  test("written for what there is by the migration from 4, which leaves the rest alone", () => {
    const { chain, ctx, state, load } = setUp(4);
    load(state);
    const before = chain.dump("bank");
    expect(owners(before)).toEqual([]);
    createBankModule({ consensusVersion: 5 }).migrations[0]?.run(ctx);
    const after = chain.dump("bank");
    expect(owners(after)).toHaveLength(3);
    expect(after).toMatchObject(before);
  });

  test("kept true by what moves afterwards", () => {
    const { keeper, chain, ctx, state, load } = setUp(5);
    load(state);
    keeper.sendCoins(ctx, alice, bob, parseCoins("7atom"));
    const migrated = setUp(4);
    for (const { address, coin } of keeper.allBalances(ctx)) {
      migrated.keeper.setBalance(migrated.ctx, address, coin);
    }
    for (const coin of keeper.getTotalSupply(ctx)) migrated.keeper.setSupply(migrated.ctx, coin);
    createBankModule({ consensusVersion: 5 }).migrations[0]?.run(migrated.ctx);
    expect(chain.dump("bank")).toEqual(migrated.chain.dump("bank"));
  });
});
