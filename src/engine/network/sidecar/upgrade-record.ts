import type { HaltCause } from "../../framework/halt.ts";
import type { LogLine } from "../../framework/trace.ts";
import type { Time } from "../../primitives/time.ts";
import type { UpgradeInfo } from "./upgrade-watch.ts";

/** A part of an upgrade, in the order in which a sidecar comes to them (rules/sidecar 3.4). */
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

/** A stage that was come to, when, and what was written there; of one stage there may be several. */
export interface StageRecord {
  readonly stage: Stage;
  readonly at: Time;
  readonly logs: readonly LogLine[];
}

/** An upgrade as far as it has come: at the last of its stages it is, has failed, or has ended. */
export interface UpgradeRecord {
  readonly plan: UpgradeInfo;
  readonly stages: readonly StageRecord[];
}

/** Why a run of Cosmovisor is over: its operator, its app, what it could not read, or what became of an upgrade. */
export type SidecarEnd =
  | { readonly kind: "stopped" | "app_exited" }
  | { readonly kind: "panic"; readonly error: string }
  | { readonly kind: "exit"; readonly cause: HaltCause };
