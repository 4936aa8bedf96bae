import type { Context } from "../../framework/context.ts";
import { goDuration, goTimeString, type Time } from "../../primitives/time.ts";

/** How old an infraction is, and whether that is too old. */
export interface Age {
  readonly tooOld: boolean;
  /** `12s of 48h0m0s`, with the block counts where they matter. */
  readonly text: string;
  /** The oldest that would still count. */
  readonly limit: string;
}

/**
 * By the documents evidence counts if its time ≥ block time − max age; by today's upstream it is too
 * old only if time and block count both exceed their limits. All comparisons are strict, so
 * equality keeps evidence valid. Evidence document §3, facts §1.9 row 4.
 */
export function ageOf(ctx: Context, height: number, time: Time): Age {
  const { maxAgeDuration, maxAgeNumBlocks } = ctx.env.params.evidence;
  const duration = ctx.time - time;
  const blocks = ctx.height - height;
  const late = duration > maxAgeDuration;
  const text = `${goDuration(duration)} of ${goDuration(maxAgeDuration)}`;
  const notBefore = `evidence can not be older than ${goTimeString(ctx.time - maxAgeDuration)}`;
  if (ctx.profile.evidenceAge === "time") return { tooOld: late, text, limit: notBefore };
  return {
    tooOld: late && blocks > maxAgeNumBlocks,
    text: `${text}, ${blocks} of ${maxAgeNumBlocks} blocks`,
    limit: `min height is ${ctx.height - maxAgeNumBlocks} and ${notBefore}`,
  };
}

/** Time of the block at a height; the block being executed is the newest there is. */
export const blockTimeAt = (ctx: Context, height: number): Time | undefined =>
  height === ctx.height ? ctx.time : ctx.record.timeAt(height);
