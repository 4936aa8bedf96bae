import * as v from "valibot";
import { defineExpectation } from "../../expectation.ts";
import { about, integer, integerOrReference, LIMITS, map, oneOf, text } from "../../fields.ts";
import { resolveNumber, resolveText } from "../../references.ts";
import { whyNoBlock } from "../../rounds.ts";
import { StepError } from "../../step-context.ts";

/** Checks whether the chain runs, its height, and the reason for a halt. */
export const chain = defineExpectation({
  key: "chain",
  args: map({
    chain: about(oneOf("running", "halted"), "running: the chain can make its next block."),
    height: about(v.optional(integerOrReference(0, LIMITS.height)), "The chain's height."),
    because: about(v.optional(text), "Text in the reason why a node does not vote."),
    forks: about(v.optional(integer(0, LIMITS.height)), "Number of forks besides this one."),
  }),
  reads: "world",
  check({ chain: state, because }, check) {
    if (state === "running" && because !== undefined) {
      check.problem("expected no reason with a chain that is running", "because");
    }
  },
  verify(context, { chain: state, height, because, forks }) {
    const { sim } = context;
    const chainStatus = sim.chainStatus();
    if (chainStatus.state !== state) {
      const found = chainStatus.state === "halted" ? whyNoBlock(sim) : "it is running";
      throw new StepError(`expected the chain to be ${state}, found: ${found}`, "chain");
    }
    const wanted = height === undefined ? sim.height : resolveNumber(context, height);
    if (wanted !== sim.height) {
      throw new StepError(`expected height ${wanted}, found ${sim.height}`, "height");
    }
    const others = sim.forks().length;
    if (forks !== undefined && forks !== others) {
      throw new StepError(`expected ${forks} chains besides this one, found ${others}`, "forks");
    }
    const found = state === "halted" ? whyNoBlock(sim) : `${state} at ${sim.height}`;
    if (because === undefined) return found;
    const reason = resolveText(context, because);
    if (chainStatus.missing.some((group) => group.reason.includes(reason))) return found;
    throw new StepError(`expected the reason "${reason}", found: ${whyNoBlock(sim)}`, "because");
  },
  look({ chain: state, height, because, forks }) {
    if (typeof height === "string" || because !== undefined) return undefined;
    return ({ sim }) => {
      if (height !== undefined && height !== sim.height) return false;
      if (forks !== undefined && forks !== sim.forks().length) return false;
      return sim.chainStatus().state === state;
    };
  },
});
