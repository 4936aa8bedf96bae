import { describe, expect, test } from "vitest";
import { decFromInt, ONE } from "../../../base/dec.ts";
import { DAY, formatRfc3339, GO_ZERO_TIME } from "../../../base/time.ts";
import {
  MsgBeginRedelegateSchema,
  MsgCancelUnbondingDelegationSchema,
} from "../../../gen/chain/staking/v1beta1/tx_pb.ts";
import type { Context } from "../../framework/context.ts";
import { errorText } from "../../framework/errors.ts";
import { BLOCK_TIME } from "../../framework/testing.ts";
import { getRedelegation } from "../../modules/staking/redelegation.ts";
import { getUnbondingDelegation } from "../../modules/staking/unbonding.ts";
import {
  acc,
  cons,
  op,
  POWER,
  StakingChain,
  type StakingChainOptions,
  stake,
  val,
} from "./testing.ts";

const started = (options: Partial<StakingChainOptions> = {}): StakingChain => {
  const chain = new StakingChain({
    validators: { a: 10, b: 8 },
    accounts: { a: 50n * POWER, dan: 50n * POWER, new: 50n * POWER },
    ...options,
  });
  chain.runTo(3);
  return chain;
};

describe("MsgCancelUnbondingDelegation", () => {
  const cancel = (chain: StakingChain, ctx: Context, amount: number, height: number) =>
    chain.send(ctx, MsgCancelUnbondingDelegationSchema, {
      delegatorAddress: acc("dan"),
      validatorAddress: val("a"),
      amount: stake(amount),
      creationHeight: BigInt(height),
    });
  const unbonding = (): StakingChain => {
    const chain = started();
    chain.next({ txs: (ctx) => chain.delegate(ctx, "dan", "a", 9n) });
    chain.next({ txs: (ctx) => chain.undelegate(ctx, "dan", "a", 9n) });
    return chain;
  };

  test("delegates tokens back and lowers the entry's balances", () => {
    const chain = unbonding();
    const startHeight = chain.height;
    const events = chain.inTx((ctx) => cancel(chain, ctx, 4, startHeight));
    expect(events.at(-1)).toBe(
      `cancel_unbonding_delegation{amount=4stake, validator=${val("a")}, delegator=${acc("dan")}, creation_height=${startHeight}}`,
    );
    const { keeper } = chain.staking;
    const ubd = getUnbondingDelegation(chain.context(), op("dan"), op("a"));
    expect(ubd?.entries).toMatchObject([{ initialBalance: 5n, balance: 5n }]);
    expect(keeper.delegation(chain.context(), op("dan"), op("a")).shares).toBe(decFromInt(4));
    chain.next({ txs: (ctx) => cancel(chain, ctx, 5, startHeight) });
    expect(getUnbondingDelegation(chain.context(), op("dan"), op("a"))).toBeUndefined();
  });

  test.each([
    ["at the very moment at which the entry matures", 0n, undefined],
    ["later", 1n, "unbonding delegation is already processed: invalid request"],
  ])("%s, in the block that pays it out: %#", (_when, late, refusal) => {
    const chain = unbonding();
    const startHeight = chain.height;
    chain.wait(21n * DAY - BLOCK_TIME + late);
    let found: string | undefined;
    chain.next({
      txs: (ctx) => {
        try {
          cancel(chain, ctx, 9, startHeight);
        } catch (error) {
          found = errorText(error);
        }
      },
    });
    expect(found).toBe(refusal);
    expect(chain.balance("dan")).toBe(50n * POWER - (refusal === undefined ? 9n : 0n));
  });

  test("of a height that no double holds is refused by its digits", () => {
    const chain = unbonding();
    const error = chain.refusal((ctx) =>
      chain.send(ctx, MsgCancelUnbondingDelegationSchema, {
        delegatorAddress: acc("dan"),
        validatorAddress: val("a"),
        amount: stake(4),
        creationHeight: 2n ** 63n - 1n,
      }),
    );
    expect(error.message).toBe(
      "unbonding delegation entry is not found at block height 9223372036854775807: not found",
    );
  });

  test("repeats addresses as they were sent where nothing unbonds", () => {
    const chain = started();
    const [delegatorAddress, validatorAddress] = [acc("dan").toUpperCase(), val("a").toUpperCase()];
    const error = chain.refusal((ctx) =>
      chain.send(ctx, MsgCancelUnbondingDelegationSchema, {
        delegatorAddress,
        validatorAddress,
        amount: stake(1),
        creationHeight: 1n,
      }),
    );
    expect(error.message).toBe(
      `rpc error: code = NotFound desc = unbonding delegation with delegator ${delegatorAddress} not found for validator ${validatorAddress}`,
    );
  });

  test("is refused for the wrong height, too much, a jailed validator, or nothing unbonding", () => {
    const chain = unbonding();
    const startHeight = chain.height;
    const text = (amount: number, height: number) =>
      chain.refusal((ctx) => cancel(chain, ctx, amount, height)).message;
    expect(text(4, 0)).toBe("invalid height: invalid request");
    expect(text(4, 1)).toBe("unbonding delegation entry is not found at block height 1: not found");
    expect(text(10, startHeight)).toBe(
      "amount is greater than the unbonding delegation entry balance: invalid request",
    );
    chain.next({ begin: (ctx) => chain.staking.keeper.jail(ctx, cons("a")) });
    expect(text(4, startHeight)).toBe("validator for this address is currently jailed");
    chain.wait(22n * DAY);
    chain.next({ txs: (ctx) => chain.staking.keeper.unjail(ctx, cons("a")) });
    expect(text(4, startHeight)).toBe(
      `rpc error: code = NotFound desc = unbonding delegation with delegator ${acc("dan")} not found for validator ${val("a")}`,
    );
  });
});

describe("MsgBeginRedelegate", () => {
  const three = () => started({ validators: { a: 10, b: 8, c: 6 } });
  const entries = (chain: StakingChain) =>
    getRedelegation(chain.context(), op("dan"), op("a"), op("b"))?.entries;

  test("from a bonded validator answers for it for the unbonding time", () => {
    const chain = three();
    chain.next({ txs: (ctx) => chain.delegate(ctx, "dan", "a", 9n) });
    const events = chain.inTx((ctx) => chain.redelegate(ctx, "dan", "a", "b", 4n));
    const end = chain.time + 21n * DAY;
    expect(events).toEqual([
      `redelegate{source_validator=${val("a")}, destination_validator=${val("b")}, amount=4stake, completion_time=${formatRfc3339(end)}}`,
    ]);
    expect(entries(chain)).toEqual([
      {
        creationHeight: chain.height,
        completionTime: end,
        initialBalance: 4n,
        sharesDst: decFromInt(4),
      },
    ]);
    chain.wait(22n * DAY);
    expect(chain.next()).toEqual([
      `complete_redelegation{amount=4stake, delegator=${acc("dan")}, source_validator=${val("a")}, destination_validator=${val("b")}}`,
    ]);
    expect(entries(chain)).toBeUndefined();
  });

  test("twice in one block is two entries", () => {
    const chain = three();
    chain.next({ txs: (ctx) => chain.delegate(ctx, "dan", "a", 9n) });
    chain.next({
      txs: (ctx) => {
        chain.redelegate(ctx, "dan", "a", "b", 1n);
        chain.redelegate(ctx, "dan", "a", "b", 2n);
      },
    });
    expect(entries(chain)).toHaveLength(2);
  });

  test("from an unbonding validator answers as long as that validator unbonds, from its height on", () => {
    const chain = three();
    chain.next({ txs: (ctx) => chain.delegate(ctx, "dan", "a", 9n) });
    chain.next({ begin: (ctx) => chain.staking.keeper.jail(ctx, cons("a")) });
    const { unbondingHeight, unbondingTime } = chain.validator("a");
    chain.next({ txs: (ctx) => chain.redelegate(ctx, "dan", "a", "b", 4n) });
    expect(entries(chain)).toMatchObject([
      { creationHeight: unbondingHeight, completionTime: unbondingTime },
    ]);
  });

  test("from an unbonded validator is done at once and leaves no record", () => {
    const chain = three();
    chain.next({ txs: (ctx) => chain.delegate(ctx, "dan", "a", 9n) });
    chain.next({ begin: (ctx) => chain.staking.keeper.jail(ctx, cons("a")) });
    chain.wait(22n * DAY);
    chain.next();
    const events = chain.inTx((ctx) => chain.redelegate(ctx, "dan", "a", "b", 4n));
    expect(events.at(-1)).toContain(`completion_time=${formatRfc3339(GO_ZERO_TIME)}`);
    expect(entries(chain)).toBeUndefined();
  });

  test("of all the shares of an unbonded validator is refused, since that removes it", () => {
    const chain = started({ validators: { a: 10, b: 8, c: 6 }, staking: { maxValidators: 2 } });
    expect(chain.validator("c").status).toBe("unbonded");
    const before = chain.validator("c");
    const move = (amount: bigint) => (ctx: Context) => chain.redelegate(ctx, "c", "c", "b", amount);
    expect(chain.refusal(move(6n * POWER))).toMatchObject({
      codespace: "staking",
      code: 3,
      message: "validator does not exist",
    });
    expect(chain.validator("c")).toEqual(before);
    chain.next({ txs: move(6n * POWER - 1n) });
    expect(chain.validator("c").tokens).toBe(1n);
  });

  test.each([
    ["to itself", "a", "a", 1n, 29, "cannot redelegate to the same validator"],
    ["to an unknown one", "a", "x", 1n, 31, "redelegation destination validator not found"],
    [
      "on from where it is still arriving",
      "c",
      "b",
      1n,
      32,
      "redelegation to this validator already in progress; first redelegation to this validator must complete before next redelegation",
    ],
    [
      "too often",
      "a",
      "c",
      1n,
      33,
      "too many redelegation entries for (delegator, src-validator, dst-validator) tuple",
    ],
  ])("%s is refused with staking %i", (_, from, to, amount, code, message) => {
    const chain = started({ validators: { a: 10, b: 8, c: 6 }, staking: { maxEntries: 1 } });
    chain.next({
      txs: (ctx) => {
        chain.delegate(ctx, "dan", "a", 9n);
        chain.redelegate(ctx, "dan", "a", "c", 4n);
      },
    });
    const error = chain.refusal((ctx) => chain.redelegate(ctx, "dan", from, to, amount));
    expect(error).toMatchObject({ codespace: "staking", code, message });
  });

  test("from a validator that does not exist is staking 3, of what is worth no token staking 30", () => {
    const chain = three();
    expect(chain.refusal((ctx) => chain.redelegate(ctx, "dan", "x", "b", 1n))).toMatchObject({
      codespace: "staking",
      code: 3,
    });
    const tiny = (ctx: Context) => {
      chain.delegate(ctx, "dan", "a", 9n);
      const { keeper } = chain.staking;
      keeper.beginRedelegation(ctx, op("dan"), op("a"), op("b"), ONE / 2n);
    };
    expect(chain.refusal(tiny)).toMatchObject({
      code: 30,
      message: "too few tokens to redelegate (truncates to zero tokens)",
    });
  });

  test("names the address that does not read", () => {
    const chain = three();
    const send = (change: object) =>
      chain.refusal((ctx) =>
        chain.send(ctx, MsgBeginRedelegateSchema, {
          delegatorAddress: acc("dan"),
          validatorSrcAddress: val("a"),
          validatorDstAddress: val("b"),
          amount: stake(1),
          ...change,
        }),
      ).message;
    expect(send({ validatorSrcAddress: "" })).toMatch(/^invalid source validator address: /);
    expect(send({ validatorDstAddress: "" })).toMatch(/^invalid destination validator address: /);
    expect(send({ delegatorAddress: "" })).toMatch(/^invalid delegator address: /);
    expect(send({ amount: stake(0) })).toBe("invalid shares amount: invalid request");
  });
});
