import { describe, expect, test } from "vitest";
import { SECOND } from "../../../base/time.ts";
import type { Coin } from "../../framework/coins.ts";
import { refusalOf, testAddress, timeAt } from "../../framework/testing.ts";
import {
  addDeposit,
  chargeDeposits,
  checkDenoms,
  checkInitialDeposit,
  deleteAndBurnDeposits,
  refundAndDeleteDeposits,
} from "./deposits.ts";
import { defaultParams } from "./params.ts";
import { GOV_TEXTS } from "./step-texts.ts";
import { account, coins, type GovChain, govChain, stake, submit } from "./testing.ts";
import { coinMessages, type Params, ProposalStatus, timeOf } from "./types.ts";

const paramsOf = (init: Partial<Params>): Params => ({ ...defaultParams(), ...init });
const coin = (amount: number, denom: string): Coin => ({ amount: BigInt(amount), denom });

describe("the initial deposit", () => {
  const refused = (init: Partial<Params>, deposit: Coin[], expedited = false) =>
    refusalOf(() => checkInitialDeposit(paramsOf(init), deposit, expedited));

  test("may be nothing at a ratio of zero", () => {
    expect(() => checkInitialDeposit(paramsOf({}), [], false)).not.toThrow();
  });

  test.each([
    [10, 2],
    [14, 4],
    [11, 3],
  ])("of a minimum of %i at a quarter is %i, halves rounded to even", (minimum, need) => {
    const params = { minDeposit: coinMessages(stake(minimum)), minInitialDepositRatio: "0.25" };
    expect(() => checkInitialDeposit(paramsOf(params), stake(need), false)).not.toThrow();
    expect(refused(params, stake(need - 1))).toBe(
      `gov/16 was (${need - 1}stake), need (${need}stake): minimum deposit is too small`,
    );
  });

  test("must reach its part in every denom", () => {
    const minDeposit = coinMessages([coin(10, "atom"), coin(20, "stake")]);
    const params = { minDeposit, minInitialDepositRatio: "0.5" };
    const both = [coin(5, "atom"), coin(10, "stake")];
    expect(() => checkInitialDeposit(paramsOf(params), both, false)).not.toThrow();
    expect(refused(params, [coin(100, "atom"), coin(9, "stake")])).toContain(
      "was (100atom,9stake), need (5atom,10stake)",
    );
  });

  test("of an expedited proposal is measured by the expedited minimum", () => {
    const params = {
      minDeposit: coinMessages(stake(10)),
      expeditedMinDeposit: coinMessages(stake(30)),
      minInitialDepositRatio: "0.5",
    };
    expect(refused(params, stake(14), true)).toContain("need (15stake)");
    expect(() => checkInitialDeposit(paramsOf(params), stake(15), true)).not.toThrow();
    expect(() => checkInitialDeposit(paramsOf(params), stake(5), false)).not.toThrow();
  });
});

test("a deposit may hold the denoms of the minimum deposit and no other", () => {
  const params = paramsOf({ minDeposit: coinMessages([coin(1, "atom"), coin(1, "stake")]) });
  for (const deposit of [[], [coin(1, "atom")], [coin(1, "atom"), coin(1, "stake")]]) {
    expect(() => checkDenoms(params, deposit)).not.toThrow();
  }
  expect(refusalOf(() => checkDenoms(params, [coin(1, "atom"), coin(2, "gold")]))).toBe(
    "gov/23 deposited 1atom,2gold, but gov accepts only the following denom(s): [atom stake]: invalid deposit denom",
  );
});

describe("adding a deposit", () => {
  const SMALL = {
    minDeposit: coinMessages(stake(100)),
    expeditedMinDeposit: coinMessages(stake(500)),
    minDepositRatio: "0.1",
  };
  /**
   * A proposal of alice with a deposit of 10 (minimum: 100) or, if expedited, 50 (minimum: 500, and
   * at least 50 at once).
   */
  const proposed = (params: Partial<Params> = {}, expedited = false): GovChain => {
    const g = govChain({ ...SMALL, ...params });
    submit(g, { initialDeposit: coins(expedited ? 50 : 10), expedited });
    g.chain.takeEvents();
    g.chain.trace.steps.length = 0;
    return g;
  };
  const add = (g: GovChain, amount: Coin[], name = "bob", height = 2): boolean =>
    addDeposit(g.chain.block(height), g.keeper, 1n, testAddress(name), account(name), amount);
  const stored = (g: GovChain) => g.keeper.getProposal(g.chain.block(2), 1n);

  test("pays it into gov's account, adds it to the total and keeps who gave what", () => {
    const g = proposed();
    expect(add(g, stake(20))).toBe(false);
    expect(add(g, stake(30))).toBe(false);
    expect(g.bank.pool).toBe("60stake");
    expect(g.bank.of("bob")).toBe("99999950stake");
    expect(stored(g)).toMatchObject({
      status: ProposalStatus.DEPOSIT_PERIOD,
      totalDeposit: [{ denom: "stake", amount: "60" }],
    });
    const of = (name: string) =>
      g.keeper.getDeposit(g.chain.block(2), 1n, testAddress(name))?.amount;
    expect(of("bob")).toMatchObject([{ denom: "stake", amount: "50" }]);
    expect(of("alice")).toMatchObject([{ denom: "stake", amount: "10" }]);
    expect(g.chain.takeEvents()).toEqual([
      `proposal_deposit{depositor=${account("bob")}, amount=20stake, proposal_id=1}`,
      `proposal_deposit{depositor=${account("bob")}, amount=30stake, proposal_id=1}`,
    ]);
    expect(g.chain.takeSteps(GOV_TEXTS)).toEqual([
      "deposit of proposal 1: 30stake of 100stake [info]",
      "deposit of proposal 1: 60stake of 100stake [info]",
    ]);
  });

  test.each([
    [89, false],
    [90, true],
  ])("of %i to ten of a hundred starts the voting: %s", (amount, starts) => {
    const g = proposed();
    expect(add(g, stake(amount))).toBe(starts);
    expect(g.keeper.inVotingPeriod(g.chain.block(2), 1n)).toBe(starts);
  });

  test("starts the voting from that block on, in the one queue instead of the other", () => {
    const g = proposed();
    add(g, stake(90));
    const start = timeAt(2);
    const { votingStartTime, votingEndTime, totalDeposit } = stored(g);
    expect([timeOf(votingStartTime), timeOf(votingEndTime)]).toEqual([start, start + 60n * SECOND]);
    expect(totalDeposit).toMatchObject([{ denom: "stake", amount: "100" }]);
    const ctx = g.chain.block(2);
    expect(g.keeper.inactiveDue(ctx, timeAt(1_000))).toEqual([]);
    expect(g.keeper.activeDue(ctx, start + 60n * SECOND)).toEqual([1n]);
    expect(g.keeper.activeDue(ctx, start + 60n * SECOND - 1n)).toEqual([]);
    expect(g.chain.takeSteps(GOV_TEXTS)).toEqual([
      "deposit of proposal 1: 100stake of 100stake [ok]",
      "voting on proposal 1: begins, until 2026-01-01T00:01:05Z [ok]",
    ]);
  });

  test("to an expedited proposal starts its shorter voting at the greater minimum", () => {
    const g = proposed({}, true);
    expect(add(g, stake(449))).toBe(false);
    expect(add(g, stake(50))).toBe(true);
    expect(timeOf(stored(g).votingEndTime)).toBe(timeAt(2) + 20n * SECOND);
  });

  test("during the voting leaves its times as they are", () => {
    const g = proposed();
    add(g, stake(90));
    expect(add(g, stake(100), "alice", 4)).toBe(false);
    expect(timeOf(stored(g).votingStartTime)).toBe(timeAt(2));
    expect(stored(g).totalDeposit).toMatchObject([{ denom: "stake", amount: "200" }]);
    expect(g.keeper.activeDue(g.chain.block(4), timeAt(1_000))).toEqual([1n]);
  });

  test.each([
    ProposalStatus.PASSED,
    ProposalStatus.REJECTED,
    ProposalStatus.FAILED,
    ProposalStatus.UNSPECIFIED,
  ])("is refused in status %i, and nothing is paid", (status) => {
    const g = proposed();
    g.keeper.setProposal(g.chain.block(2), { ...stored(g), status });
    expect(refusalOf(() => add(g, stake(90)))).toBe("gov/3 1: inactive proposal");
    expect(g.bank.pool).toBe("10stake");
  });

  describe("must reach a part of the minimum at once, which keeps dust out", () => {
    const TWO = { minDeposit: coinMessages([coin(39, "atom"), coin(100, "stake")]) };
    const wealthy = (params: Partial<Params>): GovChain => {
      const g = proposed({ ...TWO, ...params });
      g.bank.give("bob", [coin(100, "atom"), coin(100, "stake")]);
      return g;
    };

    test.each([
      ["enough of the first denom", [coin(3, "atom")]],
      ["enough of the second", [coin(10, "stake")]],
      ["enough of one and dust of the other", [coin(1, "atom"), coin(10, "stake")]],
    ])("%s is accepted", (_what, amount) => {
      expect(() => add(wealthy({}), amount)).not.toThrow();
    });

    test.each([
      ["2atom", [coin(2, "atom")]],
      ["9stake", [coin(9, "stake")]],
      ["2atom,9stake", [coin(2, "atom"), coin(9, "stake")]],
    ])("%s is refused, the parts rounded down", (text, amount) => {
      const g = wealthy({});
      expect(refusalOf(() => add(g, amount))).toBe(
        `gov/16 received ${text} but need at least one of the following: 3atom,10stake: minimum deposit is too small`,
      );
      expect(g.bank.pool).toBe("10stake");
    });

    test("a part that rounds to zero asks for one at least of that denom", () => {
      const g = wealthy({ minDeposit: coinMessages([coin(9, "atom"), coin(100, "stake")]) });
      expect(refusalOf(() => add(g, [coin(9, "stake")]))).toContain(": 0atom,10stake: ");
      expect(() => add(g, [coin(1, "atom")])).not.toThrow();
    });

    test("and nothing is asked for at a ratio of zero", () => {
      const g = proposed({ minDepositRatio: "0" });
      expect(() => add(g, stake(1))).not.toThrow();
    });
  });
});

describe("at the end of a proposal", () => {
  /** Deposits of alice and bob on proposal 1, and one of alice on proposal 2 that must remain. */
  const deposited = (params: Partial<Params> = {}): GovChain => {
    const g = govChain({
      minDeposit: coinMessages([coin(1_000, "atom"), coin(1_000, "stake")]),
      minDepositRatio: "0",
      ...params,
    });
    for (const name of ["alice", "bob"]) g.bank.give(name, [coin(10, "atom"), coin(20, "stake")]);
    submit(g, { initialDeposit: [...coins(3, "atom"), ...coins(5)] });
    const ctx = g.chain.block(1);
    addDeposit(ctx, g.keeper, 1n, testAddress("bob"), account("bob"), stake(7));
    submit(g, { initialDeposit: coins(1) });
    g.chain.trace.steps.length = 0;
    g.bank.calls.length = 0;
    return g;
  };
  const left = (g: GovChain) => ({
    alice: g.bank.of("alice"),
    bob: g.bank.of("bob"),
    pool: g.bank.pool,
    deposits: g.keeper.deposits(g.chain.block(2)).map(({ proposalId }) => proposalId),
  });
  const charge = (ratio: string, params: Partial<Params> = {}): GovChain => {
    const g = deposited();
    const charged = paramsOf({ proposalCancelRatio: ratio, ...params });
    chargeDeposits(g.chain.block(2), g.keeper, 1n, charged);
    return g;
  };

  test("a refund gives all deposits back and forgets them", () => {
    const g = deposited();
    refundAndDeleteDeposits(g.chain.block(2), g.keeper, 1n);
    expect(left(g)).toEqual({
      alice: "10atom,19stake",
      bob: "10atom,20stake",
      pool: "1stake",
      deposits: [2n],
    });
    expect(g.chain.takeSteps(GOV_TEXTS)).toEqual(["deposits of proposal 1: refunded [ok]"]);
  });

  test("a burn takes all deposits in one sum and forgets them", () => {
    const g = deposited();
    deleteAndBurnDeposits(g.chain.block(2), g.keeper, 1n);
    expect(g.bank.calls).toEqual(["burn 3atom,12stake"]);
    expect(left(g)).toEqual({
      alice: "7atom,14stake",
      bob: "10atom,13stake",
      pool: "1stake",
      deposits: [2n],
    });
    expect(g.chain.takeSteps(GOV_TEXTS)).toEqual([
      "deposits of proposal 1: burned 3atom,12stake [ok]",
    ]);
  });

  test("a cancellation burns the ratio of each deposit, rounded down, and refunds the rest", () => {
    const g = charge("0.5");
    expect(g.bank.burned).toEqual([coin(1, "atom"), coin(2 + 3, "stake")]);
    expect(left(g)).toEqual({
      alice: "9atom,17stake",
      bob: "10atom,17stake",
      pool: "1stake",
      deposits: [2n],
    });
    expect(g.chain.takeSteps(GOV_TEXTS)).toEqual([
      "cancelling proposal 1: costs 1atom,5stake [ok]",
    ]);
  });

  test("a cancellation at a ratio of zero refunds everything and burns nothing", () => {
    const g = charge("0");
    expect(g.bank.calls.filter((call) => call.startsWith("burn"))).toEqual([]);
    expect(left(g)).toMatchObject({ alice: "10atom,19stake", bob: "10atom,20stake" });
    expect(g.chain.takeSteps(GOV_TEXTS)).toEqual([]);
  });

  test("a cancellation at a ratio of one refunds nothing", () => {
    const g = charge("1");
    expect(g.bank.calls).toEqual(["burn 3atom,12stake"]);
    expect(left(g).deposits).toEqual([2n]);
  });

  test("the charge goes to an account where params name one", () => {
    const g = charge("0.5", { proposalCancelDest: account("carol") });
    expect(g.bank.of("carol")).toBe("1atom,5stake");
    expect(g.bank.burned).toEqual([]);
  });
});
