import { describe, expect, test } from "vitest";
import { moduleAddress } from "../../../base/address.ts";
import { accAddress } from "../../../base/bech32.ts";
import { ONE } from "../../../base/dec.ts";
import { DAY, SECOND } from "../../../base/time.ts";
import {
  MsgCreateValidatorSchema,
  MsgEditValidatorSchema,
  MsgUpdateParamsSchema,
} from "../../../gen/chain/staking/v1beta1/tx_pb.ts";
import type { Context } from "../../framework/context.ts";
import { Panic } from "../../framework/errors.ts";
import { packPubkey, paramsToMessage } from "../../modules/staking/codec.ts";
import { DEFAULT_PARAMS } from "../../modules/staking/types.ts";
import {
  AUTHORITY,
  acc,
  cons,
  POWER,
  pubKey,
  StakingChain,
  type StakingChainOptions,
  stake,
  val,
} from "./testing.ts";

const NOT_BONDED = accAddress(moduleAddress("not_bonded_tokens_pool"));

const started = (options: Partial<StakingChainOptions> = {}): StakingChain => {
  const chain = new StakingChain({
    validators: { a: 10, b: 8 },
    accounts: { a: 50n * POWER, dan: 50n * POWER, new: 50n * POWER },
    ...options,
  });
  chain.runTo(3);
  return chain;
};

describe("MsgCreateValidator", () => {
  const good = {
    description: { moniker: "new" },
    commission: { rate: "0", maxRate: ONE.toString(), maxChangeRate: "0" },
    minSelfDelegation: "1",
    validatorAddress: val("new"),
    pubkey: packPubkey(pubKey("new")),
    value: stake(5n * POWER),
  };

  test("bonds its own stake, joins at the end of the block and signs two blocks later", () => {
    const chain = started();
    const events = chain.inTx((ctx) => chain.send(ctx, MsgCreateValidatorSchema, good));
    expect(events).toEqual([
      `coin_spent{spender=${acc("new")}, amount=5000000stake}`,
      `coin_received{receiver=${NOT_BONDED}, amount=5000000stake}`,
      `create_validator{validator=${val("new")}, amount=5000000stake}`,
    ]);
    expect(chain.updates).toEqual([{ pubKey: pubKey("new"), power: 5 }]);
    expect([1, 2].map((d) => chain.sets.get(chain.height + d)?.length)).toEqual([2, 3]);
    expect(chain.validator("new")).toMatchObject({ status: "bonded", tokens: 5n * POWER });
    expect(chain.slashing.keeper.getPubkey(chain.context(), cons("new"))).toEqual(pubKey("new"));
  });

  test.each([
    [{ validatorAddress: "" }, "sdk", 7, /^invalid validator address: /],
    [{ pubkey: undefined }, "staking", 39, /^empty validator public key$/],
    [{ value: stake(0) }, "sdk", 18, /^invalid delegation amount/],
    [{ description: {} }, "sdk", 18, /^empty description/],
    [{ commission: undefined }, "sdk", 18, /^empty commission/],
    [
      { commission: { rate: "2", maxRate: "1", maxChangeRate: "0" } },
      "staking",
      11,
      /^commission cannot be more than the max rate$/,
    ],
    [
      { commission: { rate: "0", maxRate: (ONE + 1n).toString(), maxChangeRate: "0" } },
      "staking",
      10,
      /^commission cannot be more than 100%$/,
    ],
    [
      { commission: { rate: "0", maxRate: "1", maxChangeRate: "2" } },
      "staking",
      14,
      /^commission change rate cannot be more than the max rate$/,
    ],
    [{ minSelfDelegation: "0" }, "sdk", 18, /^minimum self delegation must be a positive integer/],
    [
      { minSelfDelegation: "5000001" },
      "staking",
      16,
      /^validator's self delegation must be greater than their minimum self delegation$/,
    ],
    [
      { validatorAddress: val("a") },
      "staking",
      4,
      /^validator already exist for this operator address; must use new validator operator address$/,
    ],
    [
      { pubkey: packPubkey(pubKey("a")) },
      "staking",
      5,
      /^validator already exist for this pubkey; must use new validator pubkey$/,
    ],
    [
      { description: { moniker: "x".repeat(71) } },
      "sdk",
      18,
      /^invalid moniker length; got: 71, max: 70: invalid request$/,
    ],
    [{ value: { denom: "atom", amount: "9000000" } }, "sdk", 18, /got atom, expected stake/],
  ])("%# is refused with %s %i", (change, codespace, code, text) => {
    const chain = started();
    const init = Object.fromEntries(
      Object.entries({ ...good, ...change }).filter(([, value]) => value !== undefined),
    );
    const error = chain.refusal((ctx) => chain.send(ctx, MsgCreateValidatorSchema, init));
    expect(error).toMatchObject({ codespace, code, message: expect.stringMatching(text) });
  });

  test("below the least commission of the parameters is staking 40", () => {
    const chain = started({ staking: { minCommissionRate: ONE / 20n } });
    const error = chain.refusal((ctx) => chain.send(ctx, MsgCreateValidatorSchema, good));
    expect(error).toMatchObject({
      code: 40,
      message:
        "cannot set validator commission to less than minimum rate of 0.050000000000000000: commission cannot be less than min rate",
    });
  });
});

test.each([0, 31, 33])("a key of %i bytes panics, as its address has no meaning", (length) => {
  const chain = started();
  const error = chain.refusal((ctx) =>
    chain.send(ctx, MsgCreateValidatorSchema, {
      description: { moniker: "new" },
      commission: { rate: "0", maxRate: "0", maxChangeRate: "0" },
      minSelfDelegation: "1",
      validatorAddress: val("new"),
      pubkey: packPubkey(new Uint8Array(length)),
      value: stake(5n * POWER),
    }),
  );
  expect(error).toBeInstanceOf(Panic);
  expect(error.message).toBe("pubkey is incorrect size");
});

describe("MsgEditValidator", () => {
  const edit = (chain: StakingChain, ctx: Context, change: object) =>
    chain.send(ctx, MsgEditValidatorSchema, {
      validatorAddress: val("new"),
      description: { moniker: "[do-not-modify]", details: "more" },
      ...change,
    });
  const withNew = (): StakingChain => {
    const chain = started();
    chain.next({ txs: (ctx) => chain.create(ctx, "new", 5n * POWER, 2n) });
    return chain;
  };

  test("changes what it names and keeps what it must not modify", () => {
    const chain = withNew();
    chain.wait(DAY);
    const rate = (ONE / 10n).toString();
    const events = chain.inTx((ctx) =>
      edit(chain, ctx, { commissionRate: rate, minSelfDelegation: "3" }),
    );
    expect(chain.validator("new")).toMatchObject({
      description: { moniker: "new", details: "more" },
      commission: { rate: ONE / 10n, updateTime: chain.time },
      minSelfDelegation: 3n,
    });
    expect(events).toEqual([
      `edit_validator{commission_rate=commission_rates:<rate:"100000000000000000" max_rate:"1000000000000000000" max_change_rate:"1000000000000000000" > update_time:<seconds:${chain.time / SECOND} > , min_self_delegation=3}`,
    ]);
  });

  test.each([
    [{ description: {} }, 18, "empty description: invalid request"],
    [
      { minSelfDelegation: "0" },
      18,
      "minimum self delegation must be a positive integer: invalid request",
    ],
    [{ minSelfDelegation: "2" }, 17, "minimum self delegation cannot be decrease"],
    [
      { minSelfDelegation: "5000001" },
      16,
      "validator's self delegation must be greater than their minimum self delegation",
    ],
    [
      { commissionRate: (ONE + 1n).toString() },
      18,
      "commission rate must be between 0 and 1 (inclusive): invalid request",
    ],
    [{ commissionRate: "1" }, 12, "commission cannot be changed more than once in 24h"],
    [{ validatorAddress: val("x") }, 3, "validator does not exist"],
  ])("%j is refused with code %i", (change, code, message) => {
    const chain = withNew();
    expect(chain.refusal((ctx) => edit(chain, ctx, change))).toMatchObject({ code, message });
  });
});

describe("MsgUpdateParams", () => {
  const update = (chain: StakingChain, ctx: Context, change: object, authority = AUTHORITY) =>
    chain.send(ctx, MsgUpdateParamsSchema, {
      authority,
      params: paramsToMessage({ ...DEFAULT_PARAMS, ...change }),
    });

  test("of the authority changes the set with the next EndBlock", () => {
    const chain = started();
    chain.next({ txs: (ctx) => update(chain, ctx, { maxValidators: 1 }) });
    expect(chain.updates).toEqual([{ pubKey: pubKey("b"), power: 0 }]);
  });

  test("of any other account is gov 13", () => {
    const chain = started();
    expect(chain.refusal((ctx) => update(chain, ctx, {}, acc("dan")))).toMatchObject({
      codespace: "gov",
      code: 13,
      message: `invalid authority; expected ${AUTHORITY}, got ${acc("dan")}: expected gov account as only signer for proposal message`,
    });
  });

  test.each([
    [{ unbondingTime: 0n }, "unbonding time must be positive: 0"],
    [{ maxValidators: 0 }, "max validators must be positive: 0"],
    [{ maxEntries: 0 }, "max entries must be positive: 0"],
    [{ bondDenom: "" }, "bond denom cannot be blank"],
    [{ bondDenom: "?!" }, "invalid denom: ?!"],
    [
      { minCommissionRate: -1n },
      "minimum commission rate cannot be negative: -0.000000000000000001",
    ],
    [
      { minCommissionRate: ONE + 1n },
      "minimum commission rate cannot be greater than 100%: 1.000000000000000001",
    ],
  ])("%# is refused: %s", (change, text) => {
    const chain = started();
    expect(chain.refusal((ctx) => update(chain, ctx, change)).message).toBe(text);
  });
});
