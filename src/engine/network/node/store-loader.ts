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
 * Opens a node's stores with its installed binary, as the process does when it starts: if the file on
 * its disk names an upgrade this binary has store upgrades for, and the next block is the one it is
 * meant for, they happen now; else the stores must fit as they are. So they act exactly once.
 * Throws the HaltError that the process exits with. See rules/upgrade 6.1.
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

/** Returns true if the very plan in the file waits to be applied. */
function isPending(state: CommittedState, { name, height }: UpgradeInfo): boolean {
  if (!state.has("upgrade")) return false;
  const plan = state.reader("upgrade").read(PLAN_KEY, planCodec);
  return plan?.name === name && plan.height === BigInt(height);
}

/** No file is no plan; one that holds none ends the process as it starts (rules/upgrade 5.2). */
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
