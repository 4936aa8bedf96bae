import { describe, expect, test } from "vitest";
import { DAY } from "../../../base/time.ts";
import { cons, POWER, pubKey, StakingChain } from "./testing.ts";

const powers = (chain: StakingChain) =>
  chain.updates.map(({ pubKey: key, power }) => [String.fromCharCode(key[0] as number), power]);

describe("the validator set (rules/staking 5.3)", () => {
  test("updates come by power, equals by operator address, then those who leave by operator address", () => {
    const chain = new StakingChain({
      validators: { c: 5, a: 5, b: 9, x: 4, y: 4 },
      accounts: { n: 50n * POWER, m: 50n * POWER },
      staking: { maxValidators: 5 },
    });
    expect(chain.sets.get(1)?.map((member) => member.power)).toEqual([9, 5, 5, 4, 4]);
    chain.next();
    chain.next({
      txs: (ctx) => {
        chain.create(ctx, "n", 7n * POWER);
        chain.create(ctx, "m", 7n * POWER);
        chain.delegate(ctx, "n", "c", 5n * POWER);
      },
    });
    expect(powers(chain)).toEqual([
      ["c", 10],
      ["m", 7],
      ["n", 7],
      ["x", 0],
      ["y", 0],
    ]);
    expect(chain.pools()).toEqual({ bonded: 38n * POWER, notBonded: 8n * POWER });
  });

  test("tokens below a million change no power, so there are no updates", () => {
    const chain = new StakingChain({ validators: { a: 5, b: 5 }, accounts: { d: POWER } });
    chain.next({ txs: (ctx) => chain.delegate(ctx, "d", "b", POWER - 1n) });
    expect(chain.updates).toEqual([]);
  });

  test("a validator with less than a million tokens is not bonded", () => {
    const chain = new StakingChain({ validators: { a: 5 }, accounts: { n: 2n * POWER } });
    chain.next({ txs: (ctx) => chain.create(ctx, "n", POWER - 1n) });
    expect(chain.updates).toEqual([]);
    expect(chain.validator("n").status).toBe("unbonded");
    chain.next({ txs: (ctx) => chain.delegate(ctx, "n", "n", 1n) });
    expect(powers(chain)).toEqual([["n", 1]]);
  });

  test("pools are settled by one transfer of the difference", () => {
    const chain = new StakingChain({
      validators: { a: 5, b: 4 },
      accounts: { n: 9n * POWER },
      staking: { maxValidators: 2 },
    });
    chain.next();
    const events = chain.next({ txs: (ctx) => chain.create(ctx, "n", 9n * POWER) });
    const transfers = events.filter((event) => event.startsWith("transfer"));
    expect(transfers).toEqual([expect.stringContaining("amount=5000000stake")]);
  });

  test("a jailed validator leaves with power 0 and its tokens leave the bonded pool in EndBlock", () => {
    const chain = new StakingChain({ validators: { a: 5, b: 4 } });
    chain.next();
    let duringBlock = 0n;
    chain.next({
      begin: (ctx) => chain.staking.keeper.jail(ctx, cons("a")),
      txs: (ctx) => {
        duringBlock = chain.staking.keeper.totalBondedTokens(ctx);
      },
    });
    expect(duringBlock).toBe(9n * POWER);
    expect(chain.updates).toEqual([{ pubKey: pubKey("a"), power: 0 }]);
    expect(chain.pools()).toEqual({ bonded: 4n * POWER, notBonded: 5n * POWER });
    const ctx = chain.context();
    const bonded = Array.from(chain.staking.keeper.bondedValidatorsByPower(ctx));
    expect(bonded.map((validator) => validator.tokens)).toEqual([4n * POWER]);
  });

  test("an unbonding validator is unbonded when its time has come, and bonded again when it is strong again", () => {
    const chain = new StakingChain({
      validators: { a: 5, b: 4 },
      accounts: { d: 9n * POWER },
      staking: { maxValidators: 1 },
    });
    chain.next({ txs: (ctx) => chain.delegate(ctx, "d", "b", 3n * POWER) });
    expect(powers(chain)).toEqual([
      ["b", 7],
      ["a", 0],
    ]);
    expect(chain.validator("a")).toMatchObject({ status: "unbonding", unbondingHeight: 1 });
    chain.runTo(6);
    chain.wait(21n * DAY);
    chain.next();
    expect(chain.validator("a").status).toBe("unbonded");
    chain.next({ txs: (ctx) => chain.delegate(ctx, "d", "a", 3n * POWER) });
    expect(powers(chain)).toEqual([
      ["a", 8],
      ["b", 0],
    ]);
    expect(chain.slashing.keeper.getSigningInfo(chain.context(), cons("a"))?.startHeight).toBe(
      chain.height,
    );
  });

  test("one that is bonded again before its time is no longer in the queue", () => {
    const chain = new StakingChain({
      validators: { a: 5, b: 4 },
      accounts: { d: 9n * POWER },
      staking: { maxValidators: 1 },
    });
    chain.next({ txs: (ctx) => chain.delegate(ctx, "d", "b", 3n * POWER) });
    chain.next({ txs: (ctx) => chain.delegate(ctx, "d", "a", 3n * POWER) });
    chain.wait(30n * DAY);
    chain.next();
    expect(chain.validator("a").status).toBe("bonded");
  });
});

test("the last total power is stored as an IntProto", () => {
  const chain = new StakingChain({ validators: { a: 100, b: 23 } });
  expect(chain.test.dump("staking")["12"]).toBe("0a03313233");
});
