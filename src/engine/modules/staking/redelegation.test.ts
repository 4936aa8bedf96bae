import { fromBinary } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import { accAddress, valAddress } from "../../../base/bech32.ts";
import { EMPTY } from "../../../base/bytes.ts";
import { decFromInt, ONE } from "../../../base/dec.ts";
import { fromHex } from "../../../base/from-hex.ts";
import { DAY, GO_ZERO_TIME } from "../../../base/time.ts";
import { DVVTripletsSchema } from "../../../gen/chain/staking/v1beta1/staking_pb.ts";
import { refusalOf } from "../../framework/testing.ts";
import { getDelegation, unbond } from "./delegation.ts";
import {
  allRedelegations,
  completeMatureRedelegations,
  getRedelegation,
  redelegationsFrom,
  setRedelegation,
} from "./redelegation.ts";
import { cons, op, StakingTest, type StakingTestOptions } from "./testing.ts";
import { getParams, jail, setParams } from "./validators.ts";

const UNIT = 1_000_000n;

const started = (options: Partial<StakingTestOptions> = {}): StakingTest => {
  const chain = new StakingTest({ validators: { a: 10, b: 8, c: 6 }, ...options });
  chain.next((ctx) => {
    for (const name of ["d", "e"]) chain.delegate(ctx, name, "a", 20n);
  });
  return chain;
};

const entries = (chain: StakingTest, from = "a", to = "b") =>
  getRedelegation(chain.ctx(), op("d"), op(from), op(to))?.entries;

const unbonded = (): StakingTest => {
  const chain = started();
  chain.next((ctx) => jail(chain.keeper, ctx, cons("a")));
  chain.time += 22n * DAY;
  chain.next();
  return chain;
};

describe("beginning one", () => {
  test("moves shares and tokens and notes what they were", () => {
    const chain = started();
    chain.next((ctx) => chain.redelegate(ctx, "d", "a", "b", 4n));
    const shares = (name: string) => getDelegation(chain.ctx(), op("d"), op(name))?.shares;
    expect([shares("a"), shares("b")]).toEqual([decFromInt(16), decFromInt(4)]);
    expect(chain.validator("a").tokens).toBe(10n * UNIT + 36n);
    expect(chain.validator("b").tokens).toBe(8n * UNIT + 4n);
    expect(entries(chain)).toEqual([
      {
        creationHeight: 2,
        completionTime: chain.time + 21n * DAY,
        initialBalance: 4n,
        sharesDst: decFromInt(4),
      },
    ]);
  });

  test("moves no tokens between the pools where both validators are bonded, and all of them otherwise", () => {
    const chain = started();
    const before = chain.pools();
    chain.next((ctx) => chain.redelegate(ctx, "d", "a", "b", 4n));
    expect(chain.pools()).toEqual(before);
    chain.next((ctx) => jail(chain.keeper, ctx, cons("c")));
    const { bonded, notBonded } = chain.pools();
    chain.next((ctx) => chain.redelegate(ctx, "d", "a", "c", 4n));
    expect(chain.pools()).toEqual({ bonded: bonded - 4n, notBonded: notBonded + 4n });
  });

  test("begins anew behind those that wait", () => {
    const chain = started();
    chain.next((ctx) => chain.redelegate(ctx, "d", "a", "b", 4n));
    chain.next((ctx) => chain.redelegate(ctx, "d", "a", "b", 5n));
    expect(entries(chain)?.map((e) => [e.creationHeight, e.initialBalance])).toEqual([
      [2, 4n],
      [3, 5n],
    ]);
  });

  test("takes the time and height of a source that unbonds", () => {
    const chain = started();
    chain.next((ctx) => jail(chain.keeper, ctx, cons("a")));
    const { unbondingHeight, unbondingTime } = chain.validator("a");
    chain.next((ctx) => {
      expect(chain.redelegate(ctx, "d", "a", "b", 4n)).toBe(unbondingTime);
    });
    expect(entries(chain)).toMatchObject([
      { creationHeight: unbondingHeight, completionTime: unbondingTime },
    ]);
  });

  test("is done at once where the source is unbonded", () => {
    const chain = unbonded();
    chain.next((ctx) => {
      expect(chain.redelegate(ctx, "d", "a", "b", 4n)).toBe(GO_ZERO_TIME);
    });
    expect(entries(chain)).toBeUndefined();
    expect(Object.keys(chain.test.dump("staking")).filter((key) => key.startsWith("42"))).toEqual(
      [],
    );
  });

  test("fails where it takes the last shares of an unbonded source", () => {
    const chain = unbonded();
    expect(
      refusalOf(() =>
        chain.next((ctx) => {
          unbond(chain.keeper, ctx, op("e"), op("a"), decFromInt(20));
          unbond(chain.keeper, ctx, op("a"), op("a"), decFromInt(10n * UNIT));
          chain.redelegate(ctx, "d", "a", "b", 20n);
        }),
      ),
    ).toBe("staking/3 validator does not exist");
  });

  test.each([
    ["a", "a", 1n, "29 cannot redelegate to the same validator"],
    ["a", "unknown", 1n, "31 redelegation destination validator not found"],
    ["unknown", "b", 1n, "44 redelegation source validator not found"],
    [
      "b",
      "c",
      1n,
      "32 redelegation to this validator already in progress; first redelegation to this validator must complete before next redelegation",
    ],
    ["a", "b", 0n, "30 too few tokens to redelegate (truncates to zero tokens)"],
    ["a", "b", 17n, "24 16.000000000000000000: not enough delegation shares"],
  ])("from %s to %s of %i is refused", (from, to, amount, refusal) => {
    const chain = started();
    chain.next((ctx) => chain.redelegate(ctx, "d", "a", "b", 4n));
    expect(refusalOf(() => chain.redelegate(chain.ctx(), "d", from, to, amount))).toBe(
      `staking/${refusal}`,
    );
  });

  test("on from where another account's tokens arrive is no matter", () => {
    const chain = started();
    chain.next((ctx) => {
      chain.delegate(ctx, "e", "b", 4n);
      chain.redelegate(ctx, "d", "a", "b", 4n);
    });
    expect(chain.redelegate(chain.ctx(), "e", "b", "c", 4n)).toBe(chain.time + 21n * DAY);
  });

  test("is refused with as many waiting as may wait, and not with one fewer", () => {
    const chain = started();
    chain.next((ctx) => {
      setParams(ctx, { ...getParams(ctx), maxEntries: 2 });
      chain.redelegate(ctx, "d", "a", "b", 1n);
      chain.redelegate(ctx, "d", "a", "b", 1n);
    });
    expect(refusalOf(() => chain.redelegate(chain.ctx(), "d", "a", "b", 1n))).toBe(
      "staking/33 too many redelegation entries for (delegator, src-validator, dst-validator) tuple",
    );
  });

  test("of shares that are worth no whole token is refused", () => {
    const chain = started();
    const { keeper } = chain;
    const half = () => keeper.beginRedelegation(chain.ctx(), op("d"), op("a"), op("b"), ONE / 2n);
    expect(refusalOf(half)).toMatch(/^staking\/30 /);
  });
});

describe("the records", () => {
  test("are found by their source, by delegator and then destination", () => {
    const chain = started();
    chain.next((ctx) => {
      chain.delegate(ctx, "d", "c", 9n);
      chain.redelegate(ctx, "e", "a", "b", 1n);
      chain.redelegate(ctx, "d", "a", "b", 1n);
      chain.redelegate(ctx, "d", "c", "b", 1n);
    });
    chain.next((ctx) => {
      const found = Array.from(redelegationsFrom(ctx, op("a")), ({ delegator, validatorDst }) => [
        delegator,
        validatorDst,
      ]);
      expect(found).toEqual([
        [op("d"), op("b")],
        [op("e"), op("b")],
      ]);
      expect([...redelegationsFrom(ctx, op("b"))]).toEqual([]);
      expect([...allRedelegations(ctx)]).toHaveLength(3);
    });
  });

  test("are queued by the moment at which they are free, with the three addresses of each", () => {
    const chain = started();
    chain.next((ctx) => {
      chain.redelegate(ctx, "d", "a", "b", 1n);
      chain.redelegate(ctx, "e", "a", "c", 1n);
    });
    const queued = Object.entries(chain.test.dump("staking")).filter(([key]) => /^42/.test(key));
    const triplet = (delegator: string, validator: string) => ({
      delegatorAddress: accAddress(op(delegator)),
      validatorSrcAddress: valAddress(op("a")),
      validatorDstAddress: valAddress(op(validator)),
    });
    expect(queued.map(([, value]) => fromBinary(DVVTripletsSchema, fromHex(value)))).toMatchObject([
      { triplets: [triplet("d", "b"), triplet("e", "c")] },
    ]);
  });

  test("are written with both indexes each time, also where these stand already", () => {
    const rootAfter = (then: (chain: StakingTest) => void) => {
      const chain = started();
      chain.next((ctx) => chain.redelegate(ctx, "d", "a", "b", 1n));
      chain.test.commit();
      for (const red of [...allRedelegations(chain.ctx())]) setRedelegation(chain.ctx(), red);
      then(chain);
      return chain.test.commit();
    };
    const indexesAgain = (chain: StakingTest) => {
      const keys = Object.keys(chain.test.dump("staking")).filter((key) => /^3[56]/.test(key));
      expect(keys).toHaveLength(2);
      for (const key of keys) chain.ctx().store("staking").set(fromHex(key), EMPTY);
    };
    expect(rootAfter(() => {})).toBe(rootAfter(indexesAgain));
  });

  test("go with their last entry, and their indexes with them", () => {
    const chain = started();
    const keys = () =>
      Object.keys(chain.test.dump("staking")).filter((key) => /^3[456]/.test(key)).length;
    chain.next((ctx) => chain.redelegate(ctx, "d", "a", "b", 1n));
    expect(keys()).toBe(3);
    const red = { delegator: op("d"), validatorSrc: op("a"), validatorDst: op("b"), entries: [] };
    setRedelegation(chain.ctx(), red);
    expect(keys()).toBe(0);
  });
});

describe("at the end of a block", () => {
  const completed = (chain: StakingTest) =>
    chain.test.trace.events
      .filter(({ type }) => type === "complete_redelegation")
      .map(({ attributes }) => attributes.map(({ value }) => value));

  test("what is mature goes, the moment included, and the rest stays", () => {
    const chain = started();
    chain.next((ctx) => {
      chain.redelegate(ctx, "d", "a", "b", 1n);
      chain.redelegate(ctx, "d", "a", "b", 2n);
    });
    chain.next((ctx) => chain.redelegate(ctx, "d", "a", "b", 4n));
    const [first] = entries(chain) ?? [];
    const end = first?.completionTime ?? 0n;
    chain.time = end - 1n;
    completeMatureRedelegations(chain.ctx());
    expect(entries(chain)).toHaveLength(3);
    chain.time = end;
    completeMatureRedelegations(chain.ctx());
    expect(entries(chain)?.map((e) => e.initialBalance)).toEqual([4n]);
    const who = [accAddress(op("d")), valAddress(op("a")), valAddress(op("b"))];
    // For the second entry with the same time nothing mature is left.
    expect(completed(chain)).toEqual([
      ["3stake", ...who],
      ["", ...who],
    ]);
  });

  test("a record that is gone already is passed by", () => {
    const chain = started();
    chain.next((ctx) => {
      chain.redelegate(ctx, "d", "a", "b", 1n);
      chain.redelegate(ctx, "d", "a", "b", 2n);
    });
    chain.time += 21n * DAY;
    completeMatureRedelegations(chain.ctx());
    expect(entries(chain)).toBeUndefined();
    expect(completed(chain)).toHaveLength(1);
  });
});
