/** Outcomes of sidecars. */
import type { HaltCause } from "../../../engine/framework/halt.ts";
import type { Stage } from "../../../engine/network/sidecar/upgrade-record.ts";
import type { SidecarTurn } from "../../../engine/simulation/sidecars.ts";
import type { Reach } from "./reach.ts";

type Failing = Exclude<Stage, "stop" | "delay" | "switch">;
type SidecarResult =
  /** The new binary runs; it was on disk, or downloaded. */
  | "switched"
  | "downloaded"
  /** A failed upgrade, by its stage. */
  | `failed/${Failing}`
  | `waits/${Extract<HaltCause, { kind: "sidecar_waits" }>["for"]}`
  | "restart_off"
  | "skips"
  /** It exited at its start, because of its settings or its binary. */
  | "not_started"
  | "app_exited"
  | "panic";

export const SIDECARS: Readonly<Record<SidecarResult, Reach>> = {
  switched: {
    words: "it switched to a binary on the disk",
    by: "a staged binary, and its plan to come due",
  },
  downloaded: {
    words: "it switched to a binary that it downloaded",
    by: "nodes: sidecar with mode: download, and a plan whose info says where the binary is",
  },
  "failed/backup": {
    words: "it could not make its backup",
    by: "upgrade-info.json taken away while the sidecar waits for restart_delay",
  },
  "failed/script": {
    words: "the operator's own script failed",
    by: "nodes: sidecar with custom_pre_upgrade, a script that ends with exit 1",
  },
  "failed/binary": {
    words: "it had no binary to switch to",
    by: "nodes: sidecar with mode: staged, and nothing staged",
  },
  "failed/download": {
    words: "the binary could not be downloaded",
    by: "release with serves: missing",
  },
  "failed/checksum": {
    words: "what it downloaded has another checksum",
    by: "release with serves: wrong_checksum",
  },
  "failed/pre_upgrade": {
    words: "the new binary's pre-upgrade command failed",
    by: "nodes: sidecar with pre_upgrade_exits: [30]",
  },
  "failed/restart": {
    words: "the new binary could not be started",
    by: "a file at the place of the new binary that names none of this chain",
  },
  "waits/exit": {
    words: "it waited for the app to exit",
    by: "nodes: sidecar with shutdown_grace and shutdown_takes",
  },
  "waits/restart_delay": {
    words: "it waited before it went on",
    by: "nodes: sidecar with restart_delay",
  },
  "waits/download": { words: "it waited for a download", by: "release with serves: slow" },
  restart_off: {
    words: "it switched, and left the start to its operator",
    by: "nodes: sidecar with restart_after_upgrade: false",
  },
  skips: {
    words: "it stopped the app at a height that is to be skipped",
    by: "nodes: skip_upgrades on a node with a sidecar",
  },
  not_started: {
    words: "it did not start: its settings or its binary",
    by: "nodes: sidecar with a backup_dir that the disk does not have",
  },
  app_exited: {
    words: "the app exited by itself, and it with it",
    by: "the fault crash on a node with a sidecar",
  },
  panic: {
    words: "it panicked over upgrade-info.json, and the app ran on",
    by: "nodes: write_file of data/upgrade-info.json with other than JSON, on a node with a sidecar",
  },
};

/** Outcome of a step of a sidecar; undefined while it continues. */
export function sidecarOutcome([process, end, upgrade]: SidecarTurn): SidecarResult | undefined {
  if (process.kind === "leave") {
    return end?.kind === "panic" || end?.kind === "app_exited" ? end.kind : undefined;
  }
  const stages = upgrade?.stages.map(({ stage }) => stage) ?? [];
  const last = stages.at(-1);
  if (process.kind === "run") {
    if (last !== "restart") return undefined;
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
    default:
      return last === undefined ? "not_started" : `failed/${last as Failing}`;
  }
}
