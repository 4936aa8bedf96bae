import fc from "fast-check";
import { expect, test } from "vitest";
import { ONE, truncateInt } from "../../../base/dec.ts";
import { propertyRuns } from "../../../base/property.testing.ts";
import { DAY } from "../../../base/time.ts";
import type { Context } from "../../framework/context.ts";
import { ChainError } from "../../framework/errors.ts";
import { Equivocation } from "../../modules/evidence/equivocation.ts";
import { punish } from "../../modules/evidence/infraction.ts";
import { getUnbondingDelegation } from "../../modules/staking/unbonding.ts";
import { forEvidence } from "../needs.ts";
import { cons, consText, op, POWER, StakingChain } from "./testing.ts";

const VALIDATORS = ["a", "b", "c", "d"] as const;
const PEOPLE = [...VALIDATORS, "dan", "eve"] as const;
type Validator = (typeof VALIDATORS)[number];
type Person = (typeof PEOPLE)[number];

type Action =
  | { readonly kind: "delegate" | "undelegate"; who: Person; to: Validator; amount: bigint }
  | { readonly kind: "redelegate"; who: Person; from: Validator; to: Validator; amount: bigint }
  | { readonly kind: "doubleSign" | "slash"; who: Validator; ago: number; power: number }
  | { readonly kind: "unjail"; who: Validator }
  | { readonly kind: "wait"; days: number };

const person = fc.constantFrom(...PEOPLE);
const validator = fc.constantFrom(...VALIDATORS);
const amount = fc.bigInt({ min: 1n, max: 9n * POWER });
const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("delegate" as const),
      who: person,
      to: validator,
      amount,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("undelegate" as const),
      who: person,
      to: validator,
      amount,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("redelegate" as const),
      who: person,
      from: validator,
      to: validator,
      amount,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom("doubleSign" as const, "slash" as const, "slash" as const),
      who: validator,
      ago: fc.integer({ min: 0, max: 5 }),
      power: fc.integer({ min: 0, max: 30 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("unjail" as const), who: validator }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("wait" as const),
      days: fc.integer({ min: 1, max: 25 }),
    }),
  },
);

const THIRD = ONE / 3n;

/**
 * Handles a double sign like the evidence module, or only slashes, which leaves the validator in
 * the set.
 */
function commit(
  chain: StakingChain,
  ctx: Context,
  { kind, who, ago, power }: Extract<Action, { ago: number }>,
): void {
  const { staking, slashing } = chain;
  const height = ctx.height - ago;
  if (kind === "doubleSign") {
    const needs = { ...forEvidence(staking.keeper, slashing.keeper), verifyVote: () => true };
    punish(ctx, needs, Equivocation.of(height, ctx.time, power, consText(who)), ctx.time);
    return;
  }
  const found = staking.keeper.validatorByConsAddr(ctx, cons(who));
  if (found === undefined || found.status === "unbonded") return;
  slashing.keeper.slashWithInfractionReason(ctx, cons(who), THIRD, power, height, "double_sign");
}

function act(chain: StakingChain, ctx: Context, doing: Action): void {
  try {
    if (doing.kind === "delegate") chain.delegate(ctx, doing.who, doing.to, doing.amount);
    else if (doing.kind === "undelegate") chain.undelegate(ctx, doing.who, doing.to, doing.amount);
    else if (doing.kind === "redelegate") {
      chain.redelegate(ctx, doing.who, doing.from, doing.to, doing.amount);
    } else if (doing.kind === "unjail") chain.unjail(ctx, doing.who);
  } catch (error) {
    if (!(error instanceof ChainError)) throw error;
  }
}

const burnedIn = (events: readonly string[]): bigint =>
  events
    .map((event) => /^burn\{.*amount=(\d+)stake\}$/.exec(event)?.[1])
    .reduce((sum, found) => sum + BigInt(found ?? 0), 0n);

function check(chain: StakingChain, supplyBefore: bigint, burned: bigint): void {
  const ctx = chain.context();
  const { bank, staking, slashing } = chain;
  const balances = Array.from(bank.keeper.allBalances(ctx), ({ coin }) => coin.amount);
  const validators = Array.from(staking.keeper.allValidators(ctx));
  expect(balances.every((balance) => balance > 0n)).toBe(true);
  expect(chain.supply()).toBe(balances.reduce((sum, balance) => sum + balance, 0n));
  expect(supplyBefore - chain.supply()).toBe(burned);

  let bonded = 0n;
  let notBonded = 0n;
  for (const v of validators) {
    expect(v.tokens >= 0n && v.delegatorShares >= 0n).toBe(true);
    if (v.status === "bonded") bonded += v.tokens;
    else notBonded += v.tokens;
    const owned = PEOPLE.flatMap((who) =>
      Array.from(staking.keeper.delegatorDelegations(ctx, op(who))).filter(
        (d) => d.validator.join() === v.operator.join(),
      ),
    );
    expect(owned.reduce((sum, d) => sum + d.shares, 0n)).toBe(v.delegatorShares);
    if (v.delegatorShares > 0n) {
      const worth = owned.reduce(
        (sum, d) => sum + truncateInt(staking.keeper.tokensFromShares(v, d.shares)),
        0n,
      );
      expect(worth <= v.tokens).toBe(true);
    }
    if (slashing.keeper.isTombstoned(ctx, v.consensusAddress)) {
      expect(v.status).not.toBe("bonded");
    }
  }
  for (const who of PEOPLE) {
    for (const v of VALIDATORS) {
      const ubd = getUnbondingDelegation(ctx, op(who), op(v));
      for (const entry of ubd?.entries ?? []) {
        expect(entry.balance >= 0n && entry.balance <= entry.initialBalance).toBe(true);
        notBonded += entry.balance;
      }
    }
  }
  const pools = chain.pools();
  expect(pools.bonded).toBe(bonded);
  expect(pools.notBonded).toBe(notBonded);
}

test("supply is the sum of balances and falls by burns alone, nothing goes below zero, pools hold all bonded and unbonding tokens, the tombstoned stay out", () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(action, { maxLength: 4 }), { minLength: 3, maxLength: 30 }),
      (blocks) => {
        const chain = new StakingChain({
          validators: { a: 10, b: 12, c: 9, d: 3 },
          accounts: Object.fromEntries(PEOPLE.map((who) => [who, 100n * POWER])),
          staking: { maxValidators: 3 },
          slashing: { slashFractionDoubleSign: THIRD },
        });
        for (const actions of blocks) {
          const supply = chain.supply();
          // Time passes only after the votes of removed validators are counted; otherwise
          // upstream's chain stops too.
          for (const doing of actions) {
            if (doing.kind !== "wait") continue;
            chain.runTo(chain.height + 3);
            chain.wait(BigInt(doing.days) * DAY);
          }
          const events = chain.next({
            begin: (ctx) => {
              for (const doing of actions) {
                if ("ago" in doing) commit(chain, ctx, doing);
              }
            },
            txs: (ctx) => {
              for (const doing of actions) act(chain, ctx, doing);
            },
          });
          check(chain, supply, burnedIn(events));
        }
      },
    ),
    { numRuns: propertyRuns(60) },
  );
});
