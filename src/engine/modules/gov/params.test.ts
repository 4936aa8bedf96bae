import { describe, expect, test } from "vitest";
import { thrownBy } from "../../framework/testing.ts";
import { defaultParams, validateParams } from "./params.ts";
import { stake } from "./testing.ts";
import { coinMessages, durationMessage } from "./types.ts";

describe("params (rules/gov 1.1)", () => {
  test("the defaults are valid", () => {
    expect(() => validateParams(defaultParams())).not.toThrow();
  });

  test.each([
    [{ minDeposit: [] }, "invalid minimum deposit: "],
    [
      { expeditedMinDeposit: coinMessages(stake(10_000_000)) },
      "expedited minimum deposit must be greater than minimum deposit: 10000000stake",
    ],
    [{ maxDepositPeriod: durationMessage(0n) }, "maximum deposit period must be positive: 0"],
    [{ quorum: "-0.1" }, "quorom cannot be negative: -0.100000000000000000"],
    [{ quorum: "" }, "invalid quorum string: decimal string cannot be empty"],
    [{ threshold: "0" }, "vote threshold must be positive: 0.000000000000000000"],
    [
      { expeditedThreshold: "0.5" },
      "expedited vote threshold 0.500000000000000000, must be greater than the regular threshold 0.500000000000000000",
    ],
    [{ vetoThreshold: "1.1" }, "veto threshold too large: 1.100000000000000000"],
    [{ votingPeriod: durationMessage(0n) }, "voting period must be positive: 0s"],
    [
      { expeditedVotingPeriod: durationMessage(172_800_000_000_000n) },
      "expedited voting period 48h0m0s must be strictly less that the regular voting period 48h0m0s",
    ],
    [
      { proposalCancelRatio: "2" },
      "burn rate of cancel proposal is too large: 2.000000000000000000",
    ],
    [{ proposalCancelDest: "x" }, "deposits destination address is invalid: x"],
  ])("params %# are refused", (change, text) => {
    expect(thrownBy(() => validateParams({ ...defaultParams(), ...change })).message).toBe(text);
  });
});
