import type { Time } from "../../../base/time.ts";
import type { HaltCause } from "../../framework/halt.ts";
import type { LogLevel, LogLine } from "../../framework/trace.ts";
import type { ReleaseServer } from "./releases.ts";

/** The node beside which a sidecar runs. */
export interface SidecarHost {
  readonly files: ReadonlyMap<string, string>;
  /** All files, including those computed on demand; for a backup. */
  allFiles(): ReadonlyMap<string, string>;
  /**
   * Its latest block height, as its status command reports; undefined if its process has exited.
   */
  readonly height: number | undefined;
}

export interface SidecarEnvironment {
  readonly clock: Time;
  readonly releases: ReleaseServer;
  hasBinary(name: string): boolean;
}

/** Effects of a sidecar's step, to be applied to its node. */
export interface SidecarStep {
  readonly logs: readonly LogLine[];
  /** Files to write, by path. */
  readonly files: ReadonlyMap<string, string>;
  /** Effect on the node's process: none, run with a binary, or exit with a cause. */
  readonly process:
    | { readonly kind: "leave" }
    | { readonly kind: "run"; readonly binary: string }
    | { readonly kind: "exit"; readonly cause: HaltCause };
}

/** A line that the sidecar writes into its node's log. */
export const cosmovisorLine = (
  text: string,
  fields?: Readonly<Record<string, string>>,
  level: LogLevel = "info",
): LogLine => {
  const line = { level, module: "cosmovisor", text };
  return fields === undefined ? line : { ...line, fields };
};
