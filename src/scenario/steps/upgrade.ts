import { create } from "@bufbuild/protobuf";
import * as v from "valibot";
import { durationOf } from "../../engine/framework/time-messages.ts";
import { durationToText } from "../../engine/primitives/time.ts";
import {
  MsgCancelUpgradeSchema,
  MsgSoftwareUpgradeSchema,
} from "../../gen/chain/upgrade/v1beta1/tx_pb.ts";
import { about, choice, has, isMap, LIMITS, map, text, wholeOrReference } from "../fields.ts";
import { infoRefused, infosAccepted, validateInfo } from "../plan-info.ts";
import { addressOf, type Proposal, pass } from "../proposals.ts";
import { govParams } from "../queries.ts";
import { resolveNumber, resolveText } from "../references.ts";
import type { StepContext } from "../step-context.ts";
import { pack } from "../transactions.ts";
import { defineVerb } from "../verb.ts";

const args = choice(
  "a map with name and at, or with cancel",
  [
    has("cancel"),
    map({ cancel: about(v.literal(true, "true"), "Cancels the scheduled upgrade.") }),
  ],
  [
    isMap,
    map({
      name: about(text, "Name of the plan, for which a binary needs a handler."),
      at: about(
        wholeOrReference(1, LIMITS.height),
        "Height before whose block the chain upgrades.",
      ),
      info: about(v.optional(text, ""), "The plan's info, such as where to download binaries."),
      validate_info: validateInfo,
    }),
  ],
);

/** Passes a proposal that schedules an upgrade, or one that cancels it. */
export const upgrade = defineVerb({
  name: "upgrade",
  about: "Passes a proposal that schedules a software upgrade, or that cancels the scheduled one.",
  args,
  gives: { value: true },
  preview(context, what) {
    const { sim } = context;
    const votingPeriod = durationOf(govParams(sim).votingPeriod);
    // The proposal is in the next block; what it says happens when voting has ended.
    const ends =
      sim.decidedHeight + 1 + Math.ceil(Number(votingPeriod) / Number(sim.spec.blockTime));
    const voting = `Everyone votes yes; voting takes ${durationToText(votingPeriod)}, until about block ${ends}.`;
    if ("cancel" in what)
      return { sentence: `${voting} Then the plan is cancelled, if it is not due before.` };
    const infos = [{ path: "info", info: resolveText(context, what.info) }];
    const refused = infoRefused(context, "upgrade", infos, what.validate_info);
    if (refused) return refused;
    const at = resolveNumber(context, what.at);
    const name = resolveText(context, what.name);
    if (at < ends) {
      return {
        sentence: `${voting} Height ${at} will have passed by then: the proposal will fail.`,
      };
    }
    const ready = sim.binaries().filter(({ handlers }) => handlers.includes(name));
    const carriers = ready.length === 0 ? "no binary has one" : ready.map((b) => b.name).join(", ");
    return {
      sentence: `${voting} At height ${at} every node stops that has no Handler "${name}" (${carriers}).`,
    };
  },
  *run(context, what) {
    if (!("cancel" in what)) {
      const infos = [{ path: "info", info: resolveText(context, what.info) }];
      if (!(yield* infosAccepted(context, infos, what.validate_info))) return undefined;
    }
    const id = yield* pass(context, "cancel" in what ? cancellation(context) : plan(context, what));
    return { value: id.toString() };
  },
});

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
