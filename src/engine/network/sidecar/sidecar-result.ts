import type { HaltCause } from "../../framework/halt.ts";
import type { Sidecar } from "./sidecar.ts";
import type { SidecarStep } from "./step.ts";
import type { Stage } from "./upgrade-record.ts";

/** What became of a run of Cosmovisor: an upgrade, the app, or Cosmovisor itself. */
export type SidecarResult =
  /** The new binary runs; it was on the disk, or fetched. */
  | "switched"
  | "downloaded"
  /** An upgrade that failed, by the stage at which it did. */
  | `failed/${Exclude<Stage, "stop" | "delay" | "switch">}`
  /** It waits before it goes on: for the app to exit, for DAEMON_RESTART_DELAY, or for a download. */
  | `waits/${Extract<HaltCause, { kind: "sidecar_waits" }>["for"]}`
  | "restart_off"
  | "skips"
  /** It ended as it was started, over its settings or its binary. */
  | "not_started"
  | "app_exited"
  | "panic";

/** What a step of a sidecar has led to; undefined where nothing ended and nothing is waited for. */
export function resultOf(
  { upgrade, end }: Sidecar,
  { process }: SidecarStep,
): SidecarResult | undefined {
  if (process.kind === "leave") return end?.kind === "panic" ? "panic" : undefined;
  const stages = upgrade?.stages.map(({ stage }) => stage) ?? [];
  if (process.kind === "run") {
    if (!stages.includes("restart")) return undefined;
    return stages.includes("download") ? "downloaded" : "switched";
  }
  const { cause } = process;
  switch (cause.kind) {
    case "sidecar_waits":
      return `waits/${cause.for}`;
    case "sidecar_restart_off":
      return "restart_off";
    case "sidecar_skips":
      return "skips";
    default: {
      const last = stages.at(-1);
      if (last === undefined) return "not_started";
      if (last === "stop" || last === "delay" || last === "switch") {
        throw new Error(`no upgrade fails at the stage ${last}`);
      }
      return `failed/${last}`;
    }
  }
}
