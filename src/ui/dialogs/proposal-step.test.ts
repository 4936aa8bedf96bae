import { expect, test } from "vitest";
import { depositStep, unjailStep, voteStep, weightedVoteStep } from "./proposal-step.ts";

test("a vote of all and of one is the verb vote", () => {
  expect(voteStep(3, "yes", "all")).toEqual({ vote: { proposal: 3, option: "yes", by: "all" } });
  expect(voteStep(3, "no", "val-1")).toEqual({
    vote: { proposal: 3, option: "no", by: ["val-1"] },
  });
});

test("a split vote gives the shares that were typed as decimals, and leaves others for the chain to refuse", () => {
  const shares = { yes: "70", no: "29.5", no_with_veto: "", abstain: "half" };
  expect(weightedVoteStep(3, shares, "val-1")).toEqual({
    tx: {
      from: "val-1",
      msgs: [
        {
          "@type": "/chain.gov.v1.MsgVoteWeighted",
          proposal_id: "3",
          voter: "$" + "{val-1}",
          options: [
            { option: "VOTE_OPTION_YES", weight: "0.7" },
            { option: "VOTE_OPTION_NO", weight: "0.295" },
            { option: "VOTE_OPTION_ABSTAIN", weight: "half" },
          ],
        },
      ],
    },
  });
});

test("messages name accounts and operators by reference", () => {
  expect(depositStep(3, "10", "stake", "alice")).toMatchObject({
    tx: { msgs: [{ depositor: "$" + "{alice}", amount: [{ denom: "stake", amount: "10" }] }] },
  });
  expect(unjailStep("val-1")).toMatchObject({
    tx: { from: "val-1", msgs: [{ validator_addr: "$" + "{val-1.valoper}" }] },
  });
});
