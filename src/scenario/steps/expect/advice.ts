import * as v from "valibot";
import { errorText } from "../../../engine/framework/errors.ts";
import { adviceOn } from "../../../view/lab/explorer/advice.ts";
import { defineExpectation } from "../../expectation.ts";
import { about, flag, integer, integerOrReference, LIMITS, map } from "../../fields.ts";
import { show } from "../../match.ts";
import { resolveNumber } from "../../references.ts";
import { type StepContext, StepError, Unanswerable } from "../../step-context.ts";

const height = v.optional(integer(0, LIMITS.height));

/** Deadline for cancelling a proposal's upgrade by vote. */
export const advice = defineExpectation({
  key: "advice",
  args: map({
    advice: about(
      integerOrReference(1, Number.MAX_SAFE_INTEGER),
      "Upgrade proposal whose cancellation advice is checked.",
    ),
    advised_height: about(height, "Minimum plan height that leaves time to cancel the upgrade."),
    enough: about(v.optional(flag), "true: the plan's height is at least advised_height."),
    last_height: about(
      height,
      "Last height at which voting on a cancellation can start and end in time.",
    ),
    last_expedited_height: about(height, "The same for an expedited proposal."),
    possible: about(v.optional(flag), "true: a vote can still cancel the upgrade."),
  }),
  reads: "blocks",
  verify(context, { advice: proposal, ...expected }) {
    const input = found(context, BigInt(resolveNumber(context, proposal)));
    const facts = {
      advised_height: input.advisedHeight,
      enough: input.enough,
      last_height: input.lastHeight,
      last_expedited_height: input.lastExpeditedHeight,
      possible: input.possible,
    };
    for (const [key, fact] of Object.entries(facts)) {
      const wanted = expected[key as keyof typeof facts];
      if (wanted === undefined || wanted === fact) continue;
      throw new StepError(`expected ${wanted} as ${key} of the advice, found ${fact}`, key);
    }
    return show(facts);
  },
});

function found({ sim }: StepContext, id: bigint): NonNullable<ReturnType<typeof adviceOn>> {
  let input: ReturnType<typeof adviceOn>;
  try {
    input = adviceOn(sim, id);
  } catch (error) {
    throw new Unanswerable(errorText(error), "advice");
  }
  if (input !== undefined) return input;
  throw new Unanswerable(`proposal ${id} has no plan that could be cancelled`, "advice");
}
