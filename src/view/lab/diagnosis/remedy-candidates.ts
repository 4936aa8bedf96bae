import { unreachable } from "../../../base/unreachable.ts";
import { storeUpgradesOf } from "../../../engine/app/binary.ts";
import { UPGRADE_INFO_PATH } from "../../../engine/modules/upgrade/upgrade-info.ts";
import type { SkipFlag } from "../../../engine/network/node/start-args.ts";
import type { Simulation } from "../../../engine/simulation/simulation.ts";
import type { ChainStatus, NodeView } from "../../../engine/simulation/views.ts";
import {
  binariesWithHandler,
  compatibleBinary,
  type DuePlan,
  duePlan,
  passedPlan,
  upgradeInfoOf,
} from "./binary-compatibility.ts";
import { type Diagnosis, diagnose, folderOf, namesOf } from "./diagnosis.ts";
import { type Action, act, rewriteSigner, type ScenarioStep } from "./node-steps.ts";

/** Up to so many nodes each gets a button of its own. */
const FEW = 8;

interface Situation {
  readonly sim: Simulation;
  readonly plan: DuePlan | undefined;
  /** A node that votes, from which others can state-sync. */
  readonly peer: NodeView | undefined;
}

/** Steps that may bring nodes back. */
export interface Candidate {
  readonly label: string;
  readonly steps: readonly ScenarioStep[];
}

/** Candidates for the nodes of one diagnosis. */
export interface CandidateGroup {
  readonly nodes: readonly string[];
  readonly candidates: readonly Candidate[];
  /** The state of a node that votes in place of their own, for where none of these helps. */
  readonly last: Candidate | undefined;
}

/** Everything that is worth trying for the missing nodes of a status, the most likely first, by diagnosis. */
export function candidatesOf(
  sim: Simulation,
  chainStatus: ChainStatus,
  plan: DuePlan | undefined,
): readonly CandidateGroup[] {
  const missing = new Set(chainStatus.missing.flatMap(({ nodes }) => nodes));
  const peer = sim.nodes().find(({ name, process }) => process === "running" && !missing.has(name));
  const situation = { sim, plan, peer };
  return diagnose(sim, chainStatus).map((diagnosis) => {
    const nodes = diagnosis.nodes.map(({ name }) => name);
    const [last] = stateSync(situation, diagnosis.nodes);
    return { nodes, candidates: remediesFor(situation, diagnosis), last };
  });
}

const candidate = (label: string, ...steps: readonly ScenarioStep[]): Candidate => ({
  label,
  steps,
});

/** A step before those that a label names, and how it says so: "installing v1 on val-3 to reach block 19". */
type Preparation = readonly [text: string, step: ScenarioStep];

/** An action on nodes before those that a label names; none where there are no nodes. */
function prepare(
  nodes: readonly NodeView[],
  action: Action,
  text: (who: string, s: string) => string,
): readonly Preparation[] {
  if (nodes.length === 0) return [];
  return [[text(namesOf(nodes), nodes.length === 1 ? "" : "s"), act(nodes, action)]];
}

/** A candidate whose label says the steps before those that it names, too. */
function prepared(
  label: string,
  before: readonly Preparation[],
  ...steps: readonly ScenarioStep[]
): Candidate {
  const texts = before.map(([text]) => text);
  const last = texts.at(-1);
  const list = texts.length < 2 ? last : `${texts.slice(0, -1).join(", ")} and ${last}`;
  const whole = last === undefined ? label : `${label}, after ${list}`;
  return candidate(whole, ...before.map(([, step]) => step), ...steps);
}

/** A node does not start without a signer's state. */
const writeMissing = (sim: Simulation, nodes: readonly NodeView[]): readonly Preparation[] =>
  prepare(
    nodes.filter(({ name }) => sim.lacksSigner(name)),
    rewriteSigner(sim),
    (who, s) => `writing the signer state${s} of ${who} anew`,
  );

/** Keeps nodes from signing anew at a height that their signers have forgotten. */
export function rewriteSigners(sim: Simulation, nodes: readonly NodeView[]): Candidate {
  const states = nodes.length === 1 ? "state" : "states";
  return candidate(
    `Write the signer ${states} of ${namesOf(nodes)} anew`,
    act(nodes, rewriteSigner(sim)),
  );
}

function remediesFor(situation: Situation, diagnosis: Diagnosis): readonly Candidate[] {
  const { cause, nodes } = diagnosis;
  const who = namesOf(nodes);
  switch (cause.kind) {
    case "upgrade_needed":
      return [
        ...switches(situation, nodes, { name: cause.plan, height: cause.height }),
        ...skips(nodes, cause, []),
      ];
    case "binary_too_early":
      return installCompatible(situation, nodes, { name: cause.plan, height: 0 });
    case "handler_missing": {
      const back = installCompatible(situation, nodes, undefined, cause.plan);
      return back.length > 0 ? back : stateSync(situation, nodes);
    }
    case "fault":
      if (cause.fault === "signer") return repairSigners(situation, nodes);
      return [candidate(`Clear the faults of ${who}`, ...clearFaults(nodes))];
    case "signer_state_missing":
    case "signer_state_unreadable":
      return repairSigners(situation, nodes);
    case "stopped":
      return starts(situation, nodes);
    case "crashed":
      return [
        candidate(
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
      return [candidate("Heal the network", { partition: "heal" })];
    case "diverged":
    case "wrong_app_hash":
    case "wrong_last_results_hash":
    case "wrong_last_block_id":
      return stateSync(situation, nodes);
    case "halt_height":
      return [candidate(`Start ${who} without a halt height`, act(nodes, { halt_height: 0 }))];
    case "halt_time":
      return [candidate(`Start ${who} without a halt time`, act(nodes, { halt_time: 0 }))];
    case "upgrade_info_not_written":
      return repairDisk(situation, nodes);
    case "upgrade_info_unreadable":
      return [
        candidate(
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
function setClocks(nodes: readonly NodeView[]): readonly Candidate[] {
  const wrong = nodes.filter(({ faults }) => faults.some(({ kind }) => kind === "clock"));
  if (wrong.length === 0) return [];
  const hasOthers = wrong.some(({ faults }) => faults.some(({ kind }) => kind !== "clock"));
  const one = wrong.length === 1;
  const what = hasOthers
    ? `Clear the faults of ${namesOf(wrong)}`
    : `Set the ${one ? "clock" : "clocks"} of ${namesOf(wrong)} right`;
  return [
    candidate(
      `${what} and start ${one ? "it" : "them"}`,
      ...clearFaults(wrong),
      act(wrong, { start: true }),
    ),
  ];
}

/** An action on those of some nodes that need it, if there are any. */
function actIf(
  nodes: readonly NodeView[],
  isNeeded: (node: NodeView) => boolean,
  action: Action,
): readonly ScenarioStep[] {
  const some = nodes.filter(isNeeded);
  return some.length === 0 ? [] : [act(some, action)];
}

const clearFaults = (nodes: readonly NodeView[]): readonly ScenarioStep[] =>
  nodes.map(({ name }) => ({ fault: { clear: name } }));

function repairSigners(situation: Situation, nodes: readonly NodeView[]): readonly Candidate[] {
  const { label, steps } = rewriteSigners(situation.sim, nodes);
  const them = nodes.length === 1 ? "it" : "them";
  return [candidate(`${label} and start ${them}`, ...steps, act(nodes, { start: true }))];
}

function makeBackupDir(
  situation: Situation,
  nodes: readonly NodeView[],
  dir: string,
): readonly Candidate[] {
  const { sim } = situation;
  const removal = actIf(nodes, ({ name }) => sim.file(name, dir) !== undefined, {
    remove_file: dir,
  });
  const what =
    removal.length > 0
      ? `Replace the file ${dir} by the folder for backups`
      : "Make the folder for backups";
  return starts(situation, nodes, `${what} and start`, [
    ...removal,
    act(nodes, { write_file: { path: `${dir}/.keep`, content: "" } }),
  ]);
}

function switches(
  situation: Situation,
  nodes: readonly NodeView[],
  { name: plan, height }: DuePlan,
  failed?: string,
): readonly Candidate[] {
  const { sim } = situation;
  const [first] = nodes;
  if (first === undefined) return [];
  const old = compatibleBinary(sim, first, { name: plan, height })?.name;
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
    const to = (label: string, some: readonly NodeView[]): Candidate => {
      const without = some.filter(needsFile);
      const writes = without.length > 0 && old !== undefined;
      const behind = old === undefined ? [] : some.filter(isBehind);
      const reached = Math.min(...behind.map((node) => upgradeInfoOf(sim, node)?.height ?? 0)) - 1;
      // They have applied the block without the upgrade.
      const ahead = some.filter((node) => node.height > sim.height);
      const rollBacks = ahead.flatMap((node) => {
        const blocks = node.height - sim.height;
        return prepare(
          [node],
          { roll_back: blocks },
          (who) => `rolling back ${who} by ${blocks} block${blocks === 1 ? "" : "s"}`,
        );
      });
      const skipping = some.filter(({ skipUpgradeHeights }) => skipUpgradeHeights.includes(height));
      const source = writes ? without : [];
      const install = `installing ${old} on`;
      return prepared(
        label,
        [
          ...writeMissing(sim, some),
          ...rollBacks,
          ...skipNoMore(skipping, height),
          ...prepare(
            source.filter(({ diskWritable }) => !diskWritable),
            { disk: { writable: true } },
            (who, s) => `making the disk${s} of ${who} writable`,
          ),
          ...prepare(
            source.filter(({ haltHeight }) => haltHeight > 0),
            { halt_height: 0 },
            (who, s) => `clearing the halt height${s} of ${who}`,
          ),
          ...prepare(
            source.filter(({ haltTime }) => haltTime > 0),
            { halt_time: 0 },
            (who, s) => `clearing the halt time${s} of ${who}`,
          ),
          ...prepare(
            source,
            { binary: old },
            (who) => `${install} ${who} to write upgrade-info.json`,
          ),
          ...prepare(
            behind,
            { binary: old },
            (who) => `${install} ${who} to reach block ${reached}`,
          ),
        ],
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

/** Sets the flag of each node anew, in one step for those that get the same. */
function setSkipFlags(
  nodes: readonly NodeView[],
  flagOf: (node: NodeView) => SkipFlag,
): readonly (readonly [nodes: readonly NodeView[], action: Action])[] {
  const alike = new Map<string, { flag: SkipFlag; nodes: NodeView[] }>();
  for (const node of nodes) {
    const flag = flagOf(node);
    const key = JSON.stringify(flag);
    const group = alike.get(key);
    if (group) group.nodes.push(node);
    else alike.set(key, { flag, nodes: [node] });
  }
  return [...alike.values()].map(({ flag, nodes: some }) => [
    some,
    { skip_upgrades: flag.form === "comma" ? flag.heights : flag },
  ]);
}

/** Takes one height from those that nodes skip. */
const skipNoMore = (nodes: readonly NodeView[], height: number): readonly Preparation[] =>
  setSkipFlags(nodes, ({ skipFlag: { heights, form } }) => {
    // Of separate arguments the app reads the first: the next one would take its place.
    const rest = form === "space" ? [] : heights.filter((one) => one !== height);
    return { heights: rest, form: rest.length === 0 ? "comma" : form };
  }).flatMap(([some, action]) =>
    prepare(some, action, (who) => `clearing skip height ${height} of ${who}`),
  );

/** The flag of a node with one more height for the app, in the same form if that can express it. */
function withSkipped({ skipFlag, skipUpgradeHeights, height }: NodeView, due: number): SkipFlag {
  const { heights, form } = skipFlag;
  const others = heights.filter((one) => one !== due);
  // Of separate arguments the app reads the first, which may replace only one that it has passed.
  if (form === "space" && skipUpgradeHeights.every((one) => one === due || one <= height))
    return { heights: [due, ...others], form };
  const all = [...new Set([...skipUpgradeHeights, due])].sort((a, b) => a - b);
  return { heights: all, form: form === "space" ? "comma" : form };
}

/** Skipping the upgrade, beside those that each node skips already. */
function skips(
  nodes: readonly NodeView[],
  due: { readonly plan: string; readonly height: number },
  before: readonly Preparation[],
): readonly Candidate[] {
  const flags = setSkipFlags(nodes, (node) => withSkipped(node, due.height));
  return [
    prepared(
      `Skip the upgrade "${due.plan}" on ${namesOf(nodes)}`,
      before,
      ...flags.map(([some, action]) => act(some, action)),
    ),
  ];
}

function installCompatible(
  { sim }: Situation,
  nodes: readonly NodeView[],
  plan: DuePlan | undefined,
  needs?: string,
): readonly Candidate[] {
  const [first] = nodes;
  const compatible = first && compatibleBinary(sim, first, plan, needs);
  if (compatible === undefined) return [];
  const binary = compatible.name;
  return [candidate(`Install ${binary} on ${namesOf(nodes)}`, act(nodes, { binary }))];
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
): readonly Candidate[] {
  const due = duePlan(sim, plan);
  const [first] = nodes;
  const upgradeBinary = due && first && binariesWithHandler(sim, first, due.name)[0]?.name;
  const needed = upgradeBinary ?? sim.block(sim.height)?.binary;
  const behind = nodes.filter(({ binary }) => needed !== undefined && binary !== needed);
  const switched = behind.length === nodes.length ? "" : ` ${namesOf(behind)}`;
  /** @param height nodes that still skip it would diverge */
  const start = (height: number | undefined): Candidate => {
    const skipping = nodes.filter(
      ({ skipUpgradeHeights }) => height !== undefined && skipUpgradeHeights.includes(height),
    );
    const rest = nodes.filter((node) => !skipping.includes(node));
    const clears = height === undefined ? [] : skipNoMore(skipping, height);
    const label = [
      `${what} ${namesOf(nodes)}`,
      ...(skipping.length > 0 ? [` without skip height ${height} of ${namesOf(skipping)}`] : []),
      ...(behind.length > 0 ? [` and switch${switched} to ${needed}`] : []),
    ].join("");
    return candidate(
      label,
      ...before,
      ...clears.map(([, step]) => step),
      ...(rest.length > 0 ? [act(rest, { start: true })] : []),
      ...(behind.length > 0 ? [act(behind, { binary: needed })] : []),
    );
  };
  if (due !== undefined) return [start(upgradeBinary === undefined ? undefined : due.height)];
  const isPassed = (height: number): boolean =>
    (first?.height ?? 0) < height && height <= sim.height;
  const passed = first?.skipUpgradeHeights.find(isPassed);
  // The others have another binary: they may have applied the upgrade.
  if (passed === undefined || behind.length === 0) return [start(undefined)];
  return [start(undefined), start(passed)];
}

/** Restores the state of a node that votes on the others, as operators do when states have diverged. */
function stateSync({ sim, peer }: Situation, nodes: readonly NodeView[]): readonly Candidate[] {
  if (peer === undefined) return [];
  const others = nodes.filter(({ name, binary }) => name !== peer.name && binary !== peer.binary);
  return [
    prepared(
      `State-sync ${namesOf(nodes)} from ${peer.name}`,
      [
        ...writeMissing(sim, nodes),
        ...prepare(others, { binary: peer.binary }, (who) => `installing ${peer.binary} on ${who}`),
      ],
      act(nodes, { state_sync: peer.name }),
    ),
  ];
}

const repairDisk = (situation: Situation, nodes: readonly NodeView[]): readonly Candidate[] =>
  starts(situation, nodes, "Make the disk writable and start", [
    act(nodes, { disk: { writable: true } }),
  ]);

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
): readonly Candidate[] {
  const { sim, plan, peer } = situation;
  const { nodes } = diagnosis;
  const [first] = nodes;
  if (first === undefined) return [];
  const due = passedPlan(sim, first) ?? duePlan(sim, plan);
  const compatible = compatibleBinary(sim, first, due ?? plan);
  if (due !== undefined) {
    const binary = compatible?.name;
    const back = compatible
      ? prepare(nodes, { binary }, (who) => `installing ${binary} on ${who}`)
      : [];
    return [
      ...switches(situation, nodes, due, failed),
      ...skips(nodes, { plan: due.name, height: due.height }, back),
    ];
  }
  if (compatible !== undefined && (broken || compatible.name !== first.binary))
    return installCompatible(situation, nodes, plan);
  return peer === undefined ? [] : stateSync(situation, nodes);
}
