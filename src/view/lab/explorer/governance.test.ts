import { expect, test } from "vitest";
import { accAddress, valAddress } from "../../../base/bech32.ts";
import { packInit } from "../../../engine/framework/codec.ts";
import { durationMessage } from "../../../engine/framework/time-messages.ts";
import { accountOf } from "../../../engine/simulation/genesis/world-spec.ts";
import { Simulation } from "../../../engine/simulation/simulation.ts";
import { runTo, softwareUpgrade, worldSpec } from "../../../engine/simulation/testing.ts";
import { VoteOption } from "../../../gen/chain/gov/v1/gov_pb.ts";
import {
  MsgCancelProposalSchema,
  MsgDepositSchema,
  MsgSubmitProposalSchema,
  MsgVoteSchema,
  MsgVoteWeightedSchema,
} from "../../../gen/chain/gov/v1/tx_pb.ts";
import { MsgDelegateSchema } from "../../../gen/chain/staking/v1beta1/tx_pb.ts";
import type { Ballots } from "../../../gen/lab/v1/lab_plain.ts";
import { lazyObserver } from "../frame/observed.ts";
import { WorldQueries } from "../world-queries.ts";

const SECOND = 1_000_000_000n;
const address = (name: string): string => accAddress(accountOf(name));
const stake = (amount: number) => [{ denom: "stake", amount: `${amount}` }];

/**
 * A chain with a voting period of one minute, half of that if expedited, and a deposit period of
 * one minute.
 */
function world() {
  const sim = Simulation.create(
    worldSpec({
      gov: {
        votingPeriod: durationMessage(60n * SECOND),
        expeditedVotingPeriod: durationMessage(30n * SECOND),
        maxDepositPeriod: durationMessage(60n * SECOND),
      },
    }),
  );
  const queries = new WorldQueries(sim, lazyObserver(sim));
  const send = (signer: string, ...messages: ReturnType<typeof packInit>[]) => {
    sim.apply({ type: "tx", signer, messages });
    runTo(sim, sim.height + 1);
  };
  return {
    sim,
    send,
    propose: (proposer: string, deposit: number, expedited = false) =>
      send(
        proposer,
        packInit(MsgSubmitProposalSchema, {
          messages: [softwareUpgrade(sim, "v2", 5000)],
          initialDeposit: stake(deposit),
          proposer: address(proposer),
          title: "Upgrade to v2",
          summary: "a proposal",
          expedited,
        }),
      ),
    vote: (name: string, option: VoteOption, proposalId = 1n) =>
      send(name, packInit(MsgVoteSchema, { proposalId, voter: address(name), option })),
    courses: () => queries.lab("getGovernance", {}).proposals,
    course: () => queries.lab("getGovernance", {}).proposals[0],
    ballots: (height = 0): Ballots => queries.lab("getBallots", { proposal: 1, height }),
  };
}

const { YES, NO, NO_WITH_VETO } = VoteOption;

test("a proposal waits for its deposit, is voted on, and ends in blocks that are known before", () => {
  const { sim, propose, send, course } = world();
  runTo(sim, 2);
  propose("val-0", 4_000_000);
  expect(course()).toMatchObject({
    proposer: address("val-0"),
    expedited: false,
    ended: 0,
    minimum: "10000000",
    periods: [{ kind: "deposit", from: 3, to: 15, over: false }],
    proposal: { status: "deposit", deposit: "4000000" },
  });
  expect(course()?.standing).toBeUndefined();
  runTo(sim, 4);
  const deposit = { proposalId: 1n, depositor: address("val-1"), amount: stake(6_000_000) };
  send("val-1", packInit(MsgDepositSchema, deposit));
  expect(course()?.periods).toMatchObject([
    { kind: "deposit", from: 3, to: 5, over: true },
    { kind: "voting", from: 5, to: 17, over: false },
  ]);
  expect(course()?.standing).toMatchObject({ outcome: "rejected", failedBy: "quorum" });
  runTo(sim, 20);
  expect(course()).toMatchObject({
    ended: 17,
    counts: [{ height: 17, outcome: "rejected", failedBy: "quorum" }],
    lost: "0",
  });
});

test("votes have the power of own and of inherited stake, also when they were counted and deleted", () => {
  const { sim, propose, send, vote, course, ballots } = world();
  const delegate = { delegatorAddress: address("val-3"), amount: stake(7_000_000)[0] };
  send(
    "val-3",
    packInit(MsgDelegateSchema, {
      ...delegate,
      validatorAddress: valAddress(accountOf("val-0")),
    }),
  );
  propose("val-0", 10_000_000);
  vote("val-0", YES);
  vote("val-1", NO);
  const options = [
    { option: YES, weight: "0.25" },
    { option: NO, weight: "0.75" },
  ];
  send(
    "val-2",
    packInit(MsgVoteWeightedSchema, { proposalId: 1n, voter: address("val-2"), options }),
  );
  const votes = [
    {
      voter: address("val-0"),
      ...{ yes: 1, no: 0, abstain: 0, veto: 0 },
      own: "100000000",
      inherited: "7000000",
    },
    {
      voter: address("val-1"),
      ...{ yes: 0, no: 1, abstain: 0, veto: 0 },
      own: "100000000",
      inherited: "0",
    },
    {
      voter: address("val-2"),
      ...{ yes: 0.25, no: 0.75, abstain: 0, veto: 0 },
      own: "100000000",
      inherited: "0",
    },
  ];
  const held = { depositor: address("val-0"), amount: "10000000", returned: "0", lost: "0" };
  expect(ballots()).toEqual({ deposits: [held], votes: expect.arrayContaining(votes) });
  expect(ballots().votes[0]).toEqual(votes[0]);
  // A vote in the block of the tally still counts.
  const end = course()?.periods.at(-1)?.to ?? 0;
  runTo(sim, end - 1);
  vote("val-3", NO);
  expect(course()).toMatchObject({ ended: end, counts: [{ failedBy: "threshold" }] });
  const after = ballots();
  expect(after.deposits).toEqual([{ ...held, returned: "10000000" }]);
  expect(after.votes[0]).toMatchObject({ voter: address("val-3"), own: "107000000" });
  expect(after.votes).toContainEqual({ ...votes[0], inherited: "0" });
});

test("a vetoed proposal loses its deposit", () => {
  const { sim, propose, vote, course, ballots } = world();
  propose("val-0", 10_000_000);
  for (const name of ["val-0", "val-1"]) vote(name, NO_WITH_VETO);
  for (const name of ["val-2", "val-3"]) vote(name, YES);
  expect(course()?.standing).toMatchObject({ outcome: "rejected", failedBy: "veto" });
  runTo(sim, 20);
  expect(course()).toMatchObject({
    lost: "10000000",
    counts: [{ failedBy: "veto", tally: { veto: 0.5, vetoThreshold: 0.334 } }],
  });
  expect(ballots().deposits).toMatchObject([{ returned: "0", lost: "10000000" }]);
});

test("an expedited proposal that fails has two counts, two voting periods, and the votes of both", () => {
  const { sim, propose, vote, course, ballots } = world();
  propose("val-0", 50_000_000, true);
  for (const name of ["val-0", "val-1"]) vote(name, YES);
  vote("val-2", NO);
  expect(course()?.standing).toMatchObject({ outcome: "converted", failedBy: "threshold" });
  runTo(sim, 9);
  vote("val-3", YES);
  expect(course()).toMatchObject({
    expedited: true,
    ended: 0,
    periods: [
      { kind: "expedited", from: 1, to: 7, over: true },
      { kind: "voting", from: 7, to: 13, over: false },
    ],
    counts: [{ height: 7, outcome: "converted", failedBy: "threshold" }],
  });
  expect(ballots().votes.map(({ voter }) => voter)).toEqual([address("val-3")]);
  expect(ballots(7).votes).toHaveLength(3);
  runTo(sim, 20);
  expect(course()?.counts.map(({ failedBy }) => failedBy)).toEqual(["threshold", "quorum"]);
  expect(ballots().votes.map(({ voter }) => voter)).toEqual([address("val-3")]);
});

test("proposals that are deleted stay known: withdrawn, and without their deposit", () => {
  const { sim, propose, send, courses, ballots } = world();
  propose("val-0", 10_000_000);
  propose("val-1", 1_000_000);
  send("val-0", packInit(MsgCancelProposalSchema, { proposalId: 1n, proposer: address("val-0") }));
  runTo(sim, 30);
  expect(courses()).toMatchObject([
    {
      proposal: { id: 2, status: "dropped", title: "Upgrade to v2", deposit: "1000000" },
      periods: [{ kind: "deposit", from: 2, to: 14, over: true }],
      ended: 14,
      lost: "0",
    },
    {
      proposal: { id: 1, status: "withdrawn", planName: "v2" },
      proposer: address("val-0"),
      periods: [{ kind: "voting", from: 1, to: 3, over: true }],
      ended: 3,
      lost: "5000000",
    },
  ]);
  expect(ballots().deposits).toEqual([
    { depositor: address("val-0"), amount: "10000000", returned: "5000000", lost: "5000000" },
  ]);
});

test("a proposal that there has never been has no ballots", () => {
  expect(() => world().ballots()).toThrow("there is no proposal 1");
});
