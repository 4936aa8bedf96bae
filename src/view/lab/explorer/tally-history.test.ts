import { describe, expect, test } from "vitest";
import { accAddress } from "../../../base/bech32.ts";
import { packInit } from "../../../engine/framework/codec.ts";
import { durationMessage } from "../../../engine/framework/time-messages.ts";
import { accountOf } from "../../../engine/simulation/genesis/world-spec.ts";
import { Simulation } from "../../../engine/simulation/simulation.ts";
import { runTo, softwareUpgrade, worldSpec } from "../../../engine/simulation/testing.ts";
import { VoteOption } from "../../../gen/chain/gov/v1/gov_pb.ts";
import { MsgSubmitProposalSchema, MsgVoteSchema } from "../../../gen/chain/gov/v1/tx_pb.ts";
import { lazyObserver } from "../frame/observed.ts";
import { WorldQueries } from "../world-queries.ts";

const MINUTE = 60_000_000_000n;

/** A proposal of block 3, with votes of validators in later blocks, one each. */
function voted(votingPeriod: bigint, votes: readonly (readonly [number, string, VoteOption])[]) {
  const sim = Simulation.create(
    worldSpec({ gov: { votingPeriod: durationMessage(votingPeriod) } }),
  );
  runTo(sim, 2);
  const proposal = packInit(MsgSubmitProposalSchema, {
    messages: [softwareUpgrade(sim, "v2", 5000)],
    initialDeposit: [{ denom: "stake", amount: "10000000" }],
    proposer: accAddress(accountOf("val-0")),
    title: "a proposal",
    summary: "a proposal",
  });
  sim.apply({ type: "tx", signer: "val-0", messages: [proposal] });
  for (const [height, name, option] of votes) {
    runTo(sim, height - 1);
    const voter = accAddress(accountOf(name));
    const vote = packInit(MsgVoteSchema, { proposalId: 1n, voter, option });
    sim.apply({ type: "tx", signer: name, messages: [vote] });
  }
  const history = () =>
    new WorldQueries(sim, lazyObserver(sim)).lab("getTallyHistory", { proposal: 1 });
  return { sim, history };
}

const { YES, NO } = VoteOption;

describe("the tally of a proposal over time", () => {
  test("has each vote at the block that carried it, and stays after the votes were counted", () => {
    const { sim, history } = voted(MINUTE, [
      [5, "val-0", YES],
      [7, "val-1", NO],
      [8, "val-1", YES],
    ]);
    runTo(sim, 8);
    const { first, last, points } = history();
    expect([first, last]).toEqual([3, 0]);
    expect(points.map(({ height, yes, no }) => [height, yes, no])).toEqual([
      [3, "0", "0"],
      [5, "100000000", "0"],
      [7, "100000000", "100000000"],
      [8, "200000000", "0"],
    ]);
    expect(points[0]?.bonded).toBe("400000000");
    runTo(sim, 60);
    expect(history()).toEqual({ first, last: 15, points });
  });

  test("is found in long voting too, at any height", () => {
    const { sim, history } = voted(60n * MINUTE, [
      [200, "val-0", YES],
      [333, "val-1", NO],
    ]);
    runTo(sim, 700);
    expect(history().points.map(({ height }) => height)).toEqual([3, 200, 333]);
  });

  test("is refused for a proposal that does not exist", () => {
    const sim = Simulation.create(worldSpec());
    runTo(sim, 2);
    const queries = new WorldQueries(sim, lazyObserver(sim));
    expect(() => queries.lab("getTallyHistory", { proposal: 1 })).toThrow("there is no proposal 1");
  });
});
