import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { accAddress } from "../../../base/bech32.ts";
import { decFromString, ONE } from "../../../base/dec.ts";
import { parseRfc3339 } from "../../../base/time.ts";
import {
  type WeightedVoteOption,
  WeightedVoteOptionSchema,
} from "../../../gen/chain/gov/v1/gov_pb.ts";
import { testAddress } from "../../framework/testing.ts";
import { textOfStep } from "../../framework/trace.ts";
import { GOV_TEXTS } from "./step-texts.ts";
import type { GovSteps } from "./steps.ts";

const proposalId = 7n;
const until = parseRfc3339("2026-01-02T00:00:00Z");
const coins = [{ denom: "stake", amount: 5n }];
const voter = testAddress("ann");
const third = decFromString("0.334");
const half = ONE / 2n;
const option = (option: number, weight: string): WeightedVoteOption =>
  create(WeightedVoteOptionSchema, { option, weight });
const whole = (number: number) => [option(number, "1.000000000000000000")];
const ann = accAddress(voter);

/** Expected texts of every kind, for each outcome. */
const SAID: {
  readonly [Kind in keyof GovSteps]: readonly (readonly [
    GovSteps[Kind],
    what: string,
    found: string,
  ])[];
} = {
  submitted: [
    [{ proposalId, until }, "proposal 7", "collects deposits until 2026-01-02T00:00:00Z"],
  ],
  cancelled: [[{ proposalId }, "proposal 7", "cancelled by its proposer"]],
  cancel_cost: [[{ proposalId, coins }, "cancelling proposal 7", "costs 5stake"]],
  deposit: [
    [
      { proposalId, total: coins, minimum: [{ denom: "stake", amount: 9n }] },
      "deposit of proposal 7",
      "5stake of 9stake",
    ],
  ],
  deposits_refunded: [[{ proposalId }, "deposits of proposal 7", "refunded"]],
  deposits_burned: [[{ proposalId, coins }, "deposits of proposal 7", "burned 5stake"]],
  voting: [[{ proposalId, until }, "voting on proposal 7", "begins, until 2026-01-02T00:00:00Z"]],
  vote: [
    [{ proposalId, voter, options: whole(1) }, "vote on proposal 7", `${ann} yes`],
    [{ proposalId, voter, options: whole(2) }, "vote on proposal 7", `${ann} abstain`],
    [{ proposalId, voter, options: whole(3) }, "vote on proposal 7", `${ann} no`],
    [{ proposalId, voter, options: whole(4) }, "vote on proposal 7", `${ann} no with veto`],
    [{ proposalId, voter, options: whole(9) }, "vote on proposal 7", `${ann} 9`],
    [
      { proposalId, voter, options: [option(1, "0.250000000000000000"), option(4, "0.75")] },
      "vote on proposal 7",
      `${ann} 0.25 yes + 0.75 no with veto`,
    ],
  ],
  nothing_bonded: [[{ proposalId }, "proposal 7: turnout", "nothing is bonded"]],
  turnout: [
    [
      { proposalId, voted: 5n, bonded: 10n, turnout: half, quorum: third },
      "proposal 7: turnout",
      "5 of 10 bonded: 0.5 ≥ quorum 0.334",
    ],
    [
      { proposalId, voted: 5n, bonded: 10n, turnout: third, quorum: third },
      "proposal 7: turnout",
      "5 of 10 bonded: 0.334 ≥ quorum 0.334",
    ],
    [
      { proposalId, voted: 3n, bonded: 10n, turnout: third - 1n, quorum: third },
      "proposal 7: turnout",
      "3 of 10 bonded: 0.333999999999999999 < quorum 0.334",
    ],
  ],
  all_abstained: [[{ proposalId }, "proposal 7: votes", "all abstained"]],
  veto: [
    [
      { proposalId, share: half, threshold: third },
      "proposal 7: veto",
      "0.5 > veto threshold 0.334",
    ],
    [
      { proposalId, share: third, threshold: third },
      "proposal 7: veto",
      "0.334 ≤ veto threshold 0.334",
    ],
  ],
  yes: [
    [{ proposalId, share: half, threshold: third }, "proposal 7: yes", "0.5 > threshold 0.334"],
    [{ proposalId, share: third, threshold: third }, "proposal 7: yes", "0.334 ≤ threshold 0.334"],
  ],
  closed: [
    [{ proposalId, closing: { result: "passed" } }, "proposal 7", "passed"],
    [{ proposalId, closing: { result: "rejected" } }, "proposal 7", "rejected"],
    [
      { proposalId, closing: { result: "converted" } },
      "proposal 7",
      "expedited proposal converted to regular",
    ],
    [
      { proposalId, closing: { result: "failed", index: 1, typeUrl: "/x", error: "no" } },
      "proposal 7",
      "passed, but msg 1 (/x) failed on execution: no",
    ],
  ],
  dropped: [[{ proposalId }, "proposal 7", "dropped: deposits did not reach the minimum"]],
  unsupported: [[{ proposalId, error: "unknown" }, "proposal 7", "unknown"]],
  execute: [
    [{ typeUrl: "/x" }, "execute /x", "done"],
    [{ typeUrl: "/x", error: "wrong" }, "execute /x", "wrong"],
  ],
};

test.each(Object.keys(SAID) as (keyof GovSteps)[])("what %s says", (kind) => {
  for (const [data, what, found] of SAID[kind]) {
    expect(textOfStep(GOV_TEXTS, { kind, data })).toEqual({ what, found });
  }
});
