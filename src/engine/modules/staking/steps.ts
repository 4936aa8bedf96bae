import type { Dec } from "../../../base/dec.ts";
import { stepNoter } from "../../framework/context.ts";
import { STAKING } from "./keys.ts";

/** A validator by its operator address. */
interface Operator {
  readonly operator: Uint8Array;
}

/**
 * Slash of tokens that have left a validator: their initial amount, the amount due, and the amount
 * burned.
 */
export interface DepartedSlash {
  readonly delegator: Uint8Array;
  /** Operator of the validator that they were moved to; absent if they are unbonding. */
  readonly to?: Uint8Array;
  readonly creationHeight: number;
  readonly initial: bigint;
  readonly due: bigint;
  readonly burned: bigint;
}

/**
 * Steps of the module about validators and slashes. Amounts are in the bond denom's smallest unit.
 */
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
  /** Sum of many unbonding entries and redelegations. */
  slash_departed: Pick<DepartedSlash, "initial" | "due" | "burned"> & { readonly entries: number };
  /**
   * `answered` is the part of `amount` due from departed tokens; the rest is burned from `tokens`,
   * as far as available.
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
