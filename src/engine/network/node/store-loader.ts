import type { App } from "../../app/app.ts";
import { HaltError, haltCauseOf } from "../../framework/halt.ts";
import type { Profile } from "../../framework/profile.ts";
import { planCodec } from "../../modules/upgrade/keeper.ts";
import { PLAN_KEY } from "../../modules/upgrade/keys.ts";
import { UPGRADE_INFO_PATH } from "../../modules/upgrade/upgrade-info.ts";
import { type CommittedState, StoreVersionError } from "../../store/multi-store.ts";
import { readPlan, type UpgradeInfo, validatePlan } from "../sidecar/upgrade-watch.ts";
import type { Node } from "./node.ts";

/**
 * Opens a node's stores with its installed binary, as the process does when it starts. If the file
 * on its disk names an upgrade for which this binary has store upgrades, and the next block is the
 * one of the upgrade, they are applied now; otherwise the stores must match as they are. So store
 * upgrades are applied exactly once. Throws the HaltError with which the process exits. See
 * rules/upgrade 6.1.
 */
export function loadStores(
  app: App,
  node: Node,
  heightRow: Profile["upgradeHeight"],
): CommittedState {
  const info = readUpgradeInfo(node.files.get(UPGRADE_INFO_PATH));
  const { applied } = node;
  // Store changes by an earlier start were never committed: the disk still has the state of the
  // last block.
  const onDisk = applied.outcome?.state ?? applied.state;
  const skipped = info === undefined || node.skipUpgradeHeights.has(info.height);
  // A plan for the height at which it was decided fires one block later.
  const isLate =
    !skipped && heightRow === "plan" && info.height === applied.height && isPending(onDisk, info);
  const upgrade = skipped ? undefined : { ...info, height: info.height + (isLate ? 1 : 0) };
  try {
    return app.loadStores(onDisk, applied.height, upgrade, node.firstVersion);
  } catch (error) {
    if (!(error instanceof StoreVersionError)) throw error;
    throw new HaltError({ kind: "store_version_mismatch", error: error.message });
  }
}

/** Returns true if the plan in the file is the one waiting to be applied. */
function isPending(state: CommittedState, { name, height }: UpgradeInfo): boolean {
  if (!state.has("upgrade")) return false;
  const plan = state.reader("upgrade").read(PLAN_KEY, planCodec);
  return plan?.name === name && plan.height === BigInt(height);
}

/**
 * Without a file there is no plan; a file without a plan ends the process at its start
 * (rules/upgrade 5.2).
 */
function readUpgradeInfo(content: string | undefined): UpgradeInfo | undefined {
  if (content === undefined) return undefined;
  try {
    const plan = readPlan(content);
    validatePlan(plan);
    return plan;
  } catch (error) {
    throw new HaltError(
      haltCauseOf(error, (text) => ({ kind: "upgrade_info_unreadable", error: text })),
    );
  }
}
