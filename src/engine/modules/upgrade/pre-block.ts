import type { Context } from "../../framework/context.ts";
import { HaltError } from "../../framework/halt.ts";
import type { UpgradeKeeper } from "./keeper.ts";
import { note } from "./steps.ts";
import { LOG_MODULE, type Plan, shouldExecute } from "./types.ts";
import { dumpUpgradeInfoToDisk } from "./upgrade-info.ts";

/**
 * Decides in every block, on every node, by rules/upgrade 4.1 and 4.2: nothing planned, due and
 * skipped, due without handler, due with handler, handler too early, or the wrong binary after an
 * upgrade. An error halts this node with the block decided but not applied.
 */
export function preBlock(ctx: Context, keeper: UpgradeKeeper): void {
  const plan = keeper.getUpgradePlan(ctx);
  const due = plan !== undefined && shouldExecute(plan, ctx.height);
  const skip = due && keeper.isSkipHeight(ctx, upgradeHeight(ctx, plan));

  if (ctx.env.node.firstBlock && (!due || skip)) checkBinary(ctx, keeper);
  if (plan === undefined) return;
  const has = keeper.hasHandler(plan.name);
  const planFacts = { name: plan.name, height: plan.height, current: ctx.height, due };

  if (!due) {
    if (has) tooEarly(ctx, plan);
    note(ctx, "plan", planFacts);
    return;
  }
  note(ctx, "plan", planFacts, "ok");
  if (skip) {
    ctx.log("info", LOG_MODULE, `UPGRADE "${plan.name}" SKIPPED at ${plan.height}: ${plan.info}`);
    note(ctx, "skip_height", { height: upgradeHeight(ctx, plan) }, "ignored");
    keeper.clearUpgradePlan(ctx);
    return;
  }
  note(ctx, "skip_height", {});
  if (!has) stop(ctx, plan);
  note(ctx, "handler", { name: plan.name, found: true }, "ok");
  ctx.log("info", LOG_MODULE, `applying upgrade "${plan.name}" at height: ${plan.height}`);
  keeper.applyUpgrade(ctx, plan);
}

/** Height for upgrade-info.json and the skip flag (rules/upgrade 4.4). */
const upgradeHeight = (ctx: Context, plan: Plan): number =>
  ctx.profile.upgradeHeight === "plan" ? Number(plan.height) : ctx.height;

/** Halts a process whose binary lacks the handler of the last upgrade (rules/upgrade 4.2). */
function checkBinary(ctx: Context, keeper: UpgradeKeeper): void {
  const last = keeper.getLastCompletedUpgrade(ctx);
  if (last === undefined) return;
  if (keeper.hasHandler(last.name)) {
    note(ctx, "last_upgrade", { name: last.name, handler: true }, "ok");
    return;
  }
  note(ctx, "last_upgrade", { name: last.name, handler: false }, "halt");
  throw new HaltError({ kind: "handler_missing", plan: last.name });
}

/** Halts the node: its binary has the handler of a plan that is not due yet (rules/upgrade 4.8). */
function tooEarly(ctx: Context, plan: Plan): never {
  const halt = new HaltError({ kind: "binary_too_early", plan: plan.name });
  note(ctx, "early_handler", { name: plan.name, height: plan.height }, "halt");
  ctx.log("error", LOG_MODULE, halt.message);
  throw halt;
}

/**
 * Writes the plan to disk, then halts the node: the old binary cannot apply the upgrade
 * (rules/upgrade 4.3).
 */
function stop(ctx: Context, plan: Plan): never {
  note(ctx, "handler", { name: plan.name, found: false }, "halt");
  const height = upgradeHeight(ctx, plan);
  const error = dumpUpgradeInfoToDisk(ctx, height, plan);
  if (error !== undefined) {
    note(ctx, "upgrade_info", { height, error }, "halt");
    throw new HaltError({ kind: "upgrade_info_not_written", error });
  }
  note(ctx, "upgrade_info", { height }, "ok");
  const { name, info } = plan;
  const cause = { kind: "upgrade_needed", plan: name, height: Number(plan.height), info } as const;
  const halt = new HaltError(cause);
  ctx.log("error", LOG_MODULE, halt.message);
  note(ctx, "node_stops", { height: ctx.height }, "halt");
  throw halt;
}
