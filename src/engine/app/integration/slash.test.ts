import { describe, expect, test, vi } from "vitest";
import { moduleAddress } from "../../../base/address.ts";
import { accAddress } from "../../../base/bech32.ts";
import { prefixEnd, toHex } from "../../../base/bytes.ts";
import { decFromInt, ONE } from "../../../base/dec.ts";
import { DAY } from "../../../base/time.ts";
import type { Context } from "../../framework/context.ts";
import { addressKey, PREFIX } from "../../modules/staking/keys.ts";
import { getUnbondingDelegation } from "../../modules/staking/unbonding.ts";
import type { Entry } from "../../store/kv-store.ts";
import { cons, op, POWER, StakingChain, type StakingChainOptions, val } from "./testing.ts";

const HALF = ONE / 2n;
const BONDED = accAddress(moduleAddress("bonded_tokens_pool"));
const NOT_BONDED = accAddress(moduleAddress("not_bonded_tokens_pool"));

const OPTIONS: StakingChainOptions = {
  validators: { a: 10, b: 10, c: 10 },
  accounts: {
    dan: 100n * POWER,
    eve: 100n * POWER,
    ...Object.fromEntries(
      ["dan", "eve", "fay"].flatMap((who) =>
        ["a", "b", "c"].map((at) => [`${who}-${at}`, 10n * POWER] as const),
      ),
    ),
  },
};

/** A chain at height 10, where dan and eve have 6 and 4 million staked with a since height 2. */
function started(options: Partial<StakingChainOptions> = {}): StakingChain {
  const chain = new StakingChain({ ...OPTIONS, ...options });
  chain.next();
  chain.next({
    txs: (ctx) => {
      chain.delegate(ctx, "dan", "a", 6n * POWER);
      chain.delegate(ctx, "eve", "a", 4n * POWER);
    },
  });
  chain.runTo(10);
  return chain;
}

const doubleSign = (chain: StakingChain, height: number, power: number, fraction = HALF) => {
  let burned = 0n;
  const events = chain.next({
    begin: (ctx) => {
      burned = chain.staking.keeper.slash(ctx, cons("a"), height, power, fraction);
    },
  });
  return { burned, events };
};

const entryOf = (chain: StakingChain, who: string) =>
  getUnbondingDelegation(chain.context(), op(who), op("a"))?.entries[0];

describe("Slash (rules/staking 4.1)", () => {
  test("burns power × 10^6 × fraction from the validator; its delegators lose alike", () => {
    const chain = started();
    const supply = chain.supply();
    expect(doubleSign(chain, 9, 20)).toMatchObject({
      burned: 10n * POWER,
      events: [
        `coin_spent{spender=${BONDED}, amount=10000000stake}`,
        `burn{burner=${BONDED}, amount=10000000stake}`,
      ],
    });
    expect(chain.supply()).toBe(supply - 10n * POWER);
    expect(chain.validator("a")).toMatchObject({
      tokens: 10n * POWER,
      delegatorShares: decFromInt(20n * POWER),
    });
    expect(chain.updates).toEqual([{ pubKey: chain.validator("a").consensusPubkey, power: 10 }]);
  });

  test("goes by the power given, not by present tokens, and takes no more than there is", () => {
    const chain = started();
    expect(doubleSign(chain, 9, 2).burned).toBe(POWER);
    expect(doubleSign(chain, 9, 1_000).burned).toBe(19n * POWER);
    expect(chain.validator("a").tokens).toBe(0n);
  });

  test.each([
    [
      "negative factor",
      { fraction: -HALF },
      "attempted to slash with a negative slash factor: -0.500000000000000000",
    ],
    [
      "future infraction",
      { height: 12 },
      "impossible attempt to slash future infraction at height 12 but we are at height 11",
    ],
  ])(
    "a %s is an error",
    (_, { height = 9, fraction = HALF }: { height?: number; fraction?: bigint }, text) => {
      const chain = started();
      expect(() => doubleSign(chain, height, 10, fraction)).toThrow(text);
    },
  );

  test("a validator that does not exist is passed over with an error in the log", () => {
    const chain = started();
    chain.next({
      begin: (ctx) =>
        chain.slashing.keeper.slashWithInfractionReason(
          ctx,
          cons("unknown"),
          HALF,
          1,
          9,
          "double_sign",
        ),
    });
    expect(chain.test.takeLogs()).toContain(
      "error: WARNING: ignored attempt to slash a nonexistent validator; we recommend you investigate immediately",
    );
  });

  test("an unbonded validator must not be slashed", () => {
    const chain = new StakingChain({
      validators: { a: 10, b: 20 },
      staking: { maxValidators: 1 },
    });
    chain.next();
    expect(() => doubleSign(chain, 0, 10)).toThrow(
      `should not be slashing unbonded validator: ${val("a")}`,
    );
  });

  test("an infraction at the current height does not look at what unbonds", () => {
    const chain = started();
    chain.next({ txs: (ctx) => chain.undelegate(ctx, "dan", "a", 6n * POWER) });
    expect(doubleSign(chain, 12, 20).burned).toBe(10n * POWER);
    expect(chain.test.takeLogs()).toContain(
      "info: slashing at current height; not scanning unbonding delegations & redelegations",
    );
    expect(entryOf(chain, "dan")?.balance).toBe(6n * POWER);
  });
});

describe("unbonding delegations", () => {
  test("begun at or after the infraction lose their share, and the validator so much less", () => {
    const chain = started();
    chain.next({ txs: (ctx) => chain.undelegate(ctx, "dan", "a", 6n * POWER) });
    const startHeight = chain.height;
    const { burned, events } = doubleSign(chain, startHeight, 20);
    expect(burned).toBe(7n * POWER);
    expect(entryOf(chain, "dan")).toMatchObject({
      creationHeight: startHeight,
      initialBalance: 6n * POWER,
      balance: 3n * POWER,
    });
    expect(events.slice(0, 4)).toEqual([
      `coin_spent{spender=${NOT_BONDED}, amount=3000000stake}`,
      `burn{burner=${NOT_BONDED}, amount=3000000stake}`,
      `coin_spent{spender=${BONDED}, amount=7000000stake}`,
      `burn{burner=${BONDED}, amount=7000000stake}`,
    ]);
  });

  test("begun before the infraction lose nothing", () => {
    const chain = started();
    chain.next({ txs: (ctx) => chain.undelegate(ctx, "dan", "a", 6n * POWER) });
    const startHeight = chain.height;
    chain.next();
    expect(doubleSign(chain, startHeight + 1, 14).burned).toBe(7n * POWER);
    expect(entryOf(chain, "dan")?.balance).toBe(6n * POWER);
  });

  test("answer for the whole even where less is left: both slashes count by the initial balance", () => {
    const chain = started();
    chain.next({ txs: (ctx) => chain.undelegate(ctx, "dan", "a", 6n * POWER) });
    const startHeight = chain.height;
    expect(doubleSign(chain, startHeight, 20, (ONE * 3n) / 4n).burned).toBe(10_500_000n);
    expect(entryOf(chain, "dan")?.balance).toBe(1_500_000n);
    expect(doubleSign(chain, startHeight, 6, (ONE * 3n) / 4n).burned).toBe(0n);
    expect(entryOf(chain, "dan")?.balance).toBe(0n);
    expect(chain.test.takeLogs().at(-1)).toBe(
      "info: no validator slashing because slash amount is zero",
    );
  });

  test("that are mature but not yet paid out lose nothing", () => {
    const chain = started();
    chain.next({ txs: (ctx) => chain.undelegate(ctx, "dan", "a", 6n * POWER) });
    const startHeight = chain.height;
    chain.wait(21n * DAY);
    expect(doubleSign(chain, startHeight, 14).burned).toBe(7n * POWER);
    expect(chain.balance("dan")).toBe(100n * POWER);
  });

  test("many of them are noted in one step", () => {
    const names = Array.from({ length: 30 }, (_, i) => `d${i}`);
    const chain = new StakingChain({
      ...OPTIONS,
      accounts: Object.fromEntries(names.map((name) => [name, 10n])),
    });
    chain.next({
      txs: (ctx) => {
        for (const name of names) chain.delegate(ctx, name, "a", 10n);
        for (const name of names) chain.undelegate(ctx, name, "a", 10n);
      },
    });
    chain.next();
    chain.takeSteps();
    doubleSign(chain, 1, 10);
    expect(chain.takeSteps()).toEqual([
      "slash amount: 10 × 10^6 × 0.5 = 5000000 [info]",
      "slash unbonding and redelegations: 30 entries owe 150, burned 150 [ok]",
      `slash validator: ${val("a")}: 5000000 − 150 already answered for = 4999850; burned 4999850 of 10000000 [ok]`,
      `validator set: ${val("a")}: 10 → 5 [info]`,
    ]);
  });
});

describe("a slash touches no other validator's entries", () => {
  /** Keys of the staking store visited by iterators while `body` runs. */
  function walkedBy(chain: StakingChain, body: (ctx: Context) => void): string[] {
    const keys: string[] = [];
    const ctx = chain.context();
    const store = ctx.store("staking");
    const watch = (entries: Iterable<Entry>): Iterable<Entry> => ({
      *[Symbol.iterator]() {
        for (const entry of entries) {
          keys.push(toHex(entry.key));
          yield entry;
        }
      },
    });
    const prefix = vi.spyOn(store, "prefix").mockImplementation((start, reverse) => {
      return watch(store.iterate(start, prefixEnd(start), reverse));
    });
    body(ctx);
    prefix.mockRestore();
    return keys;
  }

  test("however many there are", () => {
    const chain = started();
    chain.next({
      txs: (ctx) => {
        for (const [i, from] of ["a", "b", "c"].entries()) {
          const to = ["b", "c", "a"][i] as string;
          for (const who of ["dan", "eve", "fay"]) {
            chain.delegate(ctx, `${who}-${from}`, from, 4n * POWER);
            chain.undelegate(ctx, `${who}-${from}`, from, POWER);
            chain.redelegate(ctx, `${who}-${from}`, from, to, POWER);
          }
        }
      },
    });
    chain.next();
    const walked = walkedBy(chain, (ctx) => {
      chain.staking.keeper.slash(ctx, cons("a"), chain.height - 1, 20, HALF);
    });
    const own = [PREFIX.unbondingByVal, PREFIX.redelegationBySrc].map((index) =>
      toHex(addressKey(index, op("a"))),
    );
    expect(walked).toHaveLength(6);
    for (const key of walked) expect(own.some((start) => key.startsWith(start))).toBe(true);
  });
});

describe("redelegations", () => {
  const sharesAt = (chain: StakingChain, who: string, where: string) =>
    chain.staking.keeper.delegation(chain.context(), op(who), op(where)).shares;

  test("begun at or after the infraction lose shares at the destination; others there lose nothing", () => {
    const chain = started();
    chain.next({
      txs: (ctx) => {
        chain.redelegate(ctx, "dan", "a", "b", 6n * POWER);
        chain.delegate(ctx, "eve", "b", 5n * POWER);
      },
    });
    const { burned, events } = doubleSign(chain, chain.height, 20);
    expect(burned).toBe(7n * POWER);
    expect(sharesAt(chain, "dan", "b")).toBe(decFromInt(3n * POWER));
    expect(sharesAt(chain, "eve", "b")).toBe(decFromInt(5n * POWER));
    expect(chain.validator("b").tokens).toBe(18n * POWER);
    expect(events.slice(0, 2)).toEqual([
      `coin_spent{spender=${BONDED}, amount=3000000stake}`,
      `burn{burner=${BONDED}, amount=3000000stake}`,
    ]);
  });

  test("begun before the infraction lose nothing", () => {
    const chain = started();
    chain.next({ txs: (ctx) => chain.redelegate(ctx, "dan", "a", "b", 6n * POWER) });
    chain.next();
    expect(doubleSign(chain, chain.height, 14).burned).toBe(7n * POWER);
    expect(sharesAt(chain, "dan", "b")).toBe(decFromInt(6n * POWER));
  });

  test("since unbonded at the destination are found there, so leaving twice saves nothing (GHSA-86h5-xcpx-cfqc)", () => {
    const chain = started();
    chain.next({ txs: (ctx) => chain.redelegate(ctx, "dan", "a", "b", 6n * POWER) });
    const startHeight = chain.height;
    chain.next({ txs: (ctx) => chain.undelegate(ctx, "dan", "b", 6n * POWER) });
    const before = chain.supply();
    expect(doubleSign(chain, startHeight, 20).burned).toBe(7n * POWER);
    expect(before - chain.supply()).toBe(10n * POWER);
    const ubd = getUnbondingDelegation(chain.context(), op("dan"), op("b"));
    expect(ubd?.entries[0]).toMatchObject({ initialBalance: 6n * POWER, balance: 3n * POWER });
  });

  test("with all of it found unbonding at the destination leave the shares that remain there alone", () => {
    const chain = started();
    chain.next({
      txs: (ctx) => {
        chain.delegate(ctx, "dan", "b", 5n * POWER);
        chain.redelegate(ctx, "dan", "a", "b", 6n * POWER);
      },
    });
    const startHeight = chain.height;
    chain.next({ txs: (ctx) => chain.undelegate(ctx, "dan", "b", 6n * POWER) });
    const before = chain.supply();
    expect(doubleSign(chain, startHeight, 20).burned).toBe(7n * POWER);
    expect(sharesAt(chain, "dan", "b")).toBe(decFromInt(5n * POWER));
    expect(before - chain.supply()).toBe(10n * POWER);
  });

  test("take nothing from what has begun to unbond at the destination before the infraction", () => {
    const chain = started();
    chain.next({
      txs: (ctx) => {
        chain.delegate(ctx, "dan", "b", 4n * POWER);
        chain.undelegate(ctx, "dan", "b", 4n * POWER);
      },
    });
    chain.next({ txs: (ctx) => chain.redelegate(ctx, "dan", "a", "b", 6n * POWER) });
    doubleSign(chain, chain.height, 20);
    const ubd = getUnbondingDelegation(chain.context(), op("dan"), op("b"));
    expect(ubd?.entries[0]?.balance).toBe(4n * POWER);
    expect(sharesAt(chain, "dan", "b")).toBe(decFromInt(3n * POWER));
  });

  test("nor from what is mature there and not yet paid out", () => {
    const chain = started();
    chain.next({
      txs: (ctx) => {
        chain.delegate(ctx, "dan", "b", 4n * POWER);
        chain.undelegate(ctx, "dan", "b", 4n * POWER);
      },
    });
    const infraction = chain.height;
    chain.wait(10n * DAY);
    chain.next({ txs: (ctx) => chain.redelegate(ctx, "dan", "a", "b", 6n * POWER) });
    chain.wait(12n * DAY);
    const before = chain.balance("dan");
    doubleSign(chain, infraction, 20);
    expect(chain.balance("dan") - before).toBe(4n * POWER);
    expect(sharesAt(chain, "dan", "b")).toBe(decFromInt(3n * POWER));
  });

  test("partly unbonded at the destination lose there and their full share of shares too, as upstream does", () => {
    const chain = started();
    chain.next({ txs: (ctx) => chain.redelegate(ctx, "dan", "a", "b", 6n * POWER) });
    const startHeight = chain.height;
    chain.next({ txs: (ctx) => chain.undelegate(ctx, "dan", "b", 2n * POWER) });
    const before = chain.supply();
    expect(doubleSign(chain, startHeight, 20).burned).toBe(7n * POWER);
    expect(sharesAt(chain, "dan", "b")).toBe(decFromInt(POWER));
    expect(before - chain.supply()).toBe(12n * POWER);
  });

  test("in both: unbonding and redelegation may cover all of it, then the validator burns nothing", () => {
    const chain = started();
    chain.next({
      txs: (ctx) => {
        chain.undelegate(ctx, "dan", "a", 6n * POWER);
        chain.redelegate(ctx, "eve", "a", "b", 4n * POWER);
      },
    });
    const before = chain.supply();
    const startHeight = chain.height;
    chain.next({
      begin: (ctx) =>
        chain.slashing.keeper.slashWithInfractionReason(
          ctx,
          cons("a"),
          HALF,
          10,
          startHeight,
          "double_sign",
        ),
    });
    expect(before - chain.supply()).toBe(5n * POWER);
    expect(chain.validator("a").tokens).toBe(10n * POWER);
  });
});
