import { type BinarySpec, storeUpgradesOf } from "../../../engine/app/binary.ts";
import { UPGRADE_INFO_PATH } from "../../../engine/modules/upgrade/upgrade-info.ts";
import type { UpgradeInfo } from "../../../engine/network/sidecar/upgrade-watch.ts";
import type { Simulation } from "../../../engine/simulation/simulation.ts";
import type { NodeView } from "../../../engine/simulation/views.ts";
import { readOr } from "../frame/read-state.ts";

export interface DuePlan {
  readonly name: string;
  readonly height: number;
}

export const scheduledPlan = (sim: Simulation): UpgradeInfo | undefined => {
  const plan = readOr(sim, undefined, (ctx, { upgrade }) => upgrade.getUpgradePlan(ctx));
  return plan && { name: plan.name, height: Number(plan.height), info: plan.info };
};

/** Reads upgrade-info.json from a node's disk; undefined if it is missing or invalid. */
export function upgradeInfoOf(sim: Simulation, node: NodeView): DuePlan | undefined {
  try {
    const { name, height } = JSON.parse(sim.file(node.name, UPGRADE_INFO_PATH) ?? "");
    return typeof name === "string" && typeof height === "number" ? { name, height } : undefined;
  } catch {
    return undefined;
  }
}

/** The plan that the decided but unapplied block waits for. */
export function duePlan(sim: Simulation, plan: DuePlan | undefined): DuePlan | undefined {
  const waits = sim.decidedHeight > sim.height;
  return waits && plan !== undefined && plan.height <= sim.decidedHeight ? plan : undefined;
}

/** The plan in a node's upgrade-info.json that the chain has passed and the node has not. */
export function passedPlan(sim: Simulation, node: NodeView): DuePlan | undefined {
  const info = upgradeInfoOf(sim, node);
  return info && node.height < info.height && info.height <= sim.height ? info : undefined;
}

/**
 * Binaries that would take a node through the due upgrade: with a handler, stores that open, and
 * valid migrations. Binaries that mount every store come first.
 */
export function binariesWithHandler(
  sim: Simulation,
  node: NodeView,
  plan: string,
): readonly BinarySpec[] {
  return sim
    .binaries()
    .filter(
      ({ handlers, migration }) =>
        handlers.includes(plan) && ["ok", "returns"].includes(migration.kind),
    )
    .map((binary) => ({ binary, drops: droppedBy(sim, node, binary, plan) }))
    .filter(({ drops }) => drops !== undefined)
    .sort((a, b) => Number(a.drops) - Number(b.drops))
    .map(({ binary }) => binary);
}

/**
 * Finds a binary with which a node continues without an upgrade: its stores open as they are and it
 * has no handler of a future plan. Binaries that mount every store come first, then the one that
 * made the last block.
 */
export function compatibleBinary(
  sim: Simulation,
  node: NodeView,
  plan: DuePlan | undefined,
  needs?: string,
): BinarySpec | undefined {
  const last = sim.block(sim.height)?.binary;
  return sim
    .binaries()
    .filter(
      ({ handlers }) =>
        !(plan && handlers.includes(plan.name)) &&
        (needs === undefined || handlers.includes(needs)),
    )
    .map((binary) => ({ binary, drops: droppedBy(sim, node, binary, undefined) }))
    .filter(({ drops }) => drops !== undefined)
    .sort(
      (a, b) =>
        Number(a.drops) - Number(b.drops) ||
        Number(b.binary.name === last) - Number(a.binary.name === last),
    )[0]?.binary;
}

/**
 * Number of stores that a node loses with a binary; undefined if its stores do not open
 * (rules/upgrade 6.2, 6.3).
 */
function droppedBy(
  sim: Simulation,
  node: NodeView,
  binary: BinarySpec,
  upgrade: string | undefined,
): number | undefined {
  const stores = new Set(sim.stateOf(node.name).storeNames);
  const changes = upgrade === undefined ? undefined : storeUpgradesOf(binary, upgrade);
  for (const { oldKey, newKey } of changes?.renamed ?? []) {
    if (stores.delete(oldKey)) stores.add(newKey);
  }
  for (const name of changes?.deleted ?? []) stores.delete(name);
  for (const name of changes?.added ?? []) stores.add(name);
  const mounted = Object.keys(binary.modules);
  return mounted.every((name) => stores.has(name)) ? stores.size - mounted.length : undefined;
}
