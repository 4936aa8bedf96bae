import { consensusHalt, haltText } from "../../../engine/framework/halt.ts";
import { UPGRADE_INFO_PATH } from "../../../engine/modules/upgrade/upgrade-info.ts";
import { refusalOf } from "../../../engine/network/sidecar/refusal.ts";
import { POLL_INTERVAL } from "../../../engine/network/sidecar/sidecar.ts";
import type { UpgradeInfo } from "../../../engine/network/sidecar/upgrade-watch.ts";
import type { HistoryRanges } from "../../../engine/simulation/history-range.ts";
import type { Simulation } from "../../../engine/simulation/simulation.ts";
import type { ChainStatus, NodeView, SidecarView } from "../../../engine/simulation/views.ts";
import type { Remedy, Sidecar, SidecarLine, Sidecars } from "../../../gen/lab/v1/lab_plain.ts";
import { scheduledPlan } from "../diagnosis/binary-compatibility.ts";
import { act, remedyOf } from "../diagnosis/node-steps.ts";
import { remediesOf, searchRemedies } from "../diagnosis/remedies.ts";
import { nodeFilesOf, nodeLogOf } from "./block.ts";
import { durationText, settingsOf } from "./sidecar-settings.ts";
import { clockOf, hasFailed, stepsOf } from "./sidecar-steps.ts";

/** Ordered by urgency for the operator. */
const STATES = ["failed", "gone", "unready", "working", "ready", "watching", "stopped"] as const;
type State = (typeof STATES)[number];

/** A sidecar with its node, and the scheduled plan. */
interface Seen {
  readonly sim: Simulation;
  readonly node: NodeView;
  readonly sidecar: SidecarView;
  readonly plan: UpgradeInfo | undefined;
}

/** All sidecars, the most urgent first. */
export function sidecarsOf(sim: Simulation, limit: number): Sidecars {
  const plan = scheduledPlan(sim);
  const nodes = sim.nodes();
  const seen = nodes.flatMap((node): Seen[] => {
    const sidecar = sim.sidecar(node.name);
    return sidecar === undefined ? [] : [{ sim, node, sidecar, plan }];
  });
  const explained = seen.map((one) => ({ ...one, ...stateOf(one) }));
  const lines = STATES.flatMap((state) => explained.filter((one) => one.state === state));
  return {
    lines: lines.slice(0, limit || undefined).map((one) => lineOf(one, one, false)),
    counts: STATES.map((state) => {
      return { state, nodes: explained.filter((one) => one.state === state).length };
    }).filter(({ nodes: count }) => count > 0),
    without: nodes.length - seen.length,
  };
}

/** Opens the history that `sidecarOf` reads. */
export function* openSidecar(sim: Simulation, name: string): HistoryRanges {
  yield* sim.readByFiles(name);
  const node = sim.node(name);
  if (node !== undefined) yield* searchRemedies(sim, missingOf(sim, node), scheduledPlan(sim));
}

/** One sidecar with all its data; undefined if the node has none. */
export function sidecarOf(sim: Simulation, name: string): Sidecar | undefined {
  const node = sim.node(name);
  const sidecar = sim.sidecar(name);
  if (node === undefined || sidecar === undefined) return undefined;
  const seen = { sim, node, sidecar, plan: scheduledPlan(sim) };
  const explained = stateOf(seen);
  return {
    line: lineOf(seen, explained, true),
    settings: settingsOf(sidecar.settings),
    files: nodeFilesOf(sim, name).files.filter(({ path }) => isItsOwn(path, sidecar)),
    log: nodeLogOf(sim, name, LOG_LINES).lines.filter(({ module }) => module === "cosmovisor"),
    remedies: helpFor(seen, explained.state),
  };
}

/** Lines of the node's log that are searched for its sidecar's. */
const LOG_LINES = 500;

/** Its folders, the watched file, and its backups. */
const isItsOwn = (path: string, { settings: { backupDir } }: SidecarView): boolean =>
  path.startsWith("cosmovisor/") ||
  path === UPGRADE_INFO_PATH ||
  path.startsWith("data-backup-") ||
  (backupDir !== undefined && path.startsWith(backupDir));

interface Explained {
  readonly state: State;
  readonly because: string;
}

/** True if its last upgrade is the scheduled one, or no upgrade is scheduled. */
const isOfRecord = ({ sidecar: { upgrade }, plan }: Seen): boolean =>
  upgrade !== undefined && (plan === undefined || plan.height <= upgrade.plan.height);

function lineOf(seen: Seen, { state, because }: Explained, whole: boolean): SidecarLine {
  const { node, sidecar, plan } = seen;
  const record = isOfRecord(seen);
  const of = record ? sidecar.upgrade?.plan : plan;
  return {
    node: node.name,
    state,
    plan: of?.name ?? "",
    height: of?.height ?? 0,
    because,
    steps: stepsOf(sidecar, record, whole),
  };
}

function stateOf(seen: Seen): Explained {
  const { end, waitsUntil, upgrade } = seen.sidecar;
  if (end !== undefined) return ended(seen, end);
  if (waitsUntil !== undefined) {
    return { state: "working", because: workOf(seen, clockOf(waitsUntil)) };
  }
  if (isOfRecord(seen) && upgrade !== undefined) {
    const { name, height } = upgrade.plan;
    return { state: "watching", because: `It has switched to ${name} at block ${height}.` };
  }
  return waiting(seen);
}

function ended({ node, sidecar }: Seen, end: NonNullable<SidecarView["end"]>): Explained {
  switch (end.kind) {
    case "stopped":
      return { state: "stopped", because: "Its operator has stopped it, and the app with it." };
    case "app_exited":
      return {
        state: "gone",
        because: `The app exited, and the sidecar with it: exit status 1.${node.reason && ` The app: ${node.reason}`}`,
      };
    case "panic": {
      const app = node.process === "exited" ? "has exited, too" : "runs without it";
      return { state: "gone", because: `It panicked, and the app ${app}: ${end.error}` };
    }
    default: {
      const state = hasFailed(sidecar) ? "failed" : "gone";
      return { state, because: haltText(end.cause) };
    }
  }
}

function workOf({ sidecar: { upgrade } }: Seen, until: string): string {
  const name = upgrade?.plan.name ?? "";
  switch (upgrade?.stages.at(-1)?.stage) {
    case "stop":
      return `It waits for the app to exit, until ${until} at most.`;
    case "delay":
      return `It waits before it switches to ${name}, until ${until}.`;
    default:
      return `It downloads the binary of ${name}, until ${until}.`;
  }
}

/** Status of an idle sidecar. */
function waiting({ sim, node, sidecar, plan }: Seen): Explained {
  const { pollInterval } = sidecar.settings;
  const looks = `It looks at ${UPGRADE_INFO_PATH} every ${durationText(pollInterval ?? POLL_INTERVAL)}.`;
  if (plan === undefined) return { state: "watching", because: looks };
  const { name, height } = plan;
  if (consensusHalt(node)?.kind === "upgrade_needed") {
    const at = clockOf(sidecar.looksAt);
    return { state: "working", because: `The app has stopped; it looks again at ${at}.` };
  }
  if (node.skipUpgradeHeights.includes(height)) {
    return { state: "watching", because: `The app is set to skip the upgrade at ${height}.` };
  }
  const carries = (binary: string): boolean =>
    sim.binaries().some((one) => one.name === binary && one.handlers.includes(name));
  if (carries(node.binary)) {
    return { state: "watching", because: `The app is ${node.binary}, which has the Handler.` };
  }
  const refusal = refusalOf(plan, sidecar.settings, sim.files(node.name), sim.releases);
  if (refusal !== undefined) {
    return { state: "unready", because: `At block ${height} it would stop: ${refusal}` };
  }
  const placed = sim.stagedFor(node.name, name);
  if (placed === undefined) {
    return {
      state: "ready",
      because: `It will download the binary of ${name} at block ${height}.`,
    };
  }
  return carries(placed)
    ? { state: "ready", because: `${placed} lies ready for block ${height}.` }
    : { state: "unready", because: `${placed} lies ready, and has no Handler of ${name}.` };
}

/** Remedies that restart its node, or let it pass the plan's height. */
function helpFor({ sim, node, sidecar, plan }: Seen, state: State): readonly Remedy[] {
  const help = remediesOf(sim, missingOf(sim, node), plan);
  if (state === "unready" && plan !== undefined) {
    const fits = sim.binaries().filter(({ handlers }) => handlers.includes(plan.name));
    return fits.map(({ name }) =>
      remedyOf(`Place ${name} where it looks`, act([node], { stage: name })),
    );
  }
  if (sidecar.end?.kind === "panic") {
    const steps = [act([node], { remove_file: UPGRADE_INFO_PATH }), act([node], { start: true })];
    return [remedyOf("Remove upgrade-info.json and start it again", ...steps)];
  }
  if (sidecar.end === undefined || help.length > 0) return help;
  return [remedyOf(`Start ${node.name}`, act([node], { start: true }))];
}

/** The chain's status, as if only this node were missing. */
function missingOf(sim: Simulation, { name, power }: NodeView): ChainStatus {
  const status = sim.chainStatus();
  const own = status.missing.filter(({ nodes }) => nodes.includes(name));
  return { ...status, missing: own.map((one) => ({ ...one, nodes: [name], power })) };
}
