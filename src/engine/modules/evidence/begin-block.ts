import type { Context, Misbehavior } from "../../framework/context.ts";
import { errorText } from "../../framework/errors.ts";
import { consAddress } from "../../primitives/bech32.ts";
import { goDuration } from "../../primitives/time.ts";
import { blockTimeAt } from "./age.ts";
import { Equivocation } from "./equivocation.ts";
import { LOG_MODULE, type PassedOver, punish } from "./infraction.ts";
import type { EvidenceKeeper } from "./keeper.ts";
import type { EvidenceNeeds } from "./needs.ts";
import { MODULE_NAME } from "./types.ts";

/** The kinds that become an Equivocation, by the engine's number. */
const KINDS: Readonly<Record<number, string>> = {
  1: "DuplicateVoteEvidence",
  2: "LightClientAttackEvidence",
};

/**
 * Handles what the consensus engine forwards, in order. Stores what it punishes and nothing else, and
 * emits no event of its own. The first error ends the block. Evidence document §3, facts §1.8–1.9.
 */
export function beginBlock(ctx: Context, keeper: EvidenceKeeper, needs: EvidenceNeeds): void {
  for (const item of ctx.env.block.misbehavior) {
    const kind = KINDS[item.type];
    if (kind === undefined) ignoreUnknown(ctx, item);
    else handleEquivocationEvidence(ctx, keeper, needs, item, kind);
  }
}

function ignoreUnknown(ctx: Context, { type }: Misbehavior): void {
  const text = `ignored unknown evidence type: ${type.toString(16)}`;
  ctx.log("error", LOG_MODULE, text);
  ctx.step(MODULE_NAME, "misbehavior", text, "ignored");
}

function handleEquivocationEvidence(
  ctx: Context,
  keeper: EvidenceKeeper,
  needs: EvidenceNeeds,
  item: Misbehavior,
  kind: string,
): void {
  const about = `${kind} against ${consAddress(item.address)} at height ${item.height}`;
  ctx.step(MODULE_NAME, "misbehavior", `${about}, power ${item.power}: an Equivocation`, "info");
  const evidence = Equivocation.fromMisbehavior(item);
  const passedOver = judge(ctx, needs, item, evidence);
  if (passedOver === undefined) {
    keeper.setEvidence(ctx, evidence);
    ctx.step(MODULE_NAME, "outcome", `${about}: punished`, "ok");
    return;
  }
  const { log, reason } = passedOver;
  if (log !== undefined) ctx.log(log.level, LOG_MODULE, log.text, log.fields);
  ctx.step(MODULE_NAME, "outcome", `${about}: ignored, ${reason}`, "ignored");
}

function judge(
  ctx: Context,
  needs: EvidenceNeeds,
  { height }: Misbehavior,
  evidence: Equivocation,
): PassedOver | undefined {
  if (ctx.profile.evidenceTime === "carried") {
    return basicFault(ctx, evidence) ?? punish(ctx, needs, evidence, evidence.time);
  }
  const time = blockTimeAt(ctx, height);
  if (time === undefined) {
    ctx.step(MODULE_NAME, "block at the infraction", `there is no block ${height}`, "ignored");
    return { reason: `there is no block ${height} to take its time from` };
  }
  const apart =
    time === evidence.time ? "" : `, ${goDuration(evidence.time - time)} from the one carried`;
  ctx.step(MODULE_NAME, "block at the infraction", `time of block ${height}${apart}`, "ok");
  return basicFault(ctx, evidence) ?? punish(ctx, needs, evidence, time);
}

/**
 * What is stored must be valid, or no genesis could hold it: an export of this chain would be refused. Upstream stores
 * unchecked, trusting its engine, which never reports what would fail here; its exports of such a state are refused.
 */
function basicFault(ctx: Context, evidence: Equivocation): PassedOver | undefined {
  if (ctx.profile.misbehaviorCheck === "none") return undefined;
  try {
    evidence.validateBasic();
    return undefined;
  } catch (error) {
    const reason = errorText(error);
    ctx.step(MODULE_NAME, "basic validation", reason, "ignored");
    return { reason };
  }
}
