import type { Context, Misbehavior } from "../../framework/context.ts";
import { errorText } from "../../framework/errors.ts";
import { blockTimeAt } from "./age.ts";
import { Equivocation } from "./equivocation.ts";
import { type Ignored, punish } from "./infraction.ts";
import type { EvidenceKeeper } from "./keeper.ts";
import type { EvidenceNeeds } from "./needs.ts";
import { MISBEHAVIOR_KINDS, note } from "./steps.ts";
import { LOG_MODULE } from "./types.ts";

/**
 * Handles the misbehavior forwarded by the consensus engine, in order. Stores only punished
 * infractions, and emits no event of its own. The first error ends the block (rules/evidence 5.1,
 * 5.2).
 */
export function beginBlock(ctx: Context, keeper: EvidenceKeeper, needs: EvidenceNeeds): void {
  for (const item of ctx.env.block.misbehavior) {
    ctx.decideItem(() => {
      if (MISBEHAVIOR_KINDS[item.type] === undefined) ignoreUnknown(ctx, item);
      else handleEquivocationEvidence(ctx, keeper, needs, item);
    });
  }
}

function ignoreUnknown(ctx: Context, { type }: Misbehavior): void {
  const text = `ignored unknown evidence type: ${type.toString(16)}`;
  ctx.log("error", LOG_MODULE, text);
  note(ctx, "unknown_misbehavior", { type }, "ignored");
}

function handleEquivocationEvidence(
  ctx: Context,
  keeper: EvidenceKeeper,
  needs: EvidenceNeeds,
  item: Misbehavior,
): void {
  const { type, address, height, power } = item;
  note(ctx, "misbehavior", { type, address, height, power });
  const evidence = Equivocation.fromMisbehavior(item);
  const ignored = evaluate(ctx, needs, item, evidence);
  if (ignored === undefined) {
    keeper.setEvidence(ctx, evidence);
    note(ctx, "outcome", { type, address, height }, "ok");
    return;
  }
  const { log, cause } = ignored;
  if (log !== undefined) ctx.log(log.level, LOG_MODULE, log.text, log.fields);
  note(ctx, "outcome", { type, address, height, ignored: cause }, "ignored");
}

function evaluate(
  ctx: Context,
  needs: EvidenceNeeds,
  { height }: Misbehavior,
  evidence: Equivocation,
): Ignored | undefined {
  if (ctx.profile.evidenceTime === "carried") {
    return basicError(ctx, evidence) ?? punish(ctx, needs, evidence, evidence.time);
  }
  const time = blockTimeAt(ctx, height);
  if (time === undefined) {
    note(ctx, "infraction_block", { height }, "ignored");
    return { cause: { kind: "no_block", height } };
  }
  note(ctx, "infraction_block", { height, drift: evidence.time - time }, "ok");
  return basicError(ctx, evidence) ?? punish(ctx, needs, evidence, time);
}

/**
 * Returns why the evidence fails ValidateBasic, or undefined (rules/evidence 5.8). Stored evidence
 * must be valid; otherwise an export of this chain would be refused as genesis. Upstream stores
 * evidence unchecked, because its engine never reports anything that would fail here; exports of
 * such a state are refused.
 */
function basicError(ctx: Context, evidence: Equivocation): Ignored | undefined {
  try {
    evidence.validateBasic();
    return undefined;
  } catch (error) {
    if (ctx.profile.misbehaviorCheck === "none") return undefined;
    const text = errorText(error);
    note(ctx, "basic_validation", { type: evidence.type(), error: text }, "ignored");
    return { cause: { kind: "invalid", error: text } };
  }
}
