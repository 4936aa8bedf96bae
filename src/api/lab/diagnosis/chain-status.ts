import type { Simulation } from "../../../engine/simulation/simulation.ts";
import type { ChainStatus } from "../../../engine/simulation/views.ts";
import { type Diagnosis, diagnose, namesOf } from "./diagnosis.ts";

/** The one sentence (or two) a person needs: why no block comes, or who is not part of it. */
export function becauseOf(sim: Simulation, chainStatus: ChainStatus): string {
  const diagnoses = diagnose(sim, chainStatus);
  if (chainStatus.state === "running") {
    if (diagnoses.length === 0) return "Every node takes part.";
    return `Blocks come, but not from everyone. ${sentences(diagnoses)}`;
  }
  if (chainStatus.totalPower === 0) return "Nobody is left to vote.";
  return sentences(diagnoses) || "The nodes wait for one another.";
}

const sentences = (diagnoses: readonly Diagnosis[]): string =>
  diagnoses.slice(0, 2).map(sentence).join(" ");

function sentence({ cause, nodes, words }: Diagnosis): string {
  const who = namesOf(nodes);
  const one = nodes.length === 1;
  switch (cause.kind) {
    case "upgrade":
      return `Plan "${cause.plan}" is due at height ${cause.height}; ${who} ${one ? "runs" : "run"} a binary without its Handler.`;
    case "too-early":
      return `${who} ${one ? "runs" : "run"} a binary with the Handler of plan "${cause.plan}" before its height has come.`;
    case "wrong-binary":
      return `${who} ${one ? "runs" : "run"} a binary without the Handler of "${cause.plan}", the last upgrade.`;
    case "fault":
      return `${who} ${one ? "is" : "are"} ${cause.fault}.`;
    case "stopped":
      return `${who} ${one ? "is" : "are"} stopped.`;
    case "crashed":
      return `The ${one ? "machine" : "machines"} of ${who} crashed.`;
    case "cut":
      return `The network is cut: ${who} ${one ? "does" : "do"} not hear the others.`;
    case "diverged":
      return `The app hashes have parted: ${who} ${one ? "holds" : "hold"} another state.`;
    case "app-hash":
      return `${who} came to another app hash than the block carries.`;
    case "forked":
      return `${who} ${one ? "stands" : "stand"} on a block of the other chain.`;
    case "halt-height":
      return `${who} ${one ? "has" : "have"} come to the halt height of ${one ? "its" : "their"} settings.`;
    case "disk":
      return `${who} could not write upgrade-info.json to disk.`;
    case "bad-info":
      return `${who} cannot read upgrade-info.json on disk.`;
    case "signer":
      return `The ${one ? "signer" : "signers"} of ${who} cannot sign: look at ${one ? "its file" : "their files"}.`;
    case "launch":
      return `The ${one ? "sidecar" : "sidecars"} of ${who} cannot run what is in place of the binary: ${words}.`;
    case "sidecar-skips":
      return `The ${one ? "sidecar" : "sidecars"} of ${who} stopped ${one ? "it" : "them"} for an upgrade that is skipped, and would do so again.`;
    case "backup-dir":
      return `The ${one ? "sidecar" : "sidecars"} of ${who} did not start: there is no folder ${cause.dir} for backups.`;
    case "stores":
      return `${who} cannot open ${one ? "its" : "their"} stores with binary ${nodes[0]?.binary}.`;
    case "other":
      return `${who} stopped: ${words}.`;
  }
}
