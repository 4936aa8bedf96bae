import { valAddress } from "../../../base/bech32.ts";
import { STATUS, StatusError } from "../../../engine/framework/errors.ts";
import { STAKING } from "../../../engine/modules/staking/keys.ts";
import type { Simulation } from "../../../engine/simulation/simulation.ts";
import { Query } from "../../../gen/chain/staking/v1beta1/query_pb.ts";
import { query } from "../../../view/lab/query.ts";
import { defineExpectation } from "../../expectation.ts";
import { about, amountOrNone, map, text } from "../../fields.ts";
import { StepError, Unanswerable } from "../../step-context.ts";

/**
 * Checks the tokens of a validator: its own and delegated ones; 0 for an account without a
 * validator.
 */
export const tokens = defineExpectation({
  key: "tokens",
  args: map({
    tokens: about(text, "Name of the validator."),
    is: about(amountOrNone, "Its tokens, in the smallest unit."),
  }),
  reads: { store: STAKING },
  check({ tokens: name }, check) {
    check.account(name, "tokens");
  },
  verify({ sim }, { tokens: name, is }) {
    const tokens = tokensOf(sim, name);
    const found = tokens ?? "no validator";
    if ((tokens ?? "0") === is.toString()) return found;
    const wanted = is.toString() === "1" ? "1 token" : `${is} tokens`;
    throw new StepError(`expected ${name} to have ${wanted}, found ${found}`, "is");
  },
});

/** Tokens of a validator; undefined if the account has no validator, or no longer. */
export function tokensOf(sim: Simulation, name: string): string | undefined {
  const account = sim.account(name);
  if (!account) throw new Unanswerable(`there is no validator ${name}`, "tokens");
  try {
    return query(sim, Query.method.validator, { validatorAddr: valAddress(account) }).validator
      ?.tokens;
  } catch (error) {
    if (error instanceof StatusError && error.code === STATUS.notFound) return undefined;
    throw error;
  }
}
