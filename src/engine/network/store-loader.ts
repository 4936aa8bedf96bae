import type { BinarySpec } from "../app/binary.ts";
import { errorText } from "../framework/errors.ts";
import type { Profile } from "../framework/profile.ts";
import { type CommittedState, loadState } from "../store/multi-store.ts";
import { type Node, UPGRADE_INFO } from "./node.ts";

/** What upgrade-info.json says; the rest of the file is for people and sidecars. */
interface UpgradeInfo {
  readonly name: string;
  readonly height: number;
}

/**
 * Opens a node's stores with its installed binary, as the process does when it starts: if the file on
 * its disk names an upgrade this binary has store upgrades for, and the next block is the one it is
 * meant for, they happen now; else the stores must fit as they are. So they act exactly once.
 * Throws with the text that the process exits with. Source: upgrade document §2, evidence facts §4.
 */
export function loadStores(
  binary: BinarySpec,
  mounted: readonly string[],
  node: Node,
  heightRow: Profile["upgradeHeight"],
): CommittedState {
  const info = readUpgradeInfo(node.files.get(UPGRADE_INFO));
  const { applied } = node;
  const upgrades = info === undefined ? undefined : binary.stores[info.name];
  const due =
    info !== undefined &&
    !node.skipUpgradeHeights.has(info.height) &&
    // A plan for the height at which it was decided fires one block later.
    (info.height === applied.height + 1 ||
      (heightRow === "plan" && info.height === applied.height));
  try {
    return loadState(applied.state, mounted, due ? upgrades : undefined, applied.height);
  } catch (error) {
    throw new Error(`failed to load latest version: ${errorText(error)}`);
  }
}

function readUpgradeInfo(content: string | undefined): UpgradeInfo | undefined {
  if (content === undefined) return undefined;
  let parsed: unknown;
  try {
    parsed = JSON.parse(content);
  } catch {
    throw new Error(`failed to read upgrade info from disk: ${UPGRADE_INFO} is not JSON`);
  }
  const { name, height } = (parsed ?? {}) as { name?: unknown; height?: unknown };
  if (typeof name !== "string" || typeof height !== "number") {
    throw new Error(`failed to read upgrade info from disk: ${UPGRADE_INFO} holds no plan`);
  }
  return { name, height };
}
