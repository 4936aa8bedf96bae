import { consAddress } from "../../../base/bech32.ts";
import { formatRfc3339, SECOND, type Time } from "../../../base/time.ts";
import type { Context } from "../../framework/context.ts";
import { Panic } from "../../framework/errors.ts";
import { VALIDATOR_UPDATE_DELAY } from "../../framework/module.ts";
import { ageOf, tooOldBy } from "./age.ts";
import { ErrNoValidatorFound } from "./errors.ts";
import type { IgnoredCause } from "./ignored.ts";
import type { EvidenceNeeds, ValidatorState } from "./needs.ts";
import { note } from "./steps.ts";
import { LOG_MODULE, type ValidatorEvidence } from "./types.ts";

/** 9999-12-31T23:59:59Z: jailed until the end of time (rules/evidence 5.6). */
const DOUBLE_SIGN_JAIL_END_TIME: Time = 253_402_300_799n * SECOND;

/** Cause for ignoring an infraction, and the logged line, if any. */
export interface Ignored {
  readonly cause: IgnoredCause;
  readonly log?: {
    readonly level: "info" | "error";
    readonly text: string;
    readonly fields?: Readonly<Record<string, string>>;
  };
}

/**
 * Decides on an infraction and punishes it: slash, jail, tombstone (rules/evidence 5.2, 5.6).
 * @param time start of its age
 * @returns the cause if it is ignored, undefined if it was punished
 * @throws a staking error for an unknown validator in profile `sdk-0.53`; panics without signing
 *   info; whatever slashing throws
 */
export function punish(
  ctx: Context,
  needs: EvidenceNeeds,
  evidence: ValidatorEvidence,
  time: Time,
): Ignored | undefined {
  const address = evidence.getConsensusAddress();
  const height = Number(evidence.getHeight());
  const name = consAddress(address);
  const fields = {
    validator: name,
    infraction_height: String(height),
    infraction_time: formatRfc3339(time),
  };
  const validator = needs.staking.validatorByConsAddr(ctx, address);
  if (validator === undefined) return unknownValidator(ctx, address);
  const { operator, status } = validator;
  const about = { address, operator, status };
  if (status === "unbonded") {
    note(ctx, "validator", about, "ignored");
    return { cause: { kind: "unbonded", address } };
  }
  note(ctx, "validator", about, "ok");

  if (operator.length === 0) {
    note(ctx, "public_key", { address, found: "not_asked" });
  } else if (needs.slashing.getPubkey(ctx, address) !== undefined) {
    note(ctx, "public_key", { address, found: "yes" }, "ok");
  } else {
    note(ctx, "public_key", { address, found: "no" }, "ignored");
    const text = `ignore evidence; expected public key for validator ${name} not found`;
    return { cause: { kind: "no_public_key", address }, log: { level: "error", text } };
  }

  const { tooOld, facts } = ageOf(ctx, height, time);
  note(ctx, "age", facts, tooOld ? "ignored" : "ok");
  if (tooOld) {
    const { maxAgeDuration, maxAgeNumBlocks } = ctx.env.params.evidence;
    return {
      cause: tooOldBy(ctx, height, time),
      log: {
        level: "info",
        text: "ignored equivocation; evidence too old",
        fields: {
          validator: name,
          infraction_height: String(height),
          max_age_num_blocks: String(maxAgeNumBlocks),
          infraction_time: fields.infraction_time,
          max_age_duration: String(maxAgeDuration),
        },
      },
    };
  }

  if (!needs.slashing.hasValidatorSigningInfo(ctx, address)) {
    note(ctx, "signing_info", { found: false }, "halt");
    throw new Panic(`expected signing info for validator ${name} but not found`);
  }
  note(ctx, "signing_info", { found: true }, "ok");
  if (needs.slashing.isTombstoned(ctx, address)) {
    note(ctx, "tombstoned", { tombstoned: true }, "ignored");
    const text = "ignored equivocation; validator already tombstoned";
    return { cause: { kind: "tombstoned", address }, log: { level: "info", text, fields } };
  }
  note(ctx, "tombstoned", { tombstoned: false }, "ok");

  ctx.log("info", LOG_MODULE, "confirmed equivocation", fields);
  slashJailTombstone(ctx, needs, evidence, validator);
  return undefined;
}

function unknownValidator(ctx: Context, address: Uint8Array): Ignored {
  if (ctx.profile.unknownValidator === "error") {
    note(ctx, "unknown_validator", { address }, "halt");
    throw ErrNoValidatorFound.bare();
  }
  note(ctx, "unknown_validator", { address }, "ignored");
  return { cause: { kind: "unknown_validator", address } };
}

/**
 * Slashes, jails and tombstones; slashing and staking record their own steps (rules/evidence 5.6).
 */
function slashJailTombstone(
  ctx: Context,
  { slashing }: EvidenceNeeds,
  evidence: ValidatorEvidence,
  validator: ValidatorState,
): void {
  const address = evidence.getConsensusAddress();
  const power = Number(evidence.getValidatorPower());
  const distributionHeight = Number(evidence.getHeight()) - VALIDATOR_UPDATE_DELAY;
  note(ctx, "stake", { height: distributionHeight });
  slashing.slashWithInfractionReason(
    ctx,
    address,
    slashing.slashFractionDoubleSign(ctx),
    power,
    distributionHeight,
    "double_sign",
  );
  if (validator.jailed) note(ctx, "already_jailed", {});
  else slashing.jail(ctx, address);
  slashing.jailUntil(ctx, address, DOUBLE_SIGN_JAIL_END_TIME);
  slashing.tombstone(ctx, address);
}
