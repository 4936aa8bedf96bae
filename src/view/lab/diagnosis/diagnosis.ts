import { unreachable } from "../../../base/unreachable.ts";
import type { AbsenceCause } from "../../../engine/network/round/absence.ts";
import type { Simulation } from "../../../engine/simulation/simulation.ts";
import type { ChainStatus, NodeView } from "../../../engine/simulation/views.ts";

/** Missing nodes that share a remedy. */
export interface Diagnosis {
  /** Cause of the first node; the others have the same group. */
  readonly cause: AbsenceCause;
  readonly nodes: readonly NodeView[];
  readonly power: number;
  /** The first one's cause as a sentence. */
  readonly reason: string;
}

/** Groups the missing nodes by remedy; the greatest power first. */
export function diagnose(sim: Simulation, chainStatus: ChainStatus): readonly Diagnosis[] {
  const byName = new Map(sim.nodes().map((node) => [node.name, node]));
  const found = new Map<string, Diagnosis>();
  for (const { nodes: names, cause, reason } of chainStatus.missing) {
    const group = groupOf(cause);
    const known = found.get(group) ?? { cause, nodes: [], power: 0, reason };
    const nodes = [...known.nodes, ...names.flatMap((name) => byName.get(name) ?? [])];
    found.set(group, { ...known, nodes, power: powerOf(nodes) });
  }
  return [...found.values()].sort((a, b) => b.power - a.power);
}

/** The power of the keys on these nodes: two nodes with one key vote as one. */
export function powerOf(nodes: readonly NodeView[]): number {
  const byValidator = new Map(nodes.map(({ validator, power }) => [validator, power]));
  return [...byValidator.values()].reduce((sum, power) => sum + power, 0);
}

/** Equal for causes with the same remedy. */
function groupOf(cause: AbsenceCause): string {
  switch (cause.kind) {
    case "upgrade_needed":
      return `${cause.kind} ${cause.height} ${cause.plan}`;
    case "binary_too_early":
    case "handler_missing":
      return `${cause.kind} ${cause.plan}`;
    case "backup_dir_missing":
      return `${cause.kind} ${folderOf(cause.dir)}`;
    case "fault":
      return cause.fault === "signer" ? "signer" : `${cause.kind} ${cause.fault}`;
    case "signer_state_missing":
    case "signer_state_unreadable":
      return "signer";
    case "behind":
    case "partitioned":
    case "other_fork":
      return "partition";
    case "application_error":
    case "validator_set_error":
    case "sidecar_failed":
    case "sidecar_waits":
    case "sidecar_restart_off":
      return "other";
    case "wrong_app_hash":
    case "wrong_last_results_hash":
      return "committed state";
    case "stopped":
    case "diverged":
    case "wrong_last_block_id":
    case "upgrade_info_not_written":
    case "upgrade_info_unreadable":
    case "halt_height":
    case "halt_time":
    case "crashed":
    case "time_out_of_range":
    case "store_version_mismatch":
    case "launch_failed":
    case "sidecar_skips":
      return cause.kind;
    default:
      return unreachable(cause);
  }
}

/** A folder as configured, without trailing slashes. */
export const folderOf = (source: string): string => source.replace(/\/+$/, "");

/** The names, or the first five and how many more. */
export function namesOf(nodes: readonly { readonly name: string }[]): string {
  const names = nodes.map(({ name }) => name);
  if (names.length <= 6) return names.join(", ");
  return `${names.slice(0, 5).join(", ")} and ${names.length - 5} more`;
}
