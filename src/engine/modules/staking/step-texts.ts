import { accAddress, consAddress, valAddress } from "../../../base/bech32.ts";
import { decToText } from "../../../base/dec.ts";
import type { StepTexts } from "../../framework/trace.ts";
import type { DepartedSlash, StakingSteps } from "./steps.ts";

const departed = ({ delegator, creationHeight, due, burned }: DepartedSlash): string =>
  `${accAddress(delegator)}, begun at height ${creationHeight}: owes ${due}, burned ${burned}`;

export const STAKING_TEXTS: StepTexts<StakingSteps> = {
  validator_power: ({ operator, before, power }) => [
    "validator set",
    `${valAddress(operator)}: ${before ?? "not in the set"} → ${power}`,
  ],
  validator_leaves: ({ operator, jailed }) => [
    "validator set",
    `${valAddress(operator)} leaves: ${jailed ? "jailed" : "not strong enough"}`,
  ],
  unbonding_over: ({ operator }) => [
    "unbonding period over",
    `${valAddress(operator)} is unbonded`,
  ],
  remove_validator: ({ operator }) => [
    "remove validator",
    `${valAddress(operator)} has no delegation left`,
  ],
  jail: ({ operator }) => ["jail", valAddress(operator)],
  unjail: ({ operator }) => ["unjail", valAddress(operator)],
  low_self_delegation: ({ operator, tokens, minimum }) => [
    "minimum self delegation",
    `${tokens} less than ${minimum} of ${valAddress(operator)}`,
  ],
  slash_amount: ({ power, factor, amount }) => [
    "slash amount",
    `${power} × 10^6 × ${decToText(factor)} = ${amount}`,
  ],
  slash_unbonding: (entry) => ["slash unbonding", departed(entry)],
  slash_redelegation: (entry) => ["slash redelegation", departed(entry)],
  slash_departed: ({ entries, due, burned }) => [
    "slash unbonding and redelegations",
    `${entries} entries owe ${due}, burned ${burned}`,
  ],
  slash_validator: ({ operator, amount, answered, burned, tokens }) => [
    "slash validator",
    `${valAddress(operator)}: ${amount} − ${answered} already answered for = ${amount - answered}; burned ${burned} of ${tokens}`,
  ],
  no_validator: ({ address }) => ["slash", `${consAddress(address)} is no validator`],
};
