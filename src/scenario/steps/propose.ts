import * as v from "valibot";
import { about, coin, flag, map, text } from "../fields.ts";
import { allInFavour, type Copy, tryStep } from "../foresight.ts";
import { infoRefused, infosAccepted, infosIn, isUpgrade, validateInfo } from "../plan-info.ts";
import {
  contentOf,
  type Proposal,
  pass as passProposal,
  proposalContent,
  submit,
  untilStage,
} from "../proposals.ts";
import { proposalState } from "../queries.ts";
import { resolveText } from "../references.ts";
import type { StepContext, StepValue } from "../step-context.ts";
import { defineVerb } from "../verb.ts";

const args = map({
  from: about(text, "Account of the proposer."),
  ...proposalContent,
  deposit: about(v.optional(coin), "Initial deposit. Default: the minimum."),
  expedited: about(
    v.optional(flag),
    "Expedited proposal: a shorter voting period, a higher threshold and deposit.",
  ),
  validate_info: validateInfo,
});

type SourceArgs = v.InferOutput<typeof args>;

/** Submits a proposal with its deposit. */
export const propose = defineVerb({
  name: "propose",
  about: "Submits a governance proposal. Default deposit: the minimum.",
  args,
  gives: { value: true },
  check({ from, deposit, messages, validate_info }, check) {
    check.account(from, "from");
    if (validate_info && !messages.some((message) => isUpgrade(message["@type"]))) {
      check.problem("expected a MsgSoftwareUpgrade whose info can be checked", "validate_info");
    }
    if (deposit) check.denom(deposit.denom, "deposit");
  },
  preview(context, args) {
    const proposal = proposalOf(context, args);
    const infos = infosIn(proposal.messages);
    const refused = infoRefused(context, "propose", infos, args.validate_info);
    if (refused !== undefined) return refused;
    const tried = tryStep(context, (copy) => submitProposal(copy, args));
    if ("preview" in tried) return tried.preview;
    const { copy, value: { value: id } = {} } = tried;
    if (id === undefined) return {};
    return { sentence: proposedOnly(copy, BigInt(id)) };
  },
  run: submitProposal,
});

/**
 * Describes a proposal that a copy has just submitted, if the step casts no votes. Runs the copy.
 */
function proposedOnly(copy: Copy, id: bigint): string {
  const sentence = `In block ${copy.sim.height} it becomes proposal ${id}.`;
  return proposalState(copy.sim, id) === "voting"
    ? `${sentence} ${allInFavour(copy, id)}`
    : `${sentence} Voting begins when its deposit is complete.`;
}

function* submitProposal(
  context: StepContext,
  args: SourceArgs,
): Generator<void, StepValue | undefined> {
  const proposal = proposalOf(context, args);
  if (!(yield* infosAccepted(context, infosIn(proposal.messages), args.validate_info)))
    return undefined;
  const id = yield* submit(context, resolveText(context, args.from), proposal);
  return { value: id.toString() };
}

const proposalOf = (
  context: StepContext,
  { deposit, expedited = false, ...content }: SourceArgs,
): Proposal => ({
  ...contentOf(context, content),
  expedited,
  ...(deposit ? { deposit: deposit.amount } : {}),
});

/** Submits and passes a proposal. */
export const pass = defineVerb({
  name: "pass",
  about: "Proposes, lets every validator vote yes, and runs to the end of voting.",
  args: map({ ...proposalContent, until: untilStage }),
  gives: { value: true },
  preview(context, { until, ...content }) {
    const tried = tryStep(context, (copy) =>
      passProposal(copy, contentOf(copy, content), "proposed"),
    );
    if ("preview" in tried) return tried.preview;
    const { copy, value: id } = tried;
    return { sentence: (until === "proposed" ? proposedOnly : allInFavour)(copy, id) };
  },
  *run(context, { until, ...content }) {
    const id = yield* passProposal(context, contentOf(context, content), until);
    return { value: id.toString() };
  },
});
