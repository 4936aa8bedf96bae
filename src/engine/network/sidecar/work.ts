import type { LogLine } from "../../framework/trace.ts";
import type { Time } from "../../primitives/time.ts";
import { DiskDraft } from "./disk-draft.ts";
import { backupDir, binaryPath, CURRENT, GENESIS_DIR } from "./layout.ts";
import { cosmovisorLine } from "./log.ts";
import type { SidecarStep, SidecarWorld } from "./step.ts";
import { rereadPlan } from "./upgrade-watch.ts";

/** What a sidecar has in hand: lines and files that count even if the rest fails. */
export class Work {
  readonly logs: LogLine[] = [];
  readonly disk: DiskDraft;

  constructor(files: ReadonlyMap<string, string>) {
    this.disk = new DiskDraft(files);
  }

  /** What Cosmovisor asks of its settings before anything else. Throws with its words. */
  checkBackupDir(written: string): void {
    const dir = written.replace(/\/+$/, "");
    if (this.disk.below(`${dir}/`).length > 0) return;
    const refusal = `${JSON.stringify(written)} must be a valid directory`;
    if (this.disk.get(dir) !== undefined) throw new Error(refusal);
    throw new Error(`${refusal}: stat ${written}: no such file or directory`);
  }

  /** Launches the current binary. Throws when that cannot be run. */
  run(world: SidecarWorld): SidecarStep["process"] {
    const path = binaryPath(this.disk.get(CURRENT) ?? GENESIS_DIR);
    let binary: string;
    try {
      binary = this.disk.regularFile(path);
    } catch (error) {
      throw new Error(`current binary is invalid: ${(error as Error).message}`);
    }
    this.logs.push(cosmovisorLine("running app", { path, args: "[start]" }));
    if (world.hasBinary(binary)) return { kind: "run", binary };
    throw new Error(`launching process ${path} start failed: fork/exec ${path}: exec format error`);
  }

  /** Copies `data/`; a second upgrade of the same day is copied over the first. Throws when the plan is no longer there. */
  backUp(clock: Time, below: string | undefined): void {
    const { name } = rereadPlan(this.disk.get("data/upgrade-info.json"));
    if (name === "") throw new Error("upgrade-info.json is empty");
    const to = backupDir(clock, below);
    this.logs.push(cosmovisorLine("starting to take backup of data directory"));
    for (const [path, content] of this.disk.below("data/")) {
      this.disk.set(`${to}/${path.slice("data/".length)}`, content);
    }
    this.logs.push(cosmovisorLine("backup completed", { "backup saved at": to }));
  }

  /** Does the rest; whatever fails stops Cosmovisor, and with it the node. */
  finish(body: () => SidecarStep["process"]): SidecarStep {
    const { logs, disk } = this;
    try {
      return { process: body(), logs, files: disk.changes };
    } catch (error) {
      const reason = (error as Error).message;
      logs.push(cosmovisorLine(reason, undefined, "error"));
      return { process: { kind: "exit", reason }, logs, files: disk.changes };
    }
  }
}
