import * as v from "valibot";
import { about, allOrNamed, integerOrReference, map, oneOf } from "../fields.ts";
import { tryStep, voteEnd } from "../foresight.ts";
import { vote as castVotes, VOTE_OPTIONS, validatorNames } from "../proposals.ts";
import { resolveNumber, resolveText } from "../references.ts";
import type { StepContext } from "../step-context.ts";
import { defineVerb } from "../verb.ts";

/** Votes on a proposal. */
export const vote = defineVerb({
  name: "vote",
  about: "Votes on a proposal, by all validators or by the named accounts.",
  args: map({
    proposal: about(integerOrReference(1, Number.MAX_SAFE_INTEGER), "Proposal id."),
    option: about(oneOf(...VOTE_OPTIONS), "Vote option."),
    by: about(v.optional(allOrNamed("accounts"), "all"), "Voters; all means every validator."),
  }),
  check({ by }, check) {
    if (by !== "all") by.forEach((voter, index) => void check.account(voter, "by", index));
  },
  preview(context, { proposal, option, by }) {
    const id = BigInt(resolveNumber(context, proposal));
    const tried = tryStep(context, (copy) => castVotes(copy, id, option, votersOf(copy, by)));
    if ("preview" in tried) return tried.preview;
    return { sentence: voteEnd(tried.copy, id, "As the votes stand then") };
  },
  *run(context, { proposal, option, by }) {
    const id = BigInt(resolveNumber(context, proposal));
    yield* castVotes(context, id, option, votersOf(context, by));
    return undefined;
  },
});

const votersOf = (context: StepContext, by: "all" | readonly string[]): readonly string[] =>
  by === "all" ? validatorNames(context) : by.map((voter) => resolveText(context, voter));
