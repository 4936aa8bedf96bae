import { storeUpgradesOf } from "../../../engine/app/binary.ts";
import { UPGRADE_INFO_PATH } from "../../../engine/modules/upgrade/upgrade-info.ts";
import { unreachable } from "../../../engine/primitives/unreachable.ts";
import type { Simulation } from "../../../engine/simulation/simulation.ts";
import type { ChainStatus, NodeView } from "../../../engine/simulation/views.ts";
import type { Remedy } from "../../../gen/lab/v1/lab_plain.ts";
import { literal } from "../../../input/reference-syntax.ts";
import {
  binariesWithHandler,
  compatibleBinary,
  type DuePlan,
  duePlan,
  upgradeInfoOf,
} from "./binary-compatibility.ts";
import { type Diagnosis, diagnose, folderOf, namesOf } from "./diagnosis.ts";
import { act, forgets, type ScenarioStep, writeSigners } from "./node-steps.ts";

/** Remedies in one answer at most. */
const MAX_REMEDIES = 12;
/** Up to so many nodes each gets a button of its own. */
const FEW = 8;

interface Situation {
  readonly sim: Simulation;
  readonly plan: DuePlan | undefined;
  readonly needed: number;
  /** A node that votes, from which others can state-sync. */
  readonly peer: NodeView | undefined;
}

/**
 * What would bring missing nodes back, best first, each as a scenario step (or a list of steps) in
 * JSON. Every one of them, when run, lets the nodes it names take part again.
 */
export function remediesOf(
  sim: Simulation,
  chainStatus: ChainStatus,
  plan: DuePlan | undefined,
): readonly Remedy[] {
  if (chainStatus.missing.length === 0) return [];
  const missing = new Set(chainStatus.missing.flatMap(({ nodes }) => nodes));
  const situation = {
    sim,
    plan,
    needed: chainStatus.neededPower,
    peer: sim.nodes().find(({ name, process }) => process === "running" && !missing.has(name)),
  };
  const remedies = diagnose(sim, chainStatus).flatMap((diagnosis) =>
    remediesFor(situation, diagnosis),
  );
  const seen = new Set<string>();
  return remedies.filter(({ step }) => !seen.has(step) && seen.add(step)).slice(0, MAX_REMEDIES);
}

/** No text of a remedy is a reference, whatever a path on a disk looks like. */
const remedy = (label: string, ...steps: readonly ScenarioStep[]): Remedy => ({
  label,
  step: JSON.stringify(steps.length === 1 ? steps[0] : steps, (_, value: unknown) =>
    typeof value === "string" ? literal(value) : value,
  ),
});

function remediesFor(situation: Situation, diagnosis: Diagnosis): readonly Remedy[] {
  const { cause, nodes } = diagnosis;
  const who = namesOf(nodes);
  switch (cause.kind) {
    case "upgrade_needed":
      return [...switches(situation, nodes, cause.plan), ...skips(situation, diagnosis, [])];
    case "binary_too_early":
      return installCompatible(situation, nodes, { name: cause.plan, height: 0 });
    case "handler_missing": {
      const back = installCompatible(situation, nodes, undefined, cause.plan);
      return back.length > 0 ? back : stateSync(situation, nodes);
    }
    case "fault":
      if (cause.fault === "signer") return repairSigners(situation, nodes);
      return [remedy(`Clear the faults of ${who}`, ...clearFaults(nodes))];
    case "signer_state_missing":
    case "signer_state_unreadable":
      return repairSigners(situation, nodes);
    case "stopped":
      return starts(situation, nodes);
    case "crashed":
      return [
        remedy(
          `Clear the faults of ${who} and start ${nodes.length === 1 ? "it" : "them"}`,
          ...clearFaults(nodes),
          act(nodes, { start: true }),
        ),
      ];
    case "time_out_of_range":
      return setClocks(nodes);
    case "behind":
    case "partitioned":
    case "other_fork":
      return [remedy("Heal the network", { partition: "heal" })];
    case "diverged":
    case "wrong_app_hash":
    case "wrong_last_results_hash":
    case "wrong_last_block_id":
      return stateSync(situation, nodes);
    case "halt_height":
      return [remedy(`Start ${who} without a halt height`, act(nodes, { halt_height: 0 }))];
    case "upgrade_info_not_written":
      return repairDisk(situation, nodes);
    case "upgrade_info_unreadable":
      return [
        remedy(
          `Remove upgrade-info.json and start ${who}`,
          act(nodes, { remove_file: UPGRADE_INFO_PATH }),
          act(nodes, { start: true }),
        ),
      ];
    case "sidecar_skips":
      return starts(situation, nodes, "Without a sidecar, start", [
        act(nodes, { sidecar: { mode: "manual" } }),
      ]);
    case "backup_dir_missing":
      return makeBackupDir(situation, nodes, folderOf(cause.dir));
    case "launch_failed":
      return otherBinary(situation, diagnosis, { broken: true });
    case "store_version_mismatch":
      return otherBinary(situation, diagnosis);
    case "application_error":
    case "validator_set_error":
    case "sidecar_failed":
    case "sidecar_waits":
    case "sidecar_restart_off":
      // A binary that got as far as this in the upgrade would fail in it again.
      return otherBinary(situation, diagnosis, { failed: nodes[0]?.binary });
    default:
      return unreachable(cause);
  }
}

/** Nothing helps a chain whose own time has run out; a node with a wrong clock needs a right one. */
function setClocks(nodes: readonly NodeView[]): readonly Remedy[] {
  const wrong = nodes.filter(({ faults }) => faults.some(({ kind }) => kind === "clock"));
  if (wrong.length === 0) return [];
  return [
    remedy(
      `Set the ${wrong.length === 1 ? "clock" : "clocks"} of ${namesOf(wrong)} right and start ${wrong.length === 1 ? "it" : "them"}`,
      ...clearFaults(wrong),
      act(wrong, { start: true }),
    ),
  ];
}

const clearFaults = (nodes: readonly NodeView[]): readonly ScenarioStep[] =>
  nodes.map(({ name }) => ({ fault: { clear: name } }));

function repairSigners(situation: Situation, nodes: readonly NodeView[]): readonly Remedy[] {
  const one = nodes.length === 1;
  return [
    remedy(
      `Write the signer ${one ? "state" : "states"} of ${namesOf(nodes)} anew and start ${one ? "it" : "them"}`,
      ...writeSigners(situation.sim, nodes),
      act(nodes, { start: true }),
    ),
  ];
}

function makeBackupDir(
  situation: Situation,
  nodes: readonly NodeView[],
  dir: string,
): readonly Remedy[] {
  return starts(situation, nodes, "Make the folder for backups and start", [
    act(nodes, { remove_file: dir }),
    act(nodes, { write_file: { path: `${dir}/.keep`, content: "" } }),
  ]);
}

function switches(
  situation: Situation,
  nodes: readonly NodeView[],
  plan: string,
  failed?: string,
): readonly Remedy[] {
  const { sim, plan: due } = situation;
  const [first] = nodes;
  if (first === undefined) return [];
  const old = compatibleBinary(sim, first, due)?.name;
  const binaries = binariesWithHandler(sim, first, plan).filter(({ name }) => name !== failed);
  return binaries.flatMap((spec) => {
    const binary = spec.name;
    const all = nodes.length === 1 ? first.name : "all waiting nodes";
    // A StoreLoader goes by upgrade-info.json, and only the old binary writes that.
    const needsFile = (node: NodeView): boolean =>
      storeUpgradesOf(spec, plan) !== undefined && upgradeInfoOf(sim, node)?.name !== plan;
    // It was rolled back to before the block that the plan is due after: only the old binary makes up for that.
    const isBehind = (node: NodeView): boolean => {
      const info = upgradeInfoOf(sim, node);
      return info?.name === plan && node.height < info.height - 1;
    };
    const to = (label: string, some: readonly NodeView[]): Remedy => {
      const skipping = some.filter((node) => node.skipUpgradeHeights.length > 0);
      const without = some.filter(needsFile);
      const writes = without.length > 0 && old !== undefined;
      const behind = old === undefined ? [] : some.filter(isBehind);
      const before = [
        ...(writes ? [`${old} has written upgrade-info.json`] : []),
        ...(behind.length > 0 ? [`${old} has brought ${namesOf(behind)} to that height`] : []),
      ];
      return remedy(
        before.length > 0 ? `${label}, after ${before.join(" and ")}` : label,
        ...writeSigners(
          sim,
          some.filter((node) => forgets(sim, node)),
        ),
        ...some
          .filter(({ height }) => height > sim.height)
          .map((node) => {
            // It has applied the block without the upgrade.
            return act([node], { roll_back: node.height - sim.height });
          }),
        ...(skipping.length > 0 ? [act(skipping, { skip_upgrades: [] })] : []),
        ...(writes
          ? [act(without, { disk: { writable: true } }), act(without, { halt_height: 0 })]
          : []),
        ...(writes ? [act(without, { binary: old })] : []),
        ...(behind.length > 0 ? [act(behind, { binary: old })] : []),
        act(some, { binary }),
      );
    };
    return [
      to(`Switch ${all} to ${binary}`, nodes),
      ...(nodes.length > 1 && nodes.length <= FEW
        ? nodes.map((node) => to(`Switch ${node.name} to ${binary}`, [node]))
        : []),
    ];
  });
}

/** Skipping the upgrade: only where the nodes that skip it have a quorum by themselves. */
function skips(
  { sim, plan, needed }: Situation,
  { nodes, power }: Diagnosis,
  before: readonly ScenarioStep[],
): readonly Remedy[] {
  const [first] = nodes;
  const info = first && upgradeInfoOf(sim, first);
  if (first === undefined || info === undefined || power < needed) return [];
  if (info.name !== plan?.name) return [];
  const heights = [...new Set([...first.skipUpgradeHeights, info.height])];
  return [
    remedy(
      `Skip the upgrade "${info.name}" on ${namesOf(nodes)}`,
      ...before,
      act(nodes, { skip_upgrades: heights }),
    ),
  ];
}

function installCompatible(
  { sim }: Situation,
  nodes: readonly NodeView[],
  plan: DuePlan | undefined,
  needs?: string,
): readonly Remedy[] {
  const [first] = nodes;
  const compatible = first && compatibleBinary(sim, first, plan, needs);
  if (compatible === undefined) return [];
  const binary = compatible.name;
  return [remedy(`Install ${binary} on ${namesOf(nodes)}`, act(nodes, { binary }))];
}

/**
 * Starts nodes. One that was offline while others switched binaries halts at their height and is
 * switched then.
 */
function starts(
  { sim, plan }: Situation,
  nodes: readonly NodeView[],
  what = "Start",
  before: readonly ScenarioStep[] = [],
): readonly Remedy[] {
  const due = duePlan(sim, plan);
  const [first] = nodes;
  const upgradeBinary = due && first && binariesWithHandler(sim, first, due.name)[0]?.name;
  const needed = upgradeBinary ?? sim.block(sim.height)?.binary;
  const behind = nodes.filter(({ binary }) => needed !== undefined && binary !== needed);
  // A node that still skips the upgrade that the others wait for would diverge.
  const skipping = nodes.filter(
    ({ skipUpgradeHeights }) => upgradeBinary !== undefined && skipUpgradeHeights.length > 0,
  );
  const rest = nodes.filter((node) => !skipping.includes(node));
  const steps = [
    ...before,
    ...(skipping.length > 0 ? [act(skipping, { skip_upgrades: [] })] : []),
    ...(rest.length > 0 ? [act(rest, { start: true })] : []),
    ...(behind.length > 0 ? [act(behind, { binary: needed })] : []),
  ];
  const label = `${what} ${namesOf(nodes)}`;
  return [remedy(behind.length > 0 ? `${label} and switch to ${needed}` : label, ...steps)];
}

/** Restores the state of a node that votes on the others, as operators do when states have diverged. */
function stateSync({ peer }: Situation, nodes: readonly NodeView[]): readonly Remedy[] {
  if (peer === undefined) return [];
  const others = nodes.filter(({ name, binary }) => name !== peer.name && binary !== peer.binary);
  const install = others.length === 0 ? [] : [act(others, { binary: peer.binary })];
  return [
    remedy(
      `State-sync ${namesOf(nodes)} from ${peer.name}`,
      ...install,
      act(nodes, { state_sync: peer.name }),
    ),
  ];
}

function repairDisk({ sim, plan }: Situation, nodes: readonly NodeView[]): readonly Remedy[] {
  const [first] = nodes;
  const upgradeBinary = plan && first && binariesWithHandler(sim, first, plan.name)[0]?.name;
  return [
    remedy(
      `Make the disk of ${namesOf(nodes)} writable and start${upgradeBinary ? ` with ${upgradeBinary}` : ""}`,
      act(nodes, { disk: { writable: true } }),
      act(nodes, { start: true }),
      ...(upgradeBinary ? [act(nodes, { binary: upgradeBinary })] : []),
    ),
  ];
}

/**
 * Remedies for nodes whose binary failed: another binary, the previous one, or a peer's state. `failed`: the
 * binary not to try again; `broken`: the installed one does not run, so that reinstalling it may help.
 */
function otherBinary(
  situation: Situation,
  diagnosis: Diagnosis,
  {
    failed,
    broken = false,
  }: { readonly failed?: string | undefined; readonly broken?: boolean } = {},
): readonly Remedy[] {
  const { sim, plan, peer } = situation;
  const { nodes } = diagnosis;
  const [first] = nodes;
  if (first === undefined) return [];
  const due = duePlan(sim, plan);
  const compatible = compatibleBinary(sim, first, plan);
  const back = compatible ? [act(nodes, { binary: compatible.name })] : [];
  if (due !== undefined) {
    return [...switches(situation, nodes, due.name, failed), ...skips(situation, diagnosis, back)];
  }
  if (compatible !== undefined && (broken || compatible.name !== first.binary))
    return installCompatible(situation, nodes, plan);
  return peer === undefined ? [] : stateSync(situation, nodes);
}
