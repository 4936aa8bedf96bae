import { describe, expect, test } from "vitest";
import { consAddress, valAddress } from "../../../base/bech32.ts";
import { decFromInt, ONE } from "../../../base/dec.ts";
import { DAY, SECOND } from "../../../base/time.ts";
import type { Context } from "../../framework/context.ts";
import { refusalOf } from "../../framework/testing.ts";
import { getDelegation, unbond } from "./delegation.ts";
import { slash } from "./slash.ts";
import { cons, op, StakingTest, type StakingTestOptions } from "./testing.ts";
import { BONDED_POOL, NOT_BONDED_POOL } from "./types.ts";
import { getUnbondingDelegation, setUnbondingDelegation } from "./unbonding.ts";
import { jail } from "./validators.ts";

const UNIT = 1_000_000n;
const HALF = ONE / 2n;
const TENTH = ONE / 10n;

const started = (options: Partial<StakingTestOptions> = {}): StakingTest =>
  new StakingTest({ validators: { a: 10, b: 8 }, ...options });

interface Infraction {
  readonly of?: string;
  readonly height?: number;
  readonly power?: number;
  readonly factor?: bigint;
}

/** Slashes in a separate block, for an infraction at height 0 by default. */
function slashed(
  chain: StakingTest,
  { of = "a", height = 0, power = 10, factor = TENTH }: Infraction = {},
) {
  let burned = 0n;
  chain.next((ctx) => {
    burned = slash(chain.keeper, ctx, cons(of), height, power, factor);
  });
  const { steps, logs } = chain.test.trace;
  return { burned, burns: chain.burns(), steps: [...steps], logs: [...logs] };
}

const ubd = (chain: StakingTest, delegator: string, validator: string) =>
  getUnbondingDelegation(chain.ctx(), op(delegator), op(validator));
const balances = (chain: StakingTest, delegator: string, validator: string) =>
  ubd(chain, delegator, validator)?.entries.map(({ balance }) => balance);
const shares = (chain: StakingTest, delegator: string, validator: string) =>
  getDelegation(chain.ctx(), op(delegator), op(validator))?.shares;

describe("the validator", () => {
  test("loses the factor of the power at the infraction, not of its tokens of today", () => {
    const chain = started();
    chain.next((ctx) => chain.delegate(ctx, "d", "a", 30n * UNIT));
    const { burned, burns, logs } = slashed(chain, { height: 1 });
    expect(burned).toBe(UNIT);
    expect(burns).toEqual([`${BONDED_POOL} 1000000`]);
    expect(chain.validator("a")).toMatchObject({
      tokens: 39n * UNIT,
      delegatorShares: decFromInt(40n * UNIT),
    });
    expect(logs.at(-1)).toEqual({
      level: "info",
      module: "x/staking",
      text: "validator slashed by slash factor",
      fields: {
        validator: valAddress(op("a")),
        slash_factor: "0.100000000000000000",
        burned: "1000000",
      },
    });
  });

  test("loses whole tokens, rounded down", () => {
    const chain = started();
    const factor = ONE / 3n;
    const { burned, steps } = slashed(chain, { power: 1, factor });
    expect(burned).toBe(333_333n);
    expect(steps[0]).toMatchObject({
      kind: "slash_amount",
      data: { power: 1, factor, amount: 333_333n },
    });
  });

  test("loses no more than it has", () => {
    const chain = started();
    const { burned, steps } = slashed(chain, { power: 11, factor: ONE });
    expect(burned).toBe(10n * UNIT);
    expect(chain.validator("a").tokens).toBe(0n);
    expect(steps.map(({ kind, data, outcome }) => ({ kind, data, outcome }))).toContainEqual({
      kind: "slash_validator",
      data: {
        operator: op("a"),
        amount: 11n * UNIT,
        answered: 0n,
        burned: 10n * UNIT,
        tokens: 10n * UNIT,
      },
      outcome: "ok",
    });
  });

  test("keeps everything where nothing is due, and no pool burns", () => {
    const chain = started();
    const { burned, burns, logs, steps } = slashed(chain, { factor: 0n });
    expect({ burned, burns }).toEqual({ burned: 0n, burns: [] });
    expect(logs.at(-1)).toMatchObject({
      text: "no validator slashing because slash amount is zero",
      fields: { burned: "0", validatorTokens: (10n * UNIT).toString() },
    });
    expect(steps.at(-1)).toMatchObject({ kind: "slash_validator", outcome: "info" });
  });

  test("burns from the pool that holds its tokens", () => {
    const chain = started();
    chain.next((ctx) => jail(chain.keeper, ctx, cons("a")));
    expect(slashed(chain).burns).toEqual([`${NOT_BONDED_POOL} 1000000`]);
  });
});

describe("a slash is refused", () => {
  const refused = (infraction: Infraction, prepare: (chain: StakingTest) => void = () => {}) => {
    const chain = started();
    prepare(chain);
    return refusalOf(() => slashed(chain, infraction));
  };

  test("with a negative factor, before anything else", () => {
    expect(refused({ of: "unknown", factor: -1n })).toBe(
      "undefined/1 attempted to slash with a negative slash factor: -0.000000000000000001",
    );
  });

  test("for the future, but not for the present", () => {
    expect(refused({ height: 2 })).toBe(
      "undefined/1 impossible attempt to slash future infraction at height 2 but we are at height 1",
    );
    expect(slashed(started(), { height: 1 }).burned).toBe(UNIT);
  });

  test("of an unbonded validator", () => {
    const unbonded = (chain: StakingTest) => {
      chain.next((ctx) => jail(chain.keeper, ctx, cons("a")));
      chain.time += 22n * DAY;
      chain.next();
    };
    expect(refused({}, unbonded)).toBe(
      `undefined/1 should not be slashing unbonded validator: ${valAddress(op("a"))}`,
    );
  });

  test("of an unknown validator, though that is no error", () => {
    const { burned, burns, steps, logs } = slashed(started(), { of: "unknown" });
    expect({ burned, burns }).toEqual({ burned: 0n, burns: [] });
    expect(steps.at(-1)).toMatchObject({
      kind: "no_validator",
      data: { address: cons("unknown") },
      outcome: "ignored",
    });
    expect(logs).toMatchObject([
      {
        level: "error",
        text: expect.stringMatching(/^WARNING: ignored attempt to slash/),
        fields: { validator: consAddress(cons("unknown")) },
      },
    ]);
  });
});

describe("tokens that unbond", () => {
  const unbonding = (): StakingTest => {
    const chain = started();
    chain.next((ctx) => chain.delegate(ctx, "d", "a", 30n));
    chain.next((ctx) => chain.undelegate(ctx, "d", "a", 20n));
    return chain;
  };

  test.each([
    ["before it began", 1, [18n]],
    ["in the block in which it began", 2, [18n]],
    ["later", 3, [20n]],
  ])("answer for an infraction %s", (_when, height, expected) => {
    const chain = unbonding();
    chain.next();
    slashed(chain, { height });
    expect(balances(chain, "d", "a")).toEqual(expected);
  });

  test("do not answer in the block of the infraction itself, which is not searched", () => {
    const chain = started();
    chain.next((ctx) => chain.delegate(ctx, "d", "a", 30n));
    chain.next((ctx) => {
      chain.undelegate(ctx, "d", "a", 20n);
      slash(chain.keeper, ctx, cons("a"), 2, 10, TENTH);
    });
    expect(balances(chain, "d", "a")).toEqual([20n]);
    expect(chain.test.trace.logs[0]).toMatchObject({
      text: "slashing at current height; not scanning unbonding delegations & redelegations",
      fields: { height: "2" },
    });
  });

  test("do not answer once they are mature, at the very moment already", () => {
    for (const [late, expected] of [
      [-1n, [18n]],
      [0n, [20n]],
    ] as const) {
      const chain = unbonding();
      chain.time += 21n * DAY - 5n * SECOND + late;
      chain.height += 1;
      chain.time += 5n * SECOND;
      slash(chain.keeper, chain.ctx(), cons("a"), 1, 10, TENTH);
      expect(balances(chain, "d", "a")).toEqual(expected);
    }
  });

  test("are subtracted from what the validator owes, one burn for each delegator", () => {
    const chain = started();
    chain.next((ctx) => {
      chain.delegate(ctx, "d", "a", 3n * UNIT);
      chain.delegate(ctx, "e", "a", 2n * UNIT);
    });
    chain.next((ctx) => chain.undelegate(ctx, "d", "a", UNIT));
    chain.next((ctx) => {
      chain.undelegate(ctx, "d", "a", 2n * UNIT);
      chain.undelegate(ctx, "e", "a", 2n * UNIT);
    });
    const { burned, burns, steps } = slashed(chain, { height: 1, power: 15 });
    expect(burned).toBe(UNIT);
    expect(burns).toEqual([
      `${NOT_BONDED_POOL} 300000`,
      `${NOT_BONDED_POOL} 200000`,
      `${BONDED_POOL} 1000000`,
    ]);
    expect(balances(chain, "d", "a")).toEqual([900_000n, 1_800_000n]);
    const due = 100_000n;
    const entry = { delegator: op("d"), creationHeight: 2, initial: UNIT, due, burned: due };
    const noted = steps.filter(({ kind }) => kind === "slash_unbonding").map(({ data }) => data);
    expect(noted).toHaveLength(3);
    expect(noted[0]).toEqual(entry);
    expect(steps.find(({ kind }) => kind === "slash_validator")?.data).toMatchObject({
      amount: 1_500_000n,
      answered: 500_000n,
    });
  });

  test("owe the factor of what began to unbond, whatever is left of it, and pay what is left", () => {
    const chain = unbonding();
    const before = ubd(chain, "d", "a");
    if (before === undefined) throw new Error("nothing unbonds");
    const [entry] = before.entries;
    if (entry === undefined) throw new Error("nothing unbonds");
    setUnbondingDelegation(chain.ctx(), { ...before, entries: [{ ...entry, balance: 1n }] });
    const { burns, steps } = slashed(chain, { height: 1 });
    expect(balances(chain, "d", "a")).toEqual([0n]);
    expect(burns).toEqual([`${NOT_BONDED_POOL} 1`, `${BONDED_POOL} 999998`]);
    expect(steps.find(({ kind }) => kind === "slash_unbonding")?.data).toMatchObject({
      due: 2n,
      burned: 1n,
    });
  });

  test("may answer for more than is due: the validator then pays nothing", () => {
    const chain = unbonding();
    expect(slashed(chain, { height: 1, power: 0, factor: HALF })).toMatchObject({
      burned: 0n,
      burns: [`${NOT_BONDED_POOL} 10`],
    });
  });

  test("that owe less than a token stay as they are", () => {
    const chain = unbonding();
    expect(slashed(chain, { height: 1, power: 0, factor: ONE / 100n }).burns).toEqual([]);
    expect(balances(chain, "d", "a")).toEqual([20n]);
  });

  test("that owe less than a token are not written again, so the state stays as it was", () => {
    const chain = unbonding();
    const before = chain.test.commit();
    slash(chain.keeper, chain.ctx(), cons("a"), 1, 0, ONE / 100n);
    expect(chain.test.commit()).toBe(before);
  });

  test.each([
    [20, "slash_unbonding", 20],
    [21, "slash_departed", 1],
  ])("of %i delegators are noted as %s", (count, kind, notes) => {
    const chain = started();
    const names = Array.from({ length: count }, (_, i) => `d${i}`);
    chain.next((ctx) => {
      for (const name of names) chain.delegate(ctx, name, "a", 30n);
      for (const name of names) chain.undelegate(ctx, name, "a", 30n);
    });
    const { steps } = slashed(chain, { height: 1 });
    const found = steps.filter((step) => step.kind === kind);
    expect(found).toHaveLength(notes);
    if (kind === "slash_departed") {
      expect(found[0]?.data).toEqual({ entries: 21, initial: 630n, due: 63n, burned: 63n });
    }
  });
});

describe("tokens that were redelegated", () => {
  /** Ten of d's tokens went from a to b in block 2. */
  const moved = (options: Partial<StakingTestOptions> = {}): StakingTest => {
    const chain = started(options);
    chain.next((ctx) => chain.delegate(ctx, "d", "a", 20n));
    chain.next((ctx) => chain.redelegate(ctx, "d", "a", "b", 10n));
    return chain;
  };
  const noteOf = ({ steps }: ReturnType<typeof slashed>) =>
    steps.find(({ kind }) => kind === "slash_redelegation")?.data;

  test.each([
    ["before they left", 1, 9n],
    ["in the block in which they left", 2, 9n],
    ["later", 3, 10n],
  ])("answer at the destination for an infraction %s", (_when, height, left) => {
    const chain = moved();
    chain.next();
    const result = slashed(chain, { height });
    expect(shares(chain, "d", "b")).toBe(decFromInt(left));
    expect(shares(chain, "d", "a")).toBe(decFromInt(10));
    expect(chain.validator("b").tokens).toBe(8n * UNIT + left);
    const due = 10n - left;
    expect(result.burned).toBe(UNIT - due);
    expect(result.burns[0]).toBe(`${BONDED_POOL} ${due === 0n ? UNIT : due}`);
  });

  test("do not answer at the moment at which they are free", () => {
    const chain = moved();
    chain.time += 21n * DAY;
    slash(chain.keeper, chain.ctx(), cons("a"), 1, 10, TENTH);
    expect(shares(chain, "d", "b")).toBe(decFromInt(10));
  });

  test("are noted with what they owe and what was burned", () => {
    expect(noteOf(slashed(moved(), { height: 1 }))).toEqual({
      delegator: op("d"),
      to: op("b"),
      creationHeight: 2,
      initial: 10n,
      due: 1n,
      burned: 1n,
    });
  });

  test("burn from the pool of the destination", () => {
    const chain = moved();
    chain.next((ctx) => jail(chain.keeper, ctx, cons("b")));
    expect(slashed(chain, { height: 1, factor: HALF }).burns).toEqual([
      `${NOT_BONDED_POOL} 5`,
      `${BONDED_POOL} 4999995`,
    ]);
  });

  test("leave no delegation where all of it is due, and at most all there is", () => {
    const chain = moved();
    chain.next((ctx) => unbond(chain.keeper, ctx, op("d"), op("b"), decFromInt(7)));
    const result = slashed(chain, { height: 1, factor: HALF });
    expect(shares(chain, "d", "b")).toBeUndefined();
    expect(noteOf(result)).toMatchObject({ due: 5n, burned: 3n });
    expect(result.burned).toBe(5n * UNIT - 5n);
  });

  test("owe all the same where the delegation is gone", () => {
    const chain = moved();
    chain.next((ctx) => unbond(chain.keeper, ctx, op("d"), op("b"), decFromInt(10)));
    const result = slashed(chain, { height: 1, factor: HALF });
    expect(noteOf(result)).toMatchObject({ due: 5n, burned: 0n });
    expect(result.burns).toEqual([`${BONDED_POOL} 4999995`]);
  });

  test("owe nothing where that is less than a token", () => {
    const chain = moved();
    const result = slashed(chain, { height: 1, power: 0, factor: ONE / 100n });
    expect(result.burns).toEqual([]);
    expect(shares(chain, "d", "b")).toBe(decFromInt(10));
  });

  test("entry by entry, those that left too early not at all", () => {
    const chain = moved();
    chain.next((ctx) => chain.redelegate(ctx, "d", "a", "b", 6n));
    const result = slashed(chain, { height: 3, factor: HALF });
    expect(shares(chain, "d", "b")).toBe(decFromInt(13));
    expect(result.burns).toEqual([`${BONDED_POOL} 3`, `${BONDED_POOL} 4999997`]);
  });

  test("fail the slash where it empties and so removes the destination", () => {
    const chain = new StakingTest({
      validators: { a: 10, b: 8, c: 1 },
      params: { maxValidators: 2 },
    });
    chain.next((ctx) => {
      chain.delegate(ctx, "d", "a", 20n);
      unbond(chain.keeper, ctx, op("c"), op("c"), decFromInt(UNIT - 1n));
      chain.redelegate(ctx, "d", "a", "c", 10n);
      unbond(chain.keeper, ctx, op("c"), op("c"), decFromInt(1));
    });
    expect(chain.validator("c")).toMatchObject({ status: "unbonded", tokens: 10n });
    expect(refusalOf(() => slashed(chain, { height: 1, factor: ONE }))).toBe(
      "staking/3 validator does not exist",
    );
  });

  describe("and then began to unbond at the destination", () => {
    const unbonding = (
      amount: bigint,
      then: (chain: StakingTest, ctx: Context) => void = () => {},
    ) => {
      const chain = moved();
      chain.next((ctx) => chain.undelegate(ctx, "d", "b", amount));
      chain.next((ctx) => then(chain, ctx));
      return chain;
    };

    test("pay from what unbonds first, and nothing more where that is enough", () => {
      const chain = unbonding(6n);
      const result = slashed(chain, { height: 1, factor: HALF });
      expect(balances(chain, "d", "b")).toEqual([1n]);
      expect(shares(chain, "d", "b")).toBe(decFromInt(4));
      expect(result.burns).toEqual([`${NOT_BONDED_POOL} 5`, `${BONDED_POOL} 4999995`]);
      expect(noteOf(result)).toMatchObject({ due: 5n, burned: 5n });
    });

    test("pay the full part of their shares as well where it is not", () => {
      const chain = unbonding(2n);
      const result = slashed(chain, { height: 1, factor: HALF });
      expect(balances(chain, "d", "b")).toEqual([0n]);
      expect(shares(chain, "d", "b")).toBe(decFromInt(3));
      expect(result.burns).toEqual([
        `${BONDED_POOL} 5`,
        `${NOT_BONDED_POOL} 2`,
        `${BONDED_POOL} 4999995`,
      ]);
      expect(noteOf(result)).toMatchObject({ due: 5n, burned: 7n });
    });

    test("are not written again where they owe less than a token, nor are their shares", () => {
      const chain = unbonding(6n);
      const before = chain.test.commit();
      slash(chain.keeper, chain.ctx(), cons("a"), 1, 0, ONE / 100n);
      expect(chain.test.commit()).toBe(before);
    });

    test("pass by entries that are empty or began before the infraction, and continue with the next", () => {
      const chain = unbonding(2n, (c, ctx) => c.undelegate(ctx, "d", "b", 3n));
      const before = ubd(chain, "d", "b");
      if (before === undefined) throw new Error("nothing unbonds");
      const [first, second] = before.entries;
      if (first === undefined || second === undefined) throw new Error("nothing unbonds");
      const entries = [{ ...first, balance: 0n }, { ...first, creationHeight: 1 }, second];
      setUnbondingDelegation(chain.ctx(), { ...before, entries });
      slashed(chain, { height: 2, power: 0, factor: ONE / 5n });
      expect(balances(chain, "d", "b")).toEqual([0n, 2n, 1n]);
      expect(shares(chain, "d", "b")).toBe(decFromInt(5));
    });
  });
});
