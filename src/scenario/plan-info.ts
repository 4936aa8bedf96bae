/** Validates a plan's info before it is proposed, as the command line does. */
import type { Any } from "@bufbuild/protobuf/wkt";
import * as v from "valibot";
import { inChain, typeUrl, unpackAny } from "../engine/framework/codec.ts";
import { type InfoVerdict, validatePlanInfo } from "../engine/network/sidecar/validate-info.ts";
import { MsgSoftwareUpgradeSchema } from "../gen/chain/upgrade/v1beta1/tx_pb.ts";
import type { StepPreview } from "../gen/lab/v1/lab_plain.ts";
import { about, choice, flag, isMap, map, text } from "./fields.ts";
import { advanceUntil } from "./rounds.ts";
import { type StepContext, StepError } from "./step-context.ts";

/**
 * `validate_info` of the verbs that propose upgrades; without it the info is sent unchecked
 * (`--no-validate`).
 */
export const validateInfo = about(
  v.optional(
    choice(
      "true or a map with checksum_required, daemon_name or refused",
      [
        isMap,
        map({
          checksum_required: about(
            v.optional(flag),
            "Requires a checksum in every URL. Default: true.",
          ),
          daemon_name: about(
            v.optional(text),
            "Name of the binary in an archive. Default: chaind.",
          ),
          refused: about(
            v.optional(text),
            "Text that the expected validation error contains; then nothing is proposed.",
          ),
        }),
      ],
      [() => true, v.literal(true, "true or a map with checksum_required, daemon_name or refused")],
    ),
  ),
  "Validates the plan's info before it is proposed, downloads included, as the command line does. Default: no validation.",
);

export type InfoValidation = v.InferOutput<typeof validateInfo>;

/** True if a message schedules a plan, by its type. */
export const isUpgrade = (type: string): boolean =>
  inChain(type) === typeUrl(MsgSoftwareUpgradeSchema);

/** A plan's info and its path among the arguments of a verb. */
export interface PlacedInfo {
  readonly path: string;
  readonly info: string;
}

/** The infos of the plans that a proposal's messages schedule. */
export const infosIn = (messages: readonly Any[]): readonly PlacedInfo[] =>
  messages.flatMap((any, index) => {
    const upgrade = unpackAny(MsgSoftwareUpgradeSchema, any);
    if (upgrade === undefined) return [];
    return [{ path: `messages[${index}].plan.info`, info: upgrade.plan?.info ?? "" }];
  });

/** The command line's decision about an info. */
function verdictOn({ sim }: StepContext, info: string, how: InfoValidation): InfoVerdict {
  const { checksum_required: checksumRequired, daemon_name: daemonName } = flagsOf(how);
  return validatePlanInfo(info, sim.releases, {
    ...(checksumRequired === undefined ? {} : { checksumRequired }),
    ...(daemonName === undefined ? {} : { daemonName }),
  });
}

/**
 * Waits for the downloads. True if the proposal may be sent, false if its info was refused as
 * expected. Throws a StepError with the refusal if it was unexpected.
 */
export function* infosAccepted(
  context: StepContext,
  infos: readonly PlacedInfo[],
  how: InfoValidation,
): Generator<void, boolean> {
  if (how === undefined) return true;
  const { refused } = flagsOf(how);
  for (const { path, info } of infos) {
    const { refusal, duration } = verdictOn(context, info, how);
    const end = context.sim.clock + duration;
    yield* advanceUntil(context, Number.POSITIVE_INFINITY, () => context.sim.clock >= end);
    if (refusal === undefined) continue;
    if (refused === undefined) throw new StepError(refusal, path);
    if (refusal.includes(refused)) return false;
    throw new StepError(`expected "${refused}", found "${refusal}"`, "validate_info.refused");
  }
  if (refused === undefined) return true;
  throw new StepError(`expected "${refused}", found nothing wrong`, "validate_info.refused");
}

const flagsOf = (how: InfoValidation): Exclude<InfoValidation, true | undefined> =>
  how === true || how === undefined ? {} : how;

/** The command line's error for the first refused info, with its path. */
export function infoRefused(
  context: StepContext,
  verb: string,
  infos: readonly PlacedInfo[],
  how: InfoValidation,
): Partial<StepPreview> | undefined {
  if (how === undefined) return undefined;
  for (const { path, info } of infos) {
    const { refusal: message } = verdictOn(context, info, how);
    if (message !== undefined) return { path: `${verb}.${path}`, message };
  }
  return undefined;
}
