import type { Context } from "../../framework/context.ts";
import { errorText, plainError } from "../../framework/errors.ts";
import type { UpgradeKeeper } from "./keeper.ts";
import { LOG_MODULE, MODULE_NAME, type Plan, shouldExecute } from "./types.ts";
import { dumpUpgradeInfoToDisk } from "./upgrade-info.ts";

/** Consensus param Version.App, which chains leave at 0. It is not the protocol version. */
const APP_VERSION = 0;

/**
 * Decides in every block, on every node, by the table of facts §3.8: nothing planned, due and
 * skipped, due without Handler, due with Handler, Handler here too early, or the wrong binary after
 * an upgrade. What it throws halts this node with the block decided but not applied.
 */
export function preBlock(ctx: Context, keeper: UpgradeKeeper): void {
  const plan = keeper.getUpgradePlan(ctx);
  const due = plan !== undefined && shouldExecute(plan, ctx.height);
  const skip = due && keeper.isSkipHeight(ctx, upgradeHeight(ctx, plan));

  if (ctx.env.node.firstBlock && (!due || skip)) checkBinary(ctx, keeper);
  if (plan === undefined) return;
  const has = keeper.hasHandler(plan.name);
  const name = `plan "${plan.name}"`;

  if (!due) {
    if (has) tooEarly(ctx, plan);
    note(ctx, name, `due at height ${plan.height}, this is ${ctx.height}`, "info");
    return;
  }
  note(ctx, name, `due at height ${plan.height}`, "ok");
  if (skip) {
    ctx.log("info", LOG_MODULE, `UPGRADE "${plan.name}" SKIPPED at ${plan.height}: ${plan.info}`);
    note(ctx, "skip height", `${upgradeHeight(ctx, plan)} is set on this node`, "ignored");
    keeper.clearUpgradePlan(ctx);
    return;
  }
  note(ctx, "skip height", "not set on this node", "info");
  if (!has) stop(ctx, plan);
  note(ctx, `Handler "${plan.name}"`, "in this binary", "ok");
  ctx.log("info", LOG_MODULE, `applying upgrade "${plan.name}" at height: ${plan.height}`);
  keeper.applyUpgrade(ctx, plan);
}

/** The height that upgrade-info.json and the skip flag go by. */
const upgradeHeight = (ctx: Context, plan: Plan): number =>
  ctx.profile.upgradeHeight === "plan" ? Number(plan.height) : ctx.height;

/** A process that starts after an upgrade must carry that upgrade's Handler. */
function checkBinary(ctx: Context, keeper: UpgradeKeeper): void {
  const last = keeper.getLastCompletedUpgrade(ctx);
  if (last === undefined) return;
  if (keeper.hasHandler(last.name)) {
    note(ctx, "binary", `carries the Handler of "${last.name}", the last upgrade`, "ok");
    return;
  }
  note(ctx, "binary", `lacks the Handler of "${last.name}", the last upgrade`, "halt");
  throw plainError(
    `wrong app version ${APP_VERSION}, upgrade handler is missing for ${last.name} upgrade plan`,
  );
}

function tooEarly(ctx: Context, plan: Plan): never {
  const text = `BINARY UPDATED BEFORE TRIGGER! UPGRADE "${plan.name}" - in binary but not executed on chain. Downgrade your binary`;
  note(
    ctx,
    `Handler "${plan.name}"`,
    `in this binary already, but due at height ${plan.height}`,
    "halt",
  );
  ctx.log("error", LOG_MODULE, text);
  throw plainError(text);
}

/** The old binary's last act: the plan goes to disk first, then the node stops. */
function stop(ctx: Context, plan: Plan): never {
  note(ctx, `Handler "${plan.name}"`, "not in this binary", "halt");
  try {
    dumpUpgradeInfoToDisk(ctx, upgradeHeight(ctx, plan), plan);
  } catch (error) {
    note(ctx, "upgrade-info.json", errorText(error), "halt");
    throw plainError(`unable to write upgrade info to filesystem: ${errorText(error)}`);
  }
  note(ctx, "upgrade-info.json", `written for height ${upgradeHeight(ctx, plan)}`, "ok");
  const text = `UPGRADE "${plan.name}" NEEDED at height: ${plan.height}: ${plan.info}`;
  ctx.log("error", LOG_MODULE, text);
  note(ctx, "node", "stops here, the block is decided but not applied", "halt");
  throw plainError(text);
}

const note = (
  ctx: Context,
  what: string,
  found: string,
  outcome: "ok" | "ignored" | "halt" | "info",
): void => ctx.step(MODULE_NAME, what, found, outcome);
