import { describe, expect, test } from "vitest";
import {
  MsgDepositSchema,
  MsgSubmitProposalSchema,
  MsgVoteSchema,
} from "../../../gen/chain/gov/v1/tx_pb.ts";
import { inCosmos } from "../../framework/codec.ts";
import { timeAt } from "../../framework/testing.ts";
import {
  account,
  cancelUpgrade,
  type GovChain,
  govChain,
  proposal,
  runToTally,
  submit,
  upgradeTo,
} from "./testing.ts";
import { ProposalStatus, timeOf, VoteOption } from "./types.ts";

const URL = "/chain.upgrade.v1beta1.MsgSoftwareUpgrade";

function voters(params = {}): GovChain {
  const g = govChain(params);
  g.staking.validator("val-0", 100);
  return g;
}

const YES = { "val-0": VoteOption.YES };
const NO = { "val-0": VoteOption.NO };

describe("active queue (rules/gov 7.2)", () => {
  test("passes: messages run, deposit back, events in order", () => {
    const g = voters();
    const end = runToTally(g, YES);
    expect(end).toMatchObject({ status: ProposalStatus.PASSED, failedReason: "" });
    expect(g.chain.takeEvents()).toEqual([
      "planned{name=v2}",
      "active_proposal{proposal_id=1, proposal_result=proposal_passed, proposal_log=passed}",
    ]);
    expect(g.bank.of("alice")).toBe("100000000stake");
    expect(g.chain.dump("upgrade")).toEqual({ "00": "00" });
    const ctx = g.chain.block(14);
    expect(g.keeper.votes(ctx)).toEqual([]);
    expect(g.keeper.deposits(ctx)).toEqual([]);
    expect(g.keeper.inVotingPeriod(ctx, 1n)).toBe(false);
    g.module.endBlock?.(ctx);
    expect(g.chain.takeEvents()).toEqual([]);
  });

  test("a vote in the very block whose end counts the votes is counted; one block later it is refused", () => {
    const g = voters();
    submit(g);
    const last = g.chain.block(13);
    const vote = { proposalId: 1n, voter: account("val-0"), option: VoteOption.YES };
    g.send(last, MsgVoteSchema, vote);
    g.module.endBlock?.(last);
    expect(g.keeper.findProposal(last, 1n)?.status).toBe(ProposalStatus.PASSED);
    expect(() => g.send(g.chain.block(14), MsgVoteSchema, vote)).toThrow("1: inactive proposal");
  });

  test("nothing happens before the voting ends", () => {
    const g = voters();
    expect(runToTally(g, YES, {}, 12)?.status).toBe(ProposalStatus.VOTING_PERIOD);
  });

  test.each([
    ["an error", "error", "it does not work"],
    [
      "a panic",
      "panic",
      `handling x/gov proposal msg [authority:"chain10d07y265gmmuvt4z0w9aw880jnsr700j0q8wax" plan:<name:"panic" height:50 > ] PANICKED: boom`,
    ],
  ])(
    "%s in a message: FAILED, nothing of any message stays, deposit back",
    (_what, name, reason) => {
      const g = voters();
      const end = runToTally(g, YES, { messages: [upgradeTo("v2"), upgradeTo(name)] });
      expect(end).toMatchObject({ status: ProposalStatus.FAILED, failedReason: reason });
      expect(g.chain.takeEvents()).toEqual([
        `active_proposal{proposal_id=1, proposal_result=proposal_failed, proposal_log=passed, but msg 1 (${URL}) failed on execution: ${reason}}`,
      ]);
      expect(g.chain.dump("upgrade")).toEqual({});
      expect(g.bank.of("alice")).toBe("100000000stake");
    },
  );

  test("fails: REJECTED, messages do not run", () => {
    const g = voters();
    const end = runToTally(g, NO);
    expect(end).toMatchObject({
      status: ProposalStatus.REJECTED,
      failedReason: "proposal did not get enough votes to pass",
      finalTallyResult: { yesCount: "0", noCount: "100" },
    });
    expect(g.chain.takeEvents()).toEqual([
      "active_proposal{proposal_id=1, proposal_result=proposal_rejected, proposal_log=rejected}",
    ]);
    expect(g.chain.dump("upgrade")).toEqual({});
  });

  test("expedited fails: becomes a regular one, without its votes, deposit kept even on a veto", () => {
    const g = voters();
    const end = runToTally(g, { "val-0": VoteOption.NO_WITH_VETO }, { expedited: true }, 5);
    expect(end).toMatchObject({ status: ProposalStatus.VOTING_PERIOD, expedited: false });
    expect(timeOf(end?.votingEndTime)).toBe(timeAt(13));
    expect(g.chain.takeEvents()).toEqual([
      "active_proposal{proposal_id=1, proposal_result=expedited_proposal_rejected, proposal_log=expedited proposal converted to regular}",
    ]);
    expect(g.keeper.votes(g.chain.block(5))).toEqual([]);
    expect(g.bank.pool).toBe("50000000stake");
    expect(g.bank.burned).toEqual([]);

    g.send(g.chain.block(6), MsgVoteSchema, {
      proposalId: 1n,
      voter: account("val-0"),
      option: VoteOption.YES,
    });
    g.module.endBlock?.(g.chain.block(13));
    expect(g.keeper.getProposal(g.chain.block(13), 1n).status).toBe(ProposalStatus.PASSED);
    expect(g.bank.pool).toBe("");
  });

  test("the log of a failed one names its message as it was sent; the state has one name", () => {
    const g = voters();
    const sent = { ...upgradeTo("error"), typeUrl: inCosmos(URL) };
    const end = runToTally(g, YES, { messages: [upgradeTo("v2"), sent] });
    expect(end?.messages[1]?.typeUrl).toBe(URL);
    expect(g.chain.takeEvents().join()).toContain(`msg 1 (${inCosmos(URL)}) failed on execution`);
  });

  test("several in one block, in order of (end of voting, id)", () => {
    const g = voters();
    const messages = [cancelUpgrade()];
    g.send(g.chain.block(2), MsgSubmitProposalSchema, proposal({ messages }));
    g.send(g.chain.block(1), MsgSubmitProposalSchema, proposal({ messages }));
    g.send(g.chain.block(1), MsgSubmitProposalSchema, proposal({ messages }));
    g.chain.takeEvents();
    g.module.endBlock?.(g.chain.block(20));
    expect(g.chain.takeEvents().map((e) => /proposal_id=(\d)/.exec(e)?.[1])).toEqual([
      "2",
      "3",
      "1",
    ]);
  });

  test("a message that this binary no longer knows: FAILED, deposit back, no log attribute", () => {
    const g = voters();
    g.send(g.chain.block(1), MsgSubmitProposalSchema, proposal());
    const ctx = g.chain.block(2);
    const stored = g.keeper.getProposal(ctx, 1n);
    const gone = { ...upgradeTo("v2"), typeUrl: "/chain.oracle.v1.MsgFeed" };
    g.keeper.setProposal(ctx, { ...stored, messages: [gone] });
    g.chain.takeEvents();
    g.module.endBlock?.(g.chain.block(13));
    expect(g.keeper.getProposal(ctx, 1n)).toMatchObject({
      status: ProposalStatus.FAILED,
      failedReason:
        "proposal failed because it cannot be processed by gov: no concrete type registered for type URL /chain.oracle.v1.MsgFeed against interface *types.Msg",
    });
    expect(g.chain.takeEvents()).toEqual([
      "active_proposal{proposal_id=1, proposal_result=proposal_failed}",
    ]);
    expect(g.bank.of("alice")).toBe("100000000stake");
  });
});

describe("inactive queue (rules/gov 7.1)", () => {
  const little = { initialDeposit: [{ denom: "stake", amount: "100000" }] };

  test.each([
    [false, "100000000stake", 0],
    [true, "99900000stake", 1],
  ])(
    "a proposal short of deposit is dropped at the end of its period; burned: %s",
    (burn, left, burned) => {
      const g = voters({ burnProposalDepositPrevote: burn });
      g.send(g.chain.block(1), MsgSubmitProposalSchema, proposal(little as typeof little & object));
      g.chain.takeEvents();
      g.module.endBlock?.(g.chain.block(6));
      expect(g.chain.takeEvents()).toEqual([]);
      g.module.endBlock?.(g.chain.block(7));
      expect(g.chain.takeEvents()).toEqual([
        "inactive_proposal{proposal_id=1, proposal_result=proposal_dropped}",
      ]);
      expect(g.keeper.findProposal(g.chain.block(7), 1n)).toBeUndefined();
      expect(g.bank.of("alice")).toBe(left);
      expect(g.bank.burned).toHaveLength(burned);
    },
  );

  test("a deposit in time takes it out of the queue", () => {
    const g = voters();
    g.send(g.chain.block(1), MsgSubmitProposalSchema, proposal(little as typeof little & object));
    g.send(g.chain.block(6), MsgDepositSchema, {
      proposalId: 1n,
      depositor: account("bob"),
      amount: [{ denom: "stake", amount: "9900000" }],
    });
    g.module.endBlock?.(g.chain.block(7));
    const ctx = g.chain.block(7);
    expect(g.keeper.getProposal(ctx, 1n).status).toBe(ProposalStatus.VOTING_PERIOD);
    expect(timeOf(g.keeper.getProposal(ctx, 1n).votingEndTime)).toBe(timeAt(18));
  });
});

test("a quiet block writes nothing", () => {
  const g = govChain();
  const hash = g.chain.commit();
  g.module.endBlock?.(g.chain.block(100));
  expect(g.chain.commit()).toBe(hash);
});
