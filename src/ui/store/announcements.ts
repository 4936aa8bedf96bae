import { count } from "../widgets/format.ts";
import type { Frame, Validator } from "./types.ts";

/** The changes from one frame to the next as sentences, for screen readers. */
export function announcements(before: Frame | undefined, after: Frame): string[] {
  if (before?.world !== after.world) return [];
  const changes = validatorChanges(before.validators, after.validators);
  const [was, is] = [before.chainStatus?.state, after.chainStatus?.state];
  if (was === "running" && is === "halted")
    changes.push(`The chain has halted. ${after.chainStatus?.because}`);
  if (was === "halted" && is === "running") changes.push("The chain makes blocks again.");
  return [...changes, ...planChanges(before, after), ...savedChanges(before, after)];
}

function savedChanges(before: Frame, after: Frame): string[] {
  const [was, is] = [before.player?.kept?.state, after.player?.kept?.state];
  if (was === is || is === "opening" || (was !== "unsaved" && is !== "unsaved")) return [];
  return [is === "unsaved" ? "The world is not saved." : "The world is saved again."];
}

function planChanges(before: Frame, after: Frame): string[] {
  if (after.applied.length > before.applied.length) {
    return [`Upgrade ${after.applied.at(-1)?.name} is applied.`];
  }
  if (before.plan?.name === after.plan?.name) return [];
  return after.plan
    ? [`Upgrade ${after.plan.name} is planned for height ${count(after.plan.height)}.`]
    : [`Upgrade ${before.plan?.name} is no longer planned.`];
}

function validatorChanges(before: readonly Validator[], after: readonly Validator[]): string[] {
  return after.flatMap((validator, i) => {
    const old = before[i];
    if (old?.name !== validator.name) return [];
    if (validator.tombstoned && !old.tombstoned) {
      return [`${validator.name} is slashed, jailed and tombstoned.`];
    }
    if (validator.jailed && !old.jailed) return [`${validator.name} is jailed.`];
    if (old.jailed && !validator.jailed) return [`${validator.name} is no longer jailed.`];
    return [];
  });
}
