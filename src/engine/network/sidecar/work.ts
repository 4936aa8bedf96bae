import type { Time } from "../../../base/time.ts";
import { modelledText, plainError } from "../../framework/errors.ts";
import { HaltError, haltCauseOf, haltText } from "../../framework/halt.ts";
import type { LogLine } from "../../framework/trace.ts";
import { UPGRADE_INFO_PATH } from "../../modules/upgrade/upgrade-info.ts";
import { DiskDraft } from "./disk-draft.ts";
import { backupDir, binaryPath, CURRENT, GENESIS_DIR } from "./layout.ts";
import { cosmovisorLine, type SidecarEnvironment, type SidecarStep } from "./step.ts";
import type { Stage, StageRecord } from "./upgrade-record.ts";
import { rereadPlan } from "./upgrade-watch.ts";

/** A completed part of the work. */
export type Done = Pick<SidecarStep, "logs" | "files"> & {
  readonly stages: readonly StageRecord[];
};

/** Work of a sidecar in progress: log lines and files that remain even if the rest fails. */
export class Work {
  readonly logs: LogLine[] = [];
  readonly disk: DiskDraft;
  readonly #entered: { readonly stage: Stage; readonly from: number }[] = [];

  constructor(files: ReadonlyMap<string, string>) {
    this.disk = new DiskDraft(files);
  }

  /** Enters a stage: the lines from here on belong to it. */
  enter(stage: Stage): void {
    this.#entered.push({ stage, from: this.logs.length });
  }

  /** Returns the stages so far, with the lines logged in each. */
  stages(at: Time): readonly StageRecord[] {
    return this.#entered.map(({ stage, from }, i) => {
      return { stage, at, logs: this.logs.slice(from, this.#entered[i + 1]?.from) };
    });
  }

  /** Returns the work done so far, which remains even if the rest fails. */
  soFar(at: Time): Done {
    const { logs, disk } = this;
    return { logs: [...logs], files: new Map(disk.changes), stages: this.stages(at) };
  }

  /** Checks DAEMON_DATA_BACKUP_DIR, as Cosmovisor does before anything else. Throws a HaltError. */
  checkBackupDir(dir: string): void {
    const path = dir.replace(/\/+$/, "");
    if (this.disk.below(`${path}/`).length > 0) return;
    throw new HaltError({
      kind: "backup_dir_missing",
      dir,
      isFile: this.disk.get(path) !== undefined,
    });
  }

  /** Launches the current binary with these arguments. Throws when the binary cannot be run. */
  run(args: readonly string[], env: SidecarEnvironment): SidecarStep["process"] {
    const path = binaryPath(this.disk.get(CURRENT) ?? GENESIS_DIR);
    let binary: string;
    try {
      binary = this.disk.regularFile(path);
    } catch (error) {
      throw launchFailed(`current binary is invalid: ${modelledText(error)}`);
    }
    this.logs.push(cosmovisorLine("running app", { path, args: `[${args.join(" ")}]` }));
    if (env.hasBinary(binary)) return { kind: "run", binary };
    throw launchFailed(
      `launching process ${path} start failed: fork/exec ${path}: exec format error`,
    );
  }

  /** Copies `data/`, overwriting a copy of the same day. Throws when the plan no longer exists. */
  backUp(clock: Time, below: string | undefined): void {
    const { name } = rereadPlan(this.disk.get(UPGRADE_INFO_PATH));
    if (name === "") throw plainError("upgrade-info.json is empty");
    const to = backupDir(clock, below);
    this.logs.push(cosmovisorLine("starting to take backup of data directory"));
    for (const [path, content] of this.disk.below("data/")) {
      this.disk.set(`${to}/${path.slice("data/".length)}`, content);
    }
    this.logs.push(cosmovisorLine("backup completed", { "backup saved at": to }));
  }

  /** Performs the rest; any failure stops Cosmovisor, and with it the node. */
  finish(body: () => SidecarStep["process"]): SidecarStep {
    const { logs, disk } = this;
    try {
      return { process: body(), logs, files: disk.changes };
    } catch (error) {
      const cause = haltCauseOf(error, (text) => ({ kind: "sidecar_failed", error: text }));
      logs.push(cosmovisorLine(haltText(cause), undefined, "error"));
      return { process: { kind: "exit", cause }, logs, files: disk.changes };
    }
  }
}

const launchFailed = (error: string): HaltError => new HaltError({ kind: "launch_failed", error });
