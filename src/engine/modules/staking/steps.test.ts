import { expect, test } from "vitest";
import { accAddress, consAddress, valAddress } from "../../../base/bech32.ts";
import { ONE } from "../../../base/dec.ts";
import { testAddress } from "../../framework/testing.ts";
import { textOfStep } from "../../framework/trace.ts";
import { STAKING_TEXTS } from "./step-texts.ts";
import type { StakingSteps } from "./steps.ts";

const operator = testAddress("val");
const delegator = testAddress("ann");
const val = valAddress(operator);
const departed = { delegator, creationHeight: 9, initial: 50n, due: 5n, burned: 3n };
const owes = `${accAddress(delegator)}, begun at height 9: owes 5, burned 3`;

/** Expected texts of every kind, for each outcome. */
const SAID: {
  readonly [Kind in keyof StakingSteps]: readonly (readonly [
    StakingSteps[Kind],
    what: string,
    found: string,
  ])[];
} = {
  validator_power: [
    [{ operator, before: 10, power: 5 }, "validator set", `${val}: 10 → 5`],
    [{ operator, before: undefined, power: 5 }, "validator set", `${val}: not in the set → 5`],
  ],
  validator_leaves: [
    [{ operator, jailed: true }, "validator set", `${val} leaves: jailed`],
    [{ operator, jailed: false }, "validator set", `${val} leaves: not strong enough`],
  ],
  unbonding_over: [[{ operator }, "unbonding period over", `${val} is unbonded`]],
  remove_validator: [[{ operator }, "remove validator", `${val} has no delegation left`]],
  jail: [[{ operator }, "jail", val]],
  unjail: [[{ operator }, "unjail", val]],
  low_self_delegation: [
    [{ operator, tokens: 1n, minimum: 2n }, "minimum self delegation", `1 less than 2 of ${val}`],
  ],
  slash_amount: [
    [
      { power: 10, factor: ONE / 2n, amount: 5_000_000n },
      "slash amount",
      "10 × 10^6 × 0.5 = 5000000",
    ],
  ],
  slash_unbonding: [[departed, "slash unbonding", owes]],
  slash_redelegation: [[departed, "slash redelegation", owes]],
  slash_departed: [
    [
      { entries: 30, initial: 1500n, due: 150n, burned: 140n },
      "slash unbonding and redelegations",
      "30 entries owe 150, burned 140",
    ],
  ],
  slash_validator: [
    [
      { operator, amount: 10n, answered: 4n, burned: 5n, tokens: 5n },
      "slash validator",
      `${val}: 10 − 4 already answered for = 6; burned 5 of 5`,
    ],
  ],
  no_validator: [[{ address: operator }, "slash", `${consAddress(operator)} is no validator`]],
};

test.each(Object.keys(SAID) as (keyof StakingSteps)[])("what %s says", (kind) => {
  for (const [data, what, found] of SAID[kind]) {
    expect(textOfStep(STAKING_TEXTS, { kind, data })).toEqual({ what, found });
  }
});
