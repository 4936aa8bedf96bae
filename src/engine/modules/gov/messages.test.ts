import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { AnySchema } from "@bufbuild/protobuf/wkt";
import { describe, expect, test } from "vitest";
import { fromAccAddress, valAddress } from "../../../base/bech32.ts";
import {
  MsgCancelProposalSchema,
  MsgDepositSchema,
  MsgExecLegacyContentSchema,
  type MsgSubmitProposalSchema,
  MsgUpdateParamsSchema,
  MsgVoteSchema,
} from "../../../gen/chain/gov/v1/tx_pb.ts";
import { packInit } from "../../framework/codec.ts";
import { refusalOf } from "../../framework/testing.ts";
import { defaultParams } from "./params.ts";
import {
  AUTHORITY,
  account,
  cancelUpgrade,
  coins,
  type GovChain,
  govChain,
  stake,
  submit,
  upgradeTo,
} from "./testing.ts";
import { ProposalStatus, VoteOption } from "./types.ts";

type Submit = MessageInitShape<typeof MsgSubmitProposalSchema>;

const legacy = (typeUrl: string, authority = AUTHORITY) =>
  packInit(MsgExecLegacyContentSchema, { authority, content: { typeUrl } });
const unauthorized = cancelUpgrade(account("mallory"));

describe("MsgSubmitProposal, order of checks (rules/gov 2.1)", () => {
  test.each([
    [{ title: "", summary: "" }, "sdk/18 proposal title cannot be empty: invalid request"],
    [{ summary: "", proposer: "" }, "sdk/18 proposal summary cannot be empty: invalid request"],
    [
      { proposer: "", messages: [] },
      "sdk/7 invalid proposer address: empty address string is not allowed: invalid address",
    ],
    [
      { messages: [] },
      "gov/11 either metadata or Msgs length must be non-nil: no messages proposed",
    ],
    [
      { metadata: '{"title":"x"}', initialDeposit: coins(0) },
      "gov/5 metadata title 'x' must equal proposal title 'Upgrade to v2': invalid proposal content",
    ],
    [
      { metadata: '{"title":"Upgrade to v2","summary":"y"}' },
      "gov/5 metadata summary 'y' must equal proposal summary 'New things': invalid proposal content",
    ],
    [{ initialDeposit: coins(0) }, "sdk/10 0stake: invalid coins"],
    [
      { initialDeposit: coins(5, "atom"), metadata: "x".repeat(256) },
      "gov/23 deposited 5atom, but gov accepts only the following denom(s): [stake]: invalid deposit denom",
    ],
    [
      { metadata: "x".repeat(256), messages: [unauthorized] },
      "gov/15 got metadata with length 256: metadata too long",
    ],
    [{ summary: "x".repeat(10_201) }, "gov/22 got summary with length 10201: summary too long"],
    [{ title: "ä".repeat(128) }, "gov/15 got metadata with length 256: metadata too long"],
    [
      { messages: [{ ...upgradeTo("v2"), value: Uint8Array.of(0x0a) }] },
      "gov/12 unexpected EOF: invalid proposal message",
    ],
    [
      { messages: [unauthorized] },
      `gov/13 ${account("mallory")}: expected gov account as only signer for proposal message`,
    ],
    [
      { messages: [cancelUpgrade("governance")] },
      "undefined/1 decoding bech32 failed: invalid separator index -1",
    ],
    [{ messages: [cancelUpgrade("")] }, "undefined/1 empty address string is not allowed"],
    [
      { messages: [legacy("/cosmos.params.v1beta1.ParameterChangeProposal")] },
      "gov/9 params: no handler exists for proposal type",
    ],
    [
      { messages: [legacy("/x.Y")] },
      "gov/5 expected a proposal's content, got /x.Y: invalid proposal content: invalid proposal content",
    ],
    [
      { messages: [legacy("/x.Y", account("mallory"))] },
      `gov/13 ${account("mallory")}: expected gov account as only signer for proposal message`,
    ],
    [
      { messages: [create(AnySchema, { typeUrl: "/x.Y" })] },
      "gov/10 /x.Y: proposal message not recognized by router",
    ],
    [
      { initialDeposit: coins(99_999) },
      "gov/16 received 99999stake but need at least one of the following: 100000stake: minimum deposit is too small",
    ],
    [
      { initialDeposit: coins(0).slice(1) },
      "gov/16 received  but need at least one of the following: 100000stake: minimum deposit is too small",
    ],
    [{ initialDeposit: coins(100_000_001) }, "sdk/5 100000001stake: insufficient funds"],
  ] as [Submit, string][])("%# is refused", (init, text) => {
    const g = govChain();
    expect(refusalOf(() => submit(g, init))).toBe(text);
  });

  test("a minimum initial deposit is rounded and must be met", () => {
    const g = govChain({ minInitialDepositRatio: "0.25" });
    expect(refusalOf(() => submit(g, { initialDeposit: coins(2_499_999) }))).toBe(
      "gov/16 was (2499999stake), need (2500000stake): minimum deposit is too small",
    );
    expect(
      refusalOf(() => submit(g, { initialDeposit: coins(12_499_999), expedited: true })),
    ).toContain("need (12500000stake)");
  });

  test.each(["0.000000000000000001", "0.00000001"])(
    "without any coins no minimum is met, also one that rounds to 0 at a ratio of %s",
    (minInitialDepositRatio) => {
      const g = govChain({ minInitialDepositRatio, minDepositRatio: "0" });
      expect(refusalOf(() => submit(g, { initialDeposit: [] }))).toBe(
        "gov/16 was (), need (0stake): minimum deposit is too small",
      );
      expect(() => submit(g, { initialDeposit: coins(1) })).not.toThrow();
    },
  );

  test("without any coins where none are asked for, nothing is paid, and paid back: both are done", () => {
    const g = govChain({ minDepositRatio: "0" });
    submit(g, { initialDeposit: [] });
    expect(g.bank.calls).toEqual(["pay "]);
    g.module.endBlock?.(g.chain.block(8));
    expect(g.bank.calls).toEqual(["pay ", "refund "]);
    const burning = govChain({ minDepositRatio: "0", burnProposalDepositPrevote: true });
    submit(burning, { initialDeposit: [] });
    burning.module.endBlock?.(burning.chain.block(8));
    expect(burning.bank.calls).toEqual(["pay ", "burn "]);
    const cancelled = govChain({ minDepositRatio: "0" });
    submit(cancelled, { initialDeposit: [] });
    cancelled.send(cancelled.chain.block(2), MsgCancelProposalSchema, {
      proposalId: 1n,
      proposer: account("alice"),
    });
    expect(cancelled.bank.calls).toEqual(["pay "]);
  });

  test.each([
    ["its own", AUTHORITY],
    ["another account's", account("mallory")],
  ])("an operator's address with %s bytes is no authority", (_, text) => {
    const operator = valAddress(fromAccAddress(text));
    expect(refusalOf(() => submit(govChain(), { messages: [cancelUpgrade(operator)] }))).toBe(
      "sdk/35 hrp does not match bech32 prefix: expected 'chain' got 'chainvaloper': internal logic error",
    );
  });

  test("governance may sign in upper case, and what it signs for is named in lower case", () => {
    expect(() =>
      submit(govChain(), { messages: [cancelUpgrade(AUTHORITY.toUpperCase())] }),
    ).not.toThrow();
    expect(
      refusalOf(() =>
        submit(govChain(), { messages: [cancelUpgrade(account("mallory").toUpperCase())] }),
      ),
    ).toContain(`gov/13 ${account("mallory")}: expected`);
  });

  test.each(["not JSON", '"text"', "3", "[1]", '{"title":3}'])(
    "metadata %s is no matter",
    (metadata) => {
      expect(() => submit(govChain(), { metadata })).not.toThrow();
    },
  );

  test("nothing is asked about the plan: an empty name and height 0 can be voted on", () => {
    expect(() => submit(govChain(), { messages: [upgradeTo("")] })).not.toThrow();
  });

  test("with enough deposit voting starts at once; events in order", () => {
    const g = govChain();
    expect(submit(g, { messages: [upgradeTo("v2"), cancelUpgrade()] })).toMatchObject({
      proposalId: 1n,
    });
    expect(g.chain.takeEvents()).toEqual([
      `submit_proposal{proposal_id=1, proposal_proposer=${account("alice")}, proposal_messages=,/chain.upgrade.v1beta1.MsgSoftwareUpgrade,/chain.upgrade.v1beta1.MsgCancelUpgrade}`,
      `proposal_deposit{depositor=${account("alice")}, amount=10000000stake, proposal_id=1}`,
      "submit_proposal{voting_period_start=1}",
    ]);
    expect(g.keeper.getProposal(g.chain.block(2), 1n)).toMatchObject({
      status: ProposalStatus.VOTING_PERIOD,
      totalDeposit: [{ amount: "10000000" }],
    });
    expect(submit(g)).toMatchObject({ proposalId: 2n });
  });
});

describe("MsgDeposit (rules/gov 3.1)", () => {
  const deposit = (g: GovChain, amount = coins(9_900_000), proposalId = 1n): unknown =>
    g.send(g.chain.block(2), MsgDepositSchema, { proposalId, depositor: account("bob"), amount });

  test("what is missing starts the voting; more is welcome during it", () => {
    const g = govChain();
    submit(g, { initialDeposit: coins(100_000) });
    g.chain.takeEvents();
    deposit(g);
    expect(g.chain.takeEvents()).toEqual([
      `proposal_deposit{depositor=${account("bob")}, amount=9900000stake, proposal_id=1}`,
      "proposal_deposit{voting_period_start=1}",
    ]);
    deposit(g, coins(100_000));
    expect(g.chain.takeEvents()).toHaveLength(1);
    expect(g.bank.pool).toBe("10100000stake");
    const ctx = g.chain.block(3);
    expect(g.keeper.deposits(ctx, 1n)).toHaveLength(2);
    expect(
      g.keeper
        .deposits(ctx, 1n)
        .map((d) => d.amount[0]?.amount)
        .sort(),
    ).toEqual(["100000", "10000000"]);
  });

  test("refusals", () => {
    const g = govChain();
    expect(refusalOf(() => deposit(g))).toBe(
      "undefined/1 collections: not found: key '1' of type github.com/cosmos/gogoproto/cosmos.gov.v1.Proposal",
    );
    submit(g);
    expect(refusalOf(() => deposit(g, []))).toBe("sdk/10 : invalid coins");
    expect(refusalOf(() => deposit(g, coins(99_999)))).toContain("gov/16 received 99999stake");
    g.module.endBlock?.(g.chain.block(13));
    expect(refusalOf(() => deposit(g))).toBe("gov/3 1: inactive proposal");
  });
});

describe("MsgCancelProposal (rules/gov 5.1)", () => {
  const cancel = (g: GovChain, proposer = account("alice"), height = 3): unknown =>
    g.send(g.chain.block(height), MsgCancelProposalSchema, { proposalId: 1n, proposer });

  test("half of every deposit is burned, proposal and votes are gone", () => {
    const g = govChain();
    submit(g, { initialDeposit: coins(100_001) });
    g.send(g.chain.block(2), MsgDepositSchema, {
      proposalId: 1n,
      depositor: account("bob"),
      amount: coins(10_000_001),
    });
    g.send(g.chain.block(2), MsgVoteSchema, {
      proposalId: 1n,
      voter: account("bob"),
      option: VoteOption.YES,
    });
    g.chain.takeEvents();
    expect(cancel(g)).toMatchObject({ proposalId: 1n, canceledHeight: 3n });
    expect(g.chain.takeEvents()).toEqual([
      `cancel_proposal{sender=${account("alice")}, proposal_id=1}`,
    ]);
    expect(g.bank.burned).toEqual(stake(50_000 + 5_000_000));
    expect([g.bank.of("alice"), g.bank.of("bob"), g.bank.pool]).toEqual([
      "99950000stake",
      "95000000stake",
      "",
    ]);
    const ctx = g.chain.block(3);
    expect(g.keeper.allProposals(ctx)).toEqual([]);
    expect(g.keeper.votes(ctx)).toEqual([]);
    g.module.endBlock?.(g.chain.block(30));
    expect(g.chain.takeEvents()).toEqual([]);
  });

  test("the charge can go to an account instead", () => {
    const g = govChain({ proposalCancelDest: account("carol") });
    submit(g);
    cancel(g);
    expect(g.bank.of("carol")).toBe("5000000stake");
    expect(g.bank.burned).toEqual([]);
  });

  test("refusals", () => {
    const g = govChain();
    submit(g);
    expect(refusalOf(() => cancel(g, account("bob")))).toBe(
      `gov/18 invalid proposer ${account("bob")}: invalid proposer`,
    );
    expect(refusalOf(() => cancel(g, account("alice"), 14))).toBe(
      "gov/20 voting period is already ended for this proposal 1: voting period already ended",
    );
    g.module.endBlock?.(g.chain.block(13));
    expect(refusalOf(() => cancel(g))).toBe(
      "gov/21 proposal should be in the deposit or voting period: invalid proposal",
    );
    const ctx = g.chain.block(14);
    g.keeper.setProposal(ctx, { ...g.keeper.getProposal(ctx, 1n), proposer: "" });
    expect(refusalOf(() => cancel(g))).toBe(
      `gov/21 proposal 1 doesn't have proposer ${account("alice")}, so cannot be canceled: invalid proposal`,
    );
  });
});

describe("MsgUpdateParams", () => {
  test("is the authority's alone", () => {
    const g = govChain();
    const update = (authority: string): unknown =>
      g.send(g.chain.block(2), MsgUpdateParamsSchema, {
        authority,
        params: { ...defaultParams(), quorum: "0.4" },
      });
    expect(refusalOf(() => update(account("bob")))).toBe(
      `gov/13 invalid authority; expected ${AUTHORITY}, got ${account("bob")}: expected gov account as only signer for proposal message`,
    );
    update(AUTHORITY);
    expect(g.keeper.getParams(g.chain.block(3)).quorum).toBe("0.4");
  });
});
