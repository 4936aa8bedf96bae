import { describe, expect, test } from "vitest";
import { MsgVoteSchema, MsgVoteWeightedSchema } from "../../../gen/chain/gov/v1/tx_pb.ts";
import { refusalOf } from "../../framework/testing.ts";
import { account, coins, type GovChain, govChain, submit } from "./testing.ts";
import { VoteOption } from "./types.ts";

describe("votes (rules/gov 4.1)", () => {
  const vote = (g: GovChain, option: VoteOption, proposalId = 1n): unknown =>
    g.send(g.chain.block(2), MsgVoteSchema, { proposalId, voter: account("bob"), option });
  const weighted = (g: GovChain, ...options: { option: VoteOption; weight: string }[]): unknown =>
    g.send(g.chain.block(2), MsgVoteWeightedSchema, {
      proposalId: 1n,
      voter: account("bob"),
      options,
    });
  const part = (weight: string, option = VoteOption.YES) => ({ option, weight });

  test("a vote replaces the one before; the event quotes Go's JSON", () => {
    const g = govChain();
    submit(g);
    g.chain.takeEvents();
    vote(g, VoteOption.YES);
    expect(g.chain.takeEvents()).toEqual([
      `proposal_vote{voter=${account("bob")}, option=[{"option":1,"weight":"1.000000000000000000"}], proposal_id=1}`,
    ]);
    weighted(g, part("0.4"), part("0.6", VoteOption.NO));
    expect(g.chain.takeEvents()[0]).toContain(
      'option=[{"option":1,"weight":"0.4"},{"option":3,"weight":"0.6"}]',
    );
    expect(g.keeper.votes(g.chain.block(2), 1n)).toHaveLength(1);
  });

  test("only during the voting period", () => {
    const g = govChain();
    expect(refusalOf(() => vote(g, VoteOption.YES))).toBe("gov/3 1: inactive proposal");
    submit(g, { initialDeposit: coins(100_000) });
    expect(refusalOf(() => vote(g, VoteOption.YES))).toBe("gov/3 1: inactive proposal");
  });

  test.each([
    [VoteOption.UNSPECIFIED, "VOTE_OPTION_UNSPECIFIED", 'weight:"1" '],
    [5 as VoteOption, "5", 'option:5 weight:"1" '],
    [-1 as VoteOption, "-1", 'option:-1 weight:"1" '],
  ])("option %i is none, whether the proposal is there or not", (option, name, text) => {
    const g = govChain();
    const refused = `gov/7 ${name}: invalid vote option`;
    expect(refusalOf(() => vote(g, option))).toBe(refused);
    submit(g);
    expect(refusalOf(() => vote(g, option))).toBe(refused);
    expect(refusalOf(() => weighted(g, part("1", option)))).toBe(
      `gov/7 ${text}: invalid vote option`,
    );
  });

  test.each([
    [[], "sdk/18 null: invalid request"],
    [[part("0")], 'gov/7 option:VOTE_OPTION_YES weight:"0" : invalid vote option'],
    [[part("1.1")], 'gov/7 option:VOTE_OPTION_YES weight:"1.1" : invalid vote option'],
    [[part("half")], 'gov/7 option:VOTE_OPTION_YES weight:"half" : invalid vote option'],
    [[part("0.5"), part("0.5")], "gov/7 duplicated vote option: invalid vote option"],
    [
      [part("0.6"), part("0.6", VoteOption.NO)],
      "gov/7 total weight overflow 1.00: invalid vote option",
    ],
    [
      [part("0.5"), part("0.4", VoteOption.NO)],
      "gov/7 total weight lower than 1.00: invalid vote option",
    ],
  ])("weights %# are refused", (options, text) => {
    const g = govChain();
    submit(g);
    expect(refusalOf(() => weighted(g, ...options))).toBe(text);
  });
});
