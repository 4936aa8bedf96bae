import { expect, test } from "vitest";
import { accAddress } from "../../../base/bech32.ts";
import { packInit } from "../../../engine/framework/codec.ts";
import { accountOf } from "../../../engine/simulation/genesis/world-spec.ts";
import { Simulation } from "../../../engine/simulation/simulation.ts";
import { runTo, softwareUpgrade, worldSpec } from "../../../engine/simulation/testing.ts";
import { VoteOption } from "../../../gen/chain/gov/v1/gov_pb.ts";
import { MsgSubmitProposalSchema, MsgVoteSchema } from "../../../gen/chain/gov/v1/tx_pb.ts";
import { TEXTS } from "../texts.ts";
import { FrameBuilder } from "./frame.ts";
import { Observer } from "./observer.ts";

/**
 * Four validators of equal stake, one removed from the set for a double sign; the others cast the
 * given votes.
 */
function voted(...options: VoteOption[]): Simulation {
  const sim = Simulation.create(worldSpec());
  runTo(sim, 3);
  sim.apply({ type: "misbehavior", kind: 1, validator: "val-3", height: 2 });
  runTo(sim, 4);
  const proposal = packInit(MsgSubmitProposalSchema, {
    messages: [softwareUpgrade(sim, "v2", 60)],
    initialDeposit: [{ denom: "stake", amount: "10000000" }],
    proposer: accAddress(accountOf("val-0")),
    title: "a proposal",
    summary: "a proposal",
  });
  sim.apply({ type: "tx", signer: "val-0", messages: [proposal] });
  for (const [i, option] of options.entries()) {
    const voter = accAddress(accountOf(`val-${i}`));
    const vote = packInit(MsgVoteSchema, { proposalId: 1n, voter, option });
    sim.apply({ type: "tx", signer: `val-${i}`, messages: [vote] });
  }
  return sim;
}

const tallyOf = (sim: Simulation) =>
  new FrameBuilder(sim, new Observer(sim, TEXTS), TEXTS).build({}).proposals[0]?.tally;

test("turnout is of what is bonded, during the vote and after it; who was tombstoned counts for nothing", () => {
  const sim = voted(VoteOption.YES, VoteOption.YES, VoteOption.YES);
  runTo(sim, 6);
  const during = tallyOf(sim);
  expect(during).toMatchObject({ bonded: "300000000", turnout: 1, yes: 1, veto: 0 });
  runTo(sim, 30);
  expect(tallyOf(sim)).toEqual(during);
});

test("what is bonded later does not change a vote that was counted", () => {
  const sim = voted(VoteOption.YES, VoteOption.YES, VoteOption.YES);
  runTo(sim, 30);
  sim.apply({ type: "misbehavior", kind: 1, validator: "val-2", height: 2 });
  runTo(sim, 32);
  expect(tallyOf(sim)).toMatchObject({ bonded: "300000000", turnout: 1 });
});

test("abstentions count for the turnout and the veto, not for the yes", () => {
  const sim = voted(VoteOption.YES, VoteOption.ABSTAIN);
  runTo(sim, 6);
  const tally = tallyOf(sim);
  expect(tally?.turnout).toBeCloseTo(2 / 3);
  expect(tally).toMatchObject({ yes: 1, threshold: 0.5, quorum: 0.334, vetoThreshold: 0.334 });
});
