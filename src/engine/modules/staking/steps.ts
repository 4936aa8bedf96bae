import { stepNoter } from "../../framework/context.ts";
import type { StepTexts } from "../../framework/trace.ts";
import { accAddress, consAddress, valAddress } from "../../primitives/bech32.ts";
import { type Dec, decToText } from "../../primitives/dec.ts";
import { STAKING } from "./keys.ts";

/** A validator by its operator address. */
interface Operator {
  readonly operator: Uint8Array;
}

/** What a slash took from tokens that are leaving: what they owe, and what was there to burn. */
export interface DepartedSlash {
  readonly delegator: Uint8Array;
  readonly creationHeight: number;
  readonly due: bigint;
  readonly burned: bigint;
}

/** What the module notes of validators and of slashes. Amounts are in the bond denom's smallest unit. */
export interface StakingSteps {
  validator_power: Operator & { readonly before: number | undefined; readonly power: number };
  validator_leaves: Operator & { readonly jailed: boolean };
  unbonding_over: Operator;
  remove_validator: Operator;
  jail: Operator;
  unjail: Operator;
  low_self_delegation: Operator & { readonly tokens: bigint; readonly minimum: bigint };
  slash_amount: { readonly power: number; readonly factor: Dec; readonly amount: bigint };
  slash_unbonding: DepartedSlash;
  slash_redelegation: DepartedSlash;
  /** Many of both, summed up. */
  slash_departed: { readonly entries: number; readonly due: bigint; readonly burned: bigint };
  /**
   * `answered` is what departed tokens owe of `amount`; the rest is burned of `tokens`, as far as they go.
   */
  slash_validator: Operator & {
    readonly amount: bigint;
    readonly answered: bigint;
    readonly burned: bigint;
    readonly tokens: bigint;
  };
  no_validator: { readonly address: Uint8Array };
}

export const note = stepNoter<StakingSteps>(STAKING);

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
