import type { Time } from "../../../base/time.ts";
import type { HaltCause } from "../../framework/halt.ts";
import type { LogLine } from "../../framework/trace.ts";
import type { UpgradeInfo } from "./upgrade-watch.ts";

/** A stage of an upgrade, in the order in which a sidecar reaches them (rules/sidecar 3.4). */
export type Stage =
  | "stop"
  | "delay"
  | "backup"
  | "script"
  | "binary"
  | "download"
  | "checksum"
  | "switch"
  | "pre_upgrade"
  | "restart";

/** A stage that was reached, with its time and log lines; a stage may occur several times. */
export interface StageRecord {
  readonly stage: Stage;
  readonly at: Time;
  readonly logs: readonly LogLine[];
}

/** Progress of an upgrade: at the last of its stages it is running, has failed, or has ended. */
export interface UpgradeRecord {
  readonly plan: UpgradeInfo;
  readonly stages: readonly StageRecord[];
}

/**
 * Reason why a run of Cosmovisor ended: its operator, its app, a file it could not read, or the
 * outcome of an upgrade.
 */
export type SidecarEnd =
  | { readonly kind: "stopped" | "app_exited" }
  | { readonly kind: "panic"; readonly error: string }
  | { readonly kind: "exit"; readonly cause: HaltCause };
