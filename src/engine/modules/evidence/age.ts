import { elapsed, type Time } from "../../../base/time.ts";
import type { Context } from "../../framework/context.ts";
import type { TooOld } from "./ignored.ts";
import type { AgeFacts } from "./steps.ts";

/**
 * Returns the age of an infraction, and whether it is too old. According to the documents evidence
 * counts if its time ≥ block time − max age; in today's upstream it is too old only if time and
 * block count both exceed their limits. All comparisons are strict, so evidence at the limit is
 * valid (rules/evidence 5.5).
 */
export function ageOf(
  ctx: Context,
  height: number,
  time: Time,
): { readonly tooOld: boolean; readonly facts: AgeFacts } {
  const { maxAgeDuration: maxAge, maxAgeNumBlocks } = ctx.env.params.evidence;
  const age = ctx.time - time;
  if (ctx.profile.evidenceAge === "time") return { tooOld: age > maxAge, facts: { age, maxAge } };
  const blocks = { age: ctx.height - height, max: maxAgeNumBlocks };
  return {
    tooOld: elapsed(time, ctx.time) > maxAge && blocks.age > blocks.max,
    facts: { age, maxAge, blocks },
  };
}

/** Returns the cause for ignoring an infraction that is too old, with the exceeded limits. */
export function tooOldBy(ctx: Context, height: number, time: Time): TooOld {
  const { maxAgeDuration, maxAgeNumBlocks } = ctx.env.params.evidence;
  const cause = { kind: "too_old", height, time, oldest: ctx.time - maxAgeDuration } as const;
  return ctx.profile.evidenceAge === "time"
    ? cause
    : { ...cause, minHeight: ctx.height - maxAgeNumBlocks };
}

/** Time of the block at a height; the newest is the block being executed. */
export const blockTimeAt = (ctx: Context, height: number): Time | undefined =>
  height === ctx.height ? ctx.time : ctx.record.timeAt(height);
