import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decFromString } from "../../../base/dec.ts";
import { propertyRuns } from "../../../base/property.testing.ts";
import { MsgSubmitProposalSchema, MsgVoteWeightedSchema } from "../../../gen/chain/gov/v1/tx_pb.ts";
import { GOV_TEXTS } from "./step-texts.ts";
import { tally } from "./tally.ts";
import { account, govChain, proposal, runToTally } from "./testing.ts";
import { ProposalStatus, VoteOption } from "./types.ts";

const { YES, NO, ABSTAIN, NO_WITH_VETO } = VoteOption;
const { PASSED, REJECTED } = ProposalStatus;

/** Validators a, b, … with these powers vote; the last ones without an option do not. */
function outcome(powers: number[], options: VoteOption[], params = {}, expedited = false) {
  const g = govChain(params);
  const names = powers.map((_, i) => `val-${i}`);
  for (const [i, name] of names.entries()) {
    g.staking.validator(name, powers[i] ?? 0);
    g.staking.delegate(name, name, powers[i] ?? 0);
  }
  const votes = Object.fromEntries(options.map((option, i) => [names[i], option]));
  const end = runToTally(g, votes, { expedited }, expedited ? 5 : 13);
  return {
    status: end?.status,
    result: end?.finalTallyResult,
    burned: g.bank.burned.length > 0,
    g,
  };
}

describe("decision order (rules/gov 6.2)", () => {
  test("1, nothing bonded: fails, deposit back", () => {
    const { status, burned } = outcome([], []);
    expect([status, burned]).toEqual([REJECTED, false]);
  });

  test.each([
    ["below", 333, REJECTED],
    ["exactly", 334, PASSED],
  ])("2, turnout %s the quorum", (_where, voting, expected) => {
    expect(outcome([voting, 1000 - voting], [YES]).status).toBe(expected);
  });

  test("2, burns the deposit only where params say so", () => {
    expect(outcome([1, 999], [YES]).burned).toBe(false);
    expect(outcome([1, 999], [YES], { burnVoteQuorum: true }).burned).toBe(true);
  });

  test("3, all abstain: fails, though the quorum is met", () => {
    const { status, result, burned } = outcome([1000], [ABSTAIN]);
    expect([status, burned, result?.abstainCount]).toEqual([REJECTED, false, "1000"]);
  });

  test.each([
    ["exactly", 334, PASSED, false],
    ["above", 335, REJECTED, true],
  ])("4, veto %s the threshold", (_where, veto, expected, burned) => {
    const end = outcome([veto, 1000 - veto], [NO_WITH_VETO, YES]);
    expect([end.status, end.burned]).toEqual([expected, burned]);
  });

  test("4, an abstention counts below the line of the veto", () => {
    expect(outcome([334, 1, 665], [NO_WITH_VETO, YES, ABSTAIN]).burned).toBe(false);
  });

  test.each([
    ["exactly half", 500, REJECTED],
    ["more than half", 501, PASSED],
  ])("5, yes is %s", (_where, yes, expected) => {
    const end = outcome([yes, 1000 - yes], [YES, NO]);
    expect([end.status, end.burned]).toEqual([expected, false]);
  });

  test("5, abstentions do not count for the threshold", () => {
    expect(outcome([2, 1, 997], [YES, NO, ABSTAIN]).status).toBe(PASSED);
  });

  test.each([
    ["exactly", 667, ProposalStatus.VOTING_PERIOD],
    ["above", 668, PASSED],
  ])("5, an expedited proposal %s its threshold", (_where, yes, expected) => {
    expect(outcome([yes, 1000 - yes], [YES, NO], {}, true).status).toBe(expected);
  });

  test("the steps show the arithmetic", () => {
    const { g } = outcome([600, 300, 100], [YES, NO]);
    expect(g.chain.takeSteps(GOV_TEXTS).filter((step) => /turnout|veto|yes/.test(step))).toEqual([
      "proposal 1: turnout: 900 of 1000 bonded: 0.9 ≥ quorum 0.334 [ok]",
      "proposal 1: veto: 0 ≤ veto threshold 0.334 [ok]",
      "proposal 1: yes: 0.666666666666666667 > threshold 0.5 [ok]",
    ]);
  });
});

describe("a vote without a decision is a step, and burns nothing", () => {
  const counted = (g: ReturnType<typeof govChain>) => {
    const ctx = g.chain.block(13);
    g.chain.trace.steps.length = 0;
    const { passes, burnDeposits } = tally(ctx, g.keeper, g.keeper.getProposal(ctx, 1n));
    const steps = g.chain.trace.steps.map(({ kind, outcome, data }) => [kind, outcome, data]);
    return { passes, burnDeposits, steps };
  };

  test("where nothing is bonded", () => {
    const { g } = outcome([], []);
    expect(counted(g)).toEqual({
      passes: false,
      burnDeposits: false,
      steps: [["nothing_bonded", "refused", { proposalId: 1n }]],
    });
  });

  test("where all that voted abstained", () => {
    const g = govChain();
    g.staking.validator("val-0", 1000);
    g.send(g.chain.block(1), MsgSubmitProposalSchema, proposal());
    g.send(g.chain.block(2), MsgVoteWeightedSchema, {
      proposalId: 1n,
      voter: account("val-0"),
      options: [{ option: ABSTAIN, weight: "1" }],
    });
    const { passes, burnDeposits, steps } = counted(g);
    expect([passes, burnDeposits]).toEqual([false, false]);
    expect(steps.map(([kind, result]) => [kind, result])).toEqual([
      ["turnout", "ok"],
      ["all_abstained", "refused"],
    ]);
    expect(steps[1]?.[2]).toEqual({ proposalId: 1n });
  });
});

describe("who speaks for whom", () => {
  test("a delegator's own vote is taken off its validator's; the validator's own bond counts once", () => {
    const g = govChain();
    g.staking.validator("val-0", 1000);
    g.staking.delegate("val-0", "val-0", 400);
    g.staking.delegate("alice", "val-0", 350);
    g.staking.delegate("bob", "val-0", 250);
    const end = runToTally(g, { "val-0": YES, alice: NO });
    expect(end?.finalTallyResult).toMatchObject({ yesCount: "650", noCount: "350" });
  });

  test("a delegator votes with what it holds even if its validator does not vote", () => {
    const g = govChain();
    g.staking.validator("val-0", 1000);
    g.staking.delegate("alice", "val-0", 350);
    expect(runToTally(g, { alice: NO })?.finalTallyResult?.noCount).toBe("350");
  });

  test("stake with validators that are not bonded does not count", () => {
    const g = govChain();
    g.staking.validator("val-0", 1000);
    g.staking.delegate("alice", "val-9", 350);
    expect(runToTally(g, { alice: NO })?.finalTallyResult?.noCount).toBe("0");
  });

  test("after a slash a share is worth less than a token", () => {
    const g = govChain();
    g.staking.validator("val-0", 950, 1000);
    g.staking.delegate("alice", "val-0", "333.333333333333333333");
    const end = runToTally(g, { "val-0": YES, alice: NO });
    expect(end?.finalTallyResult).toMatchObject({ yesCount: "633", noCount: "316" });
  });

  test("a bonded validator without shares is worth nothing, and breaks nothing", () => {
    const g = govChain();
    g.staking.validator("val-0", 0);
    g.staking.validator("val-1", 10);
    expect(runToTally(g, { "val-0": NO, "val-1": YES })?.status).toBe(PASSED);
  });

  test("a weighted vote is split", () => {
    const g = govChain();
    g.staking.validator("val-0", 1001);
    g.send(g.chain.block(1), MsgSubmitProposalSchema, proposal());
    const options = [
      { option: YES, weight: "0.7" },
      { option: NO, weight: "0.3" },
    ];
    g.send(g.chain.block(2), MsgVoteWeightedSchema, {
      proposalId: 1n,
      voter: account("val-0"),
      options,
    });
    const ctx = g.chain.block(3);
    const { result } = tally(ctx, g.keeper, g.keeper.getProposal(ctx, 1n));
    expect(result).toMatchObject({ yesCount: "700", noCount: "300" });
  });
});

test("the count never exceeds what is bonded, whatever the votes are", () => {
  const option = fc.constantFrom(YES, NO, ABSTAIN, NO_WITH_VETO);
  const validator = fc.record({
    tokens: fc.integer({ min: 1, max: 1_000_000 }),
    vote: fc.option(option, { nil: undefined }),
    delegations: fc.array(fc.option(option, { nil: undefined }), { maxLength: 4 }),
  });
  fc.assert(
    fc.property(fc.array(validator, { minLength: 1, maxLength: 5 }), (validators) => {
      const g = govChain();
      const votes: Record<string, VoteOption> = {};
      for (const [i, { tokens, vote, delegations }] of validators.entries()) {
        g.staking.validator(`val-${i}`, tokens, tokens * 3);
        if (vote !== undefined) votes[`val-${i}`] = vote;
        for (const [j, own] of delegations.entries()) {
          g.staking.delegate(`d-${i}-${j}`, `val-${i}`, Math.floor((tokens * 3) / 4));
          if (own !== undefined) votes[`d-${i}-${j}`] = own;
        }
      }
      const counted = runToTally(g, votes)?.finalTallyResult;
      const sum = [
        counted?.yesCount,
        counted?.noCount,
        counted?.abstainCount,
        counted?.noWithVetoCount,
      ].reduce((total, count) => total + decFromString(count ?? ""), 0n);
      expect(sum <= g.staking.bonded * 10n ** 18n).toBe(true);
    }),
    { numRuns: propertyRuns(40) },
  );
});
