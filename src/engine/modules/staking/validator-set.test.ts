import { describe, expect, test } from "vitest";
import { toHex } from "../../../base/bytes.ts";
import { decFromInt } from "../../../base/dec.ts";
import { DAY } from "../../../base/time.ts";
import { getDelegation, unbond } from "./delegation.ts";
import { cons, op, pubKey, StakingTest } from "./testing.ts";
import { getLastTotalPower, lastValidatorPowers } from "./validator-set.ts";
import { getParams, getValidator, jail, setParams, unjail } from "./validators.ts";

const UNIT = 1_000_000n;

const started = (): StakingTest =>
  new StakingTest({ validators: { a: 10, b: 8, c: 6 }, params: { maxValidators: 2 } });

const powers = (chain: StakingTest) =>
  Array.from(lastValidatorPowers(chain.ctx()), ({ operator, power }) => [operator, power]);

describe("the validator set", () => {
  test("is at first the strongest, whose tokens are in the bonded pool", () => {
    const chain = started();
    expect(chain.updates).toEqual([
      { pubKey: pubKey("a"), power: 10 },
      { pubKey: pubKey("b"), power: 8 },
    ]);
    expect(chain.pools()).toEqual({ bonded: 18n * UNIT, notBonded: 6n * UNIT });
    expect(getLastTotalPower(chain.ctx())).toBe(18n);
    expect(["a", "b", "c"].map((name) => chain.validator(name).status)).toEqual([
      "bonded",
      "bonded",
      "unbonded",
    ]);
  });

  test("is not looked at in a block that changes no power, jailing or parameter", () => {
    const chain = started();
    chain.next((ctx) => chain.delegate(ctx, "d", "a", 9n));
    expect(chain.updates).toEqual([]);
    expect(getLastTotalPower(chain.ctx())).toBe(18n);
  });

  test("changes a power, and the total with it", () => {
    const chain = started();
    chain.next((ctx) => chain.delegate(ctx, "d", "a", UNIT));
    expect(chain.updates).toEqual([{ pubKey: pubKey("a"), power: 11 }]);
    expect(getLastTotalPower(chain.ctx())).toBe(19n);
    expect(powers(chain)).toEqual([
      [op("a"), 11],
      [op("b"), 8],
    ]);
  });

  test("swaps one who is overtaken: what one brings, less what the other takes, changes pools", () => {
    const chain = started();
    chain.next((ctx) => chain.delegate(ctx, "d", "c", 3n * UNIT));
    expect(chain.updates).toEqual([
      { pubKey: pubKey("c"), power: 9 },
      { pubKey: pubKey("b"), power: 0 },
    ]);
    expect(chain.pools()).toEqual({ bonded: 19n * UNIT, notBonded: 8n * UNIT });
    expect(chain.hooked).toEqual([`bonded ${toHex(cons("c"))}`]);
    expect(chain.validator("b")).toMatchObject({
      status: "unbonding",
      unbondingHeight: 1,
      unbondingTime: chain.time + 21n * DAY,
    });
    expect(powers(chain)).toEqual([
      [op("a"), 10],
      [op("c"), 9],
    ]);
  });

  test("loses a jailed validator and takes the next; unjailed it comes back", () => {
    const chain = started();
    chain.next((ctx) => jail(chain.keeper, ctx, cons("a")));
    expect(chain.updates).toEqual([
      { pubKey: pubKey("c"), power: 6 },
      { pubKey: pubKey("a"), power: 0 },
    ]);
    expect(chain.test.trace.steps.at(-1)).toMatchObject({
      kind: "validator_leaves",
      data: { operator: op("a"), jailed: true },
    });
    chain.next((ctx) => unjail(chain.keeper, ctx, cons("a")));
    expect(chain.updates).toEqual([
      { pubKey: pubKey("a"), power: 10 },
      { pubKey: pubKey("c"), power: 0 },
    ]);
    chain.time += 22n * DAY;
    chain.next();
    expect(chain.validator("a").status).toBe("bonded");
  });

  test("ends where power ends", () => {
    const chain = started();
    chain.next((ctx) => {
      unbond(chain.keeper, ctx, op("b"), op("b"), decFromInt(7n * UNIT + 1n));
      unbond(chain.keeper, ctx, op("c"), op("c"), decFromInt(5n * UNIT + 1n));
    });
    expect(chain.updates).toEqual([{ pubKey: pubKey("b"), power: 0 }]);
    expect(getLastTotalPower(chain.ctx())).toBe(10n);
  });

  test("follows the parameter", () => {
    const chain = started();
    chain.next((ctx) => setParams(ctx, { ...getParams(ctx), maxValidators: 3 }));
    expect(chain.updates).toEqual([{ pubKey: pubKey("c"), power: 6 }]);
  });
});

describe("a validator that unbonds", () => {
  const leaving = (shares: bigint): StakingTest => {
    const chain = started();
    chain.next((ctx) => {
      jail(chain.keeper, ctx, cons("a"));
      if (shares > 0n) unbond(chain.keeper, ctx, op("a"), op("a"), decFromInt(shares));
    });
    return chain;
  };

  test("is unbonded when its time has come, the moment included", () => {
    const chain = leaving(0n);
    const end = chain.validator("a").unbondingTime;
    chain.time = end - 5_000_000_001n;
    chain.next();
    expect(chain.validator("a").status).toBe("unbonding");
    chain.time = end - 5_000_000_000n;
    chain.next();
    expect(chain.validator("a")).toMatchObject({ status: "unbonded", tokens: 10n * UNIT });
    expect(chain.test.trace.steps).toMatchObject([
      { kind: "unbonding_over", data: { operator: op("a") } },
    ]);
    expect(chain.hooked).toEqual([]);
  });

  test("is removed with its last shares gone, and not a block before", () => {
    const chain = leaving(10n * UNIT);
    expect(chain.validator("a")).toMatchObject({ status: "unbonding", delegatorShares: 0n });
    chain.time += 21n * DAY;
    chain.next();
    expect(getValidator(chain.ctx(), op("a"))).toBeUndefined();
    expect(chain.hooked).toEqual([`removed ${toHex(cons("a"))}`]);
  });

  test("together with another leaves nothing in the queue", () => {
    const chain = started();
    chain.next((ctx) => {
      jail(chain.keeper, ctx, cons("a"));
      jail(chain.keeper, ctx, cons("b"));
    });
    chain.time += 21n * DAY;
    chain.next();
    expect(["a", "b"].map((name) => chain.validator(name).status)).toEqual([
      "unbonded",
      "unbonded",
    ]);
    const queued = Object.keys(chain.test.dump("staking")).filter((key) => key.startsWith("43"));
    expect(queued).toEqual([]);
  });
});

describe("an operator that unbonds below its minimum", () => {
  const selfBonded = (jailedBefore = false): StakingTest => {
    const chain = new StakingTest({ validators: { a: 10, b: 8 }, minSelfDelegation: 9n * UNIT });
    if (jailedBefore) chain.next((ctx) => jail(chain.keeper, ctx, cons("a")));
    return chain;
  };
  const leave = (chain: StakingTest, amount: bigint): void =>
    chain.next((ctx) => {
      unbond(chain.keeper, ctx, op("a"), op("a"), decFromInt(amount));
    });

  test("is jailed, and not at the minimum", () => {
    const chain = selfBonded();
    leave(chain, UNIT);
    expect(chain.validator("a").jailed).toBe(false);
    leave(chain, 1n);
    expect(chain.validator("a").jailed).toBe(true);
    expect(chain.test.trace.steps[0]).toMatchObject({
      kind: "low_self_delegation",
      data: { operator: op("a"), tokens: 9n * UNIT - 1n, minimum: 9n * UNIT },
      outcome: "refused",
    });
    expect(chain.hooked[0]).toBe("jailed changed");
  });

  test("is not jailed again", () => {
    const chain = selfBonded(true);
    leave(chain, 2n * UNIT);
    expect(chain.hooked).toEqual([]);
  });

  test("is not jailed for what another delegator takes", () => {
    const chain = selfBonded();
    chain.next((ctx) => chain.delegate(ctx, "d", "a", 5n));
    chain.next((ctx) => {
      expect(unbond(chain.keeper, ctx, op("d"), op("a"), decFromInt(5))).toBe(5n);
    });
    expect(chain.validator("a").jailed).toBe(false);
    expect(getDelegation(chain.ctx(), op("d"), op("a"))).toBeUndefined();
  });
});
