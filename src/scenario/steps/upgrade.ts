import { create } from "@bufbuild/protobuf";
import * as v from "valibot";
import { decFromString, decToText } from "../../base/dec.ts";
import { durationToText } from "../../base/duration-text.ts";
import { durationOf } from "../../engine/framework/time-messages.ts";
import type { Simulation } from "../../engine/simulation/simulation.ts";
import {
  MsgCancelUpgradeSchema,
  MsgSoftwareUpgradeSchema,
} from "../../gen/chain/upgrade/v1beta1/tx_pb.ts";
import type { StepPreview } from "../../gen/lab/v1/lab_plain.ts";
import { scheduledPlan } from "../../view/lab/diagnosis/binary-compatibility.ts";
import { BlockTimes } from "../../view/lab/frame/block-times.ts";
import {
  about,
  choice,
  flag,
  has,
  integerOrReference,
  isMap,
  LIMITS,
  map,
  text,
} from "../fields.ts";
import { copiesFor, type ForeseenVote, foreseeVote } from "../foresight.ts";
import { nextBinary } from "../next-binary.ts";
import { infoRefused, infosAccepted, validateInfo } from "../plan-info.ts";
import { addressOf, type Proposal, pass, untilStage as until } from "../proposals.ts";
import { appliedHeight, govParams } from "../queries.ts";
import { resolveNumber, resolveText } from "../references.ts";
import type { StepContext } from "../step-context.ts";
import { pack } from "../transactions.ts";
import { defineVerb } from "../verb.ts";

const expedited = about(
  v.optional(flag),
  "Expedited proposal: a shorter voting period, a higher threshold and deposit.",
);
const args = choice(
  "a map with name and at, or with cancel",
  [
    has("cancel"),
    map({
      cancel: about(v.literal(true, "true"), "Cancels the scheduled upgrade."),
      expedited,
      until,
    }),
  ],
  [
    isMap,
    map({
      name: about(text, "Name of the plan; a binary needs a handler of this name."),
      at: about(
        integerOrReference(1, LIMITS.height),
        "Height of the plan: the first block that the new binary makes.",
      ),
      info: about(v.optional(text, ""), "The plan's info, such as where to download binaries."),
      build: about(
        v.optional(flag),
        "Creates a binary with a handler for the plan if there is none: the newest binary with another module version.",
      ),
      expedited,
      until,
      validate_info: validateInfo,
    }),
  ],
);
type SourceArgs = v.InferOutput<typeof args>;

/** Passes a proposal that schedules or cancels an upgrade. */
export const upgrade = defineVerb({
  name: "upgrade",
  about: "Passes a proposal that schedules a software upgrade or cancels the scheduled one.",
  args,
  gives: { value: true },
  preview: (context, what) =>
    "cancel" in what ? previewCancellation(context, what) : previewPlan(context, what),
  *run(context, what) {
    if (!("cancel" in what)) {
      const infos = [{ path: "info", info: resolveText(context, what.info) }];
      if (!(yield* infosAccepted(context, infos, what.validate_info))) return undefined;
      const binary = what.build && nextBinary(context.sim, resolveText(context, what.name));
      if (binary) context.sim.apply({ type: "binary", binary });
    }
    const { expedited = false, until } = what;
    const content = "cancel" in what ? cancellation(context) : plan(context, what);
    const id = yield* pass(context, { ...content, expedited }, until);
    return { value: id.toString() };
  },
});

function previewPlan(
  context: StepContext,
  what: Exclude<SourceArgs, { cancel: true }>,
): Partial<StepPreview> {
  const { sim } = context;
  const infos = [{ path: "info", info: resolveText(context, what.info) }];
  const refused = infoRefused(context, "upgrade", infos, what.validate_info);
  if (refused) return refused;
  const at = resolveNumber(context, what.at);
  const name = resolveText(context, what.name);
  const votes = voting(sim, what);
  const about = votingEnds(sim, what);
  const content = { ...plan(context, what), ...(what.expedited && { expedited: true }) };
  const foreseen = foreseeVote(copiesFor(context), content, about - sim.height);
  const fault = planFault(sim, { name, at, ends: foreseen.ends ?? about }, foreseen.failed);
  // A proposal may contain any plan; an invalid one fails only when it passes.
  if (fault && what.until === "proposed") {
    const failed = foreseen.failed ?? fault.message;
    return { sentence: `${votes} If it passes, its message fails: ${failed}.` };
  }
  if (fault) return { ...fault, path: `upgrade.${fault.path}` };
  const built = what.build ? nextBinary(sim, name) : undefined;
  const ready = sim.binaries().filter(({ handlers }) => handlers.includes(name));
  const carriers = ready.map((binary) => binary.name);
  const have =
    carriers.length > 0
      ? `Binary ${carriers.join(", ")} has one.`
      : built
        ? `Binary ${built.name}, which is made for it, has one.`
        : "No binary has one.";
  return {
    sentence: `${votes} ${what.until === "proposed" ? "If it passes, at" : "At"} height ${at} every node whose binary has no "${name}" handler will stop. ${have}${besidePlan(foreseen)}`,
  };
}

/** The reason why a plan will not be scheduled, with the field that causes it. */
function planFault(
  sim: Simulation,
  { name, at, ends }: { name: string; at: number; ends: number },
  failed: string | undefined,
): { path: "name" | "at"; message: string } | undefined {
  const appliedAt = appliedHeight(sim, name);
  if (appliedAt > 0) {
    const message = `${name} was carried out at ${appliedAt}: expected another name`;
    return { path: "name", message };
  }
  if (at <= sim.height)
    return { path: "at", message: `the chain is at ${sim.height}: expected a later height` };
  if (at < ends) {
    const message = `voting would end at about block ${ends}: expected that height or a later one`;
    return { path: "at", message };
  }
  return failed ? { path: "name", message: failed } : undefined;
}

/**
 * Describes the fate of the currently scheduled plan at the end of the vote, as there is only one
 * at a time; empty without one.
 */
function besidePlan({ ends, before, notFollowed }: ForeseenVote): string {
  if (notFollowed) return ` ${notFollowed}`;
  if (!before) return "";
  const due = `${before.name}, due at ${before.height}`;
  return ends !== undefined ? ` Once passed, it replaces ${due}.` : ` ${due}, comes first.`;
}

function previewCancellation(
  context: StepContext,
  what: Extract<SourceArgs, { cancel: true }>,
): Partial<StepPreview> {
  const { sim } = context;
  const votes = voting(sim, what);
  const ends = votingEnds(sim, what);
  const now = scheduledPlan(sim);
  const copies = copiesFor(context);
  const fate = (expedited: boolean): ForeseenVote =>
    foreseeVote(
      copies,
      { ...cancellation(context), expedited },
      votingEnds(sim, { expedited }) - sim.height,
    );
  const foreseen = fate(what.expedited ?? false);
  if (foreseen.notFollowed) return { sentence: `${votes} ${foreseen.notFollowed}` };
  const { ends: decided, before, after } = foreseen;
  const isProposed = what.until === "proposed";
  if (decided !== undefined && before !== undefined && after === undefined) {
    const then = isProposed ? "If it passes," : "Then";
    const sentence = `${votes} ${then} ${before.name}, due at ${before.height}, is cancelled.`;
    return { sentence };
  }
  const first = before ?? now;
  if (first === undefined)
    return { sentence: `${votes} No upgrade is planned then that it could cancel.` };
  const late = `${isProposed ? `${votes} ` : ""}Too late: voting ends at about block ${ends}, ${first.name} is due at ${first.height} and comes first.`;
  if (what.expedited) return { sentence: late };
  const expedited = votingEnds(sim, { expedited: true });
  const hurried = fate(true);
  if (hurried.notFollowed) return { sentence: late };
  const hurry =
    hurried.ends !== undefined && hurried.before !== undefined && hurried.after === undefined
      ? `An expedited vote would end at about block ${expedited}, in time.`
      : `An expedited vote is too late as well: it would end at about block ${expedited}.`;
  return { sentence: `${late} ${hurry}` };
}

type Vote = Pick<SourceArgs, "expedited" | "until">;

/**
 * Describes the vote: the voters of the step, the duration, and for an expedited one the threshold.
 */
function voting(sim: Simulation, how: Vote): string {
  const params = govParams(sim);
  const period = durationOf(how.expedited ? params.expeditedVotingPeriod : params.votingPeriod);
  const [votes, decide] =
    how.until === "proposed"
      ? ["It is only proposed", ", and votes decide"]
      : ["Everyone votes yes", ""];
  const kind = how.expedited ? "expedited voting" : "voting";
  const threshold = decToText(decFromString(params.expeditedThreshold) * 100n);
  const passes = how.expedited ? ` More than ${threshold} % must vote yes.` : "";
  return `${votes}; ${kind} takes ${durationToText(period)}, until about block ${votingEnds(sim, how)}${decide}.${passes}`;
}

/** The block that ends the vote on a proposal of the next block, and a description of that. */
function votingEnds(sim: Simulation, { expedited }: Vote): number {
  const params = govParams(sim);
  const period = durationOf(expedited ? params.expeditedVotingPeriod : params.votingPeriod);
  const times = new BlockTimes(sim);
  return times.firstAt(times.at(times.next) + period);
}

function plan(
  context: StepContext,
  { name, at, info }: { name: string; at: number | string; info: string },
): Proposal {
  const planName = resolveText(context, name);
  const message = create(MsgSoftwareUpgradeSchema, {
    authority: addressOf(context, "gov"),
    plan: {
      name: planName,
      height: BigInt(resolveNumber(context, at)),
      info: resolveText(context, info),
    },
  });
  return {
    title: `Upgrade to ${planName}`,
    messages: [pack(MsgSoftwareUpgradeSchema, message)],
  };
}

function cancellation(context: StepContext): Proposal {
  const message = create(MsgCancelUpgradeSchema, { authority: addressOf(context, "gov") });
  return {
    title: "Cancel the scheduled upgrade",
    messages: [pack(MsgCancelUpgradeSchema, message)],
  };
}
