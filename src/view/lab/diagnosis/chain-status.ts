import { unreachable } from "../../../base/unreachable.ts";
import type { Simulation } from "../../../engine/simulation/simulation.ts";
import type { ChainStatus } from "../../../engine/simulation/views.ts";
import { type Diagnosis, diagnose, folderOf, namesOf } from "./diagnosis.ts";

/** Explains in one or two sentences why no block is made, or which nodes do not vote. */
export function becauseOf(sim: Simulation, chainStatus: ChainStatus): string {
  const diagnoses = diagnose(sim, chainStatus);
  if (chainStatus.state === "running") {
    if (diagnoses.length === 0) return "Every node votes.";
    return `Blocks are made, but not every node votes. ${sentences(diagnoses)}`;
  }
  if (chainStatus.totalPower === 0) return "No validator is left to vote.";
  return sentences(diagnoses) || "The nodes wait for one another.";
}

const sentences = (diagnoses: readonly Diagnosis[]): string =>
  diagnoses.slice(0, 2).map(sentence).join(" ");

function sentence({ cause, nodes, reason }: Diagnosis): string {
  const who = namesOf(nodes);
  const one = nodes.length === 1;
  switch (cause.kind) {
    case "upgrade_needed":
      return `Plan "${cause.plan}" is due at height ${cause.height}; ${who} ${one ? "runs" : "run"} a binary without its Handler.`;
    case "binary_too_early":
      return `${who} ${one ? "runs" : "run"} a binary with the Handler of plan "${cause.plan}" before its height.`;
    case "handler_missing":
      return `${who} ${one ? "runs" : "run"} a binary without the Handler of "${cause.plan}", the last upgrade.`;
    case "fault":
      if (cause.fault === "signer") return signerSentence(who, one);
      return `${who} ${one ? "is" : "are"} ${cause.fault}.`;
    case "signer_state_missing":
    case "signer_state_unreadable":
      return signerSentence(who, one);
    case "stopped":
      return `${who} ${one ? "is" : "are"} stopped.`;
    case "crashed":
      return `${who} crashed.`;
    case "behind":
    case "partitioned":
    case "other_fork":
      return `The network is partitioned: ${who} cannot reach the others.`;
    case "diverged":
      return `App hashes have diverged: ${who} ${one ? "holds" : "hold"} another state.`;
    case "wrong_app_hash":
    case "wrong_last_results_hash":
      return `${who} computed another app hash than the block carries.`;
    case "wrong_last_block_id":
      return `${who} ${one ? "is" : "are"} on an orphaned fork.`;
    case "halt_height":
      return `${who} ${one ? "has" : "have"} reached ${one ? "its" : "their"} halt height.`;
    case "halt_time":
      return `${who} ${one ? "has" : "have"} reached ${one ? "its" : "their"} halt time.`;
    case "upgrade_info_not_written":
      return `${who} could not write upgrade-info.json to disk.`;
    case "upgrade_info_unreadable":
      return `${who} cannot read upgrade-info.json on disk.`;
    case "launch_failed":
      return `The ${one ? "sidecar" : "sidecars"} of ${who} cannot run the installed binary: ${reason}.`;
    case "sidecar_skips":
      return `The ${one ? "sidecar" : "sidecars"} of ${who} stopped ${one ? "it" : "them"} for an upgrade that is skipped, and would do so again.`;
    case "backup_dir_missing":
      return `The ${one ? "sidecar" : "sidecars"} of ${who} did not start: there is no folder ${folderOf(cause.dir)} for backups.`;
    case "store_version_mismatch":
      return `${who} cannot open ${one ? "its" : "their"} stores with binary ${nodes[0]?.binary}.`;
    case "time_out_of_range":
      return `${who} cannot sign: no vote can have a time after the year 9999.`;
    case "application_error":
    case "validator_set_error":
    case "sidecar_failed":
    case "sidecar_waits":
    case "sidecar_restart_off":
      return `${who} stopped: ${reason.replace(/\.$/, "")}.`;
    default:
      return unreachable(cause);
  }
}

const signerSentence = (who: string, one: boolean): string =>
  `The ${one ? "signer" : "signers"} of ${who} cannot sign: see ${one ? "its state file" : "their state files"}.`;
