/** Causes of halts and exits of nodes, as data, and their texts. */
import { unreachable } from "../../base/unreachable.ts";
import { modelledText, Panic } from "./errors.ts";

/**
 * A header that does not match a node's own state; hashes in upper-case hex (rules/consensus 7.2).
 */
export type HeaderMismatch =
  | { readonly kind: "wrong_app_hash"; readonly expected: string; readonly got: string }
  | { readonly kind: "wrong_last_results_hash"; readonly expected: string; readonly got: string }
  /** Both are block ids in CometBFT's format. */
  | { readonly kind: "wrong_last_block_id"; readonly expected: string; readonly got: string };

/** Causes for a halt during the execution of a block. */
type ExecutionHalt =
  /** The old binary at the height of an upgrade. */
  | {
      readonly kind: "upgrade_needed";
      readonly plan: string;
      readonly height: number;
      readonly info: string;
    }
  /** The new binary before that height. */
  | { readonly kind: "binary_too_early"; readonly plan: string }
  /** A binary without the handler of the last upgrade. */
  | { readonly kind: "handler_missing"; readonly plan: string }
  /**
   * The old binary at the height of an upgrade, with a disk that is not writable for
   * upgrade-info.json.
   */
  | { readonly kind: "upgrade_info_not_written"; readonly error: string }
  /** Configured `--halt-height` or `--halt-time`, the time in seconds since 1970; 0 for none. */
  | { readonly kind: "halt_height" | "halt_time"; readonly height: number; readonly time: number }
  /** Any other error or panic of a module. */
  | { readonly kind: "application_error"; readonly error: string };

/** Causes for the exit of a process during its start. */
type StartHalt =
  | { readonly kind: "upgrade_info_unreadable"; readonly error: string }
  | { readonly kind: "store_version_mismatch"; readonly error: string }
  | { readonly kind: "signer_state_missing"; readonly path: string }
  | { readonly kind: "signer_state_unreadable"; readonly path: string; readonly error: string };

/**
 * Reasons for Cosmovisor to wait in an upgrade: the exit of the app, DAEMON_RESTART_DELAY, a
 * download.
 */
type SidecarWait = "exit" | "restart_delay" | "download";

/** Causes for a sidecar without a running process. */
type SidecarHalt =
  | { readonly kind: "backup_dir_missing"; readonly dir: string; readonly isFile: boolean }
  | { readonly kind: "launch_failed"; readonly error: string }
  /** It stopped the app at an upgrade height that the app was told to skip. */
  | { readonly kind: "sidecar_skips"; readonly height: number }
  | {
      readonly kind: "sidecar_waits";
      readonly plan: string;
      readonly for: SidecarWait;
    }
  | { readonly kind: "sidecar_restart_off" }
  /** Any other error of Cosmovisor. */
  | { readonly kind: "sidecar_failed"; readonly error: string };

type Cause =
  | ExecutionHalt
  | HeaderMismatch
  /** The application's validator updates cannot be applied. */
  | { readonly kind: "validator_set_error"; readonly error: string }
  /** The time of a vote is out of range of a Timestamp, so the vote cannot be signed. */
  | { readonly kind: "time_out_of_range"; readonly error: string }
  /** An injected fault killed the process while it applied a block. */
  | { readonly kind: "crashed"; readonly height: number }
  | StartHalt
  | SidecarHalt;

/**
 * Cause for the end of a node's consensus or process. `onReplay`: due to a block replayed during
 * its start.
 */
export type HaltCause = Cause & { readonly onReplay?: boolean };

/** Text that a node prints, in upstream's exact words. */
export function haltText(cause: HaltCause): string {
  const text = textOf(cause);
  return cause.onReplay ? `error during handshake: error on replay: ${text}` : text;
}

function textOf(cause: Cause): string {
  switch (cause.kind) {
    case "upgrade_needed":
      return `UPGRADE "${cause.plan}" NEEDED at height: ${cause.height}: ${cause.info}`;
    case "binary_too_early":
      return `BINARY UPDATED BEFORE TRIGGER! UPGRADE "${cause.plan}" - in binary but not executed on chain. Downgrade your binary`;
    case "handler_missing":
      return `wrong app version ${APP_VERSION}, upgrade handler is missing for ${cause.plan} upgrade plan`;
    case "upgrade_info_not_written":
      return `unable to write upgrade info to filesystem: ${cause.error}`;
    case "halt_height":
    case "halt_time":
      return `halt per configuration height ${cause.height} time ${cause.time}`;
    case "wrong_app_hash":
      return mismatchText("AppHash", cause);
    case "wrong_last_results_hash":
      return mismatchText("LastResultsHash", cause);
    case "wrong_last_block_id":
      return mismatchText("LastBlockID", cause);
    case "validator_set_error":
      return `error changing validator set: ${cause.error}`;
    case "crashed":
      return `killed while applying block ${cause.height}`;
    case "upgrade_info_unreadable":
      return `failed to read upgrade info from disk: ${cause.error}`;
    case "store_version_mismatch":
      return `failed to load latest version: ${cause.error}`;
    case "signer_state_missing":
      return `open ${cause.path}: no such file or directory`;
    case "signer_state_unreadable":
      return `Error reading PrivValidator state from ${cause.path}: ${cause.error}`;
    case "backup_dir_missing": {
      const refusal = `${JSON.stringify(cause.dir)} must be a valid directory`;
      return cause.isFile ? refusal : `${refusal}: stat ${cause.dir}: no such file or directory`;
    }
    case "sidecar_skips":
      return `cosmovisor stopped the app at upgrade height ${cause.height}, which it is set to skip, and did not start it again`;
    case "sidecar_waits":
      return `cosmovisor is ${WAITS[cause.for]} upgrade "${cause.plan}"`;
    case "sidecar_restart_off":
      return "upgrade detected, DAEMON_RESTART_AFTER_UPGRADE is off. Verify new upgrade and start cosmovisor again.";
    case "launch_failed":
    case "sidecar_failed":
    case "application_error":
    case "time_out_of_range":
      return cause.error;
    default:
      return unreachable(cause);
  }
}

/** Consensus param Version.App, which chains leave at 0. Not the protocol version. */
const APP_VERSION = 0;

const WAITS = {
  exit: "waiting for the app to exit, to",
  restart_delay: "waiting for DAEMON_RESTART_DELAY, to",
  download: "downloading the binary for",
} as const;

/** Two spaces, as in CometBFT. */
const mismatchText = (field: string, { expected, got }: HeaderMismatch): string =>
  `wrong Block.Header.${field}.  Expected ${expected}, got ${got}`;

/**
 * Returns true if a header does not match a node's own state; such a block is committed but invalid
 * for it.
 */
export const isHeaderMismatch = (cause: HaltCause): cause is HeaderMismatch =>
  cause.kind === "wrong_app_hash" ||
  cause.kind === "wrong_last_results_hash" ||
  cause.kind === "wrong_last_block_id";

/**
 * True for a halt at which the process exits according to the upgrade document (rules/upgrade 4.9).
 */
export const isUpgradeHalt = ({ kind }: HaltCause): boolean =>
  kind === "upgrade_needed" || kind === "upgrade_info_not_written" || kind === "binary_too_early";

/** A node, or a view of one. */
interface MaybeHalted {
  readonly process: string;
  readonly haltCause: HaltCause | undefined;
}

/**
 * Cause for the end of a node's consensus, whether its process keeps running or has exited with it
 * (rules/consensus 9.1). Undefined if the node is running, was stopped or killed, or exited at its
 * start.
 */
export function consensusHalt({ process, haltCause }: MaybeHalted): HaltCause | undefined {
  if (process === "halted") return haltCause;
  const exitedWithIt = process === "exited" && haltCause !== undefined && isUpgradeHalt(haltCause);
  return exitedWithIt && !haltCause.onReplay ? haltCause : undefined;
}

/** A panic with its cause. */
export class HaltError extends Panic {
  override readonly cause: HaltCause;

  constructor(cause: HaltCause) {
    super(haltText(cause));
    this.name = "HaltError";
    this.cause = cause;
  }
}

/**
 * Returns the cause in an error that modelled software threw on purpose: that of a HaltError, else
 * `otherwise` of the text. Rethrows a bug of the simulator.
 */
export function haltCauseOf(error: unknown, fallback: (text: string) => HaltCause): HaltCause {
  return error instanceof HaltError ? error.cause : fallback(modelledText(error));
}
