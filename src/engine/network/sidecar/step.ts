import type { HaltCause } from "../../framework/halt.ts";
import type { LogLevel, LogLine } from "../../framework/trace.ts";
import type { Time } from "../../primitives/time.ts";
import type { ReleaseServer } from "./releases.ts";

/** The machine beside which a sidecar runs. */
export interface SidecarMachine {
  readonly files: ReadonlyMap<string, string>;
  /** The same with those that are only made up when somebody looks; for a backup. */
  allFiles(): ReadonlyMap<string, string>;
  /** Height of the newest block it has stored, as its status command says; undefined when its process is gone. */
  readonly height: number | undefined;
}

/** The world around the machine. */
export interface SidecarWorld {
  readonly clock: Time;
  readonly releases: ReleaseServer;
  hasBinary(name: string): boolean;
}

/** What a sidecar did, for others to carry out. */
export interface SidecarStep {
  readonly logs: readonly LogLine[];
  /** Files to write, by path. */
  readonly files: ReadonlyMap<string, string>;
  /** What becomes of the node's process: it is left as it is, run with a binary, or gone, and why. */
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
