import { ask } from "../../../api/lab/ask.ts";
import { valAddress } from "../../../engine/primitives/bech32.ts";
import { Query } from "../../../gen/chain/staking/v1beta1/query_pb.ts";
import { defineExpectation } from "../../expectation.ts";
import { about, amountOrNone, map, text } from "../../fields.ts";
import { StepError } from "../../step-context.ts";

/** The tokens that a validator has: its own and those delegated to it. */
export const tokens = defineExpectation({
  key: "tokens",
  args: map({
    tokens: about(text, "Name of the validator."),
    is: about(amountOrNone, "How many it has, in the smallest unit."),
  }),
  check({ tokens: name }, check) {
    check.account(name, "tokens");
  },
  meet({ sim }, { tokens: name, is }) {
    const account = sim.account(name);
    if (!account) throw new StepError(`there is no validator ${name}`, "tokens");
    const validatorAddr = valAddress(account);
    const { validator } = ask(sim, Query.method.validator, { validatorAddr });
    if (validator?.tokens === is.toString()) return;
    throw new StepError(
      `expected ${name} to have ${is} tokens, found ${validator?.tokens ?? "no validator"}`,
      "is",
    );
  },
});
