import type { LogLine } from "../../framework/trace.ts";
import type { Time } from "../../primitives/time.ts";
import type { ReleaseServer } from "../releases.ts";
import { DiskDraft } from "./disk-draft.ts";
import { Downloads } from "./download.ts";
import { backupDir, binaryPath, CURRENT, GENESIS_DIR, infoPath } from "./layout.ts";
import { cosmovisorLine } from "./log.ts";
import { NO_SUCH_COMMAND, preUpgrade } from "./pre-upgrade.ts";
import { switchBinary } from "./switch-binary.ts";
import { planIn, type UpgradeInfo, UpgradeWatch } from "./upgrade-watch.ts";

/** How Cosmovisor was started; defaults are its own (evidence facts §6.2). */
export interface SidecarSettings {
  /** manual: there is none. staged: it switches to binaries on the disk. download: it may fetch them, too. */
  readonly mode: "manual" | "staged" | "download";
  /** DAEMON_RESTART_AFTER_UPGRADE, default true. */
  readonly restartAfterUpgrade?: boolean;
  /** DAEMON_DOWNLOAD_MUST_HAVE_CHECKSUM, default false. */
  readonly mustHaveChecksum?: boolean;
  /** Default true; false is UNSAFE_SKIP_BACKUP. */
  readonly backup?: boolean;
  /** DAEMON_PREUPGRADE_MAX_RETRIES, default 0. */
  readonly preUpgradeMaxRetries?: number;
  /** Exit codes of the new binary's pre-upgrade command, attempt by attempt; by default it has none. */
  readonly preUpgradeExits?: readonly number[];
}

/** The machine beside which a sidecar runs. */
export interface SidecarMachine {
  readonly files: ReadonlyMap<string, string>;
  /** The same with those that are only made up when somebody looks; for a backup. */
  allFiles(): ReadonlyMap<string, string>;
  /** Height of the newest block it has stored, as its status command says; undefined when its process is gone. */
  readonly height: number | undefined;
  readonly skipUpgradeHeights: ReadonlySet<number>;
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
    | { readonly kind: "exit"; readonly reason: string };
}

export const RESTART_IS_OFF =
  "upgrade detected, DAEMON_RESTART_AFTER_UPGRADE is off. Verify new upgrade and start cosmovisor again.";

/** Cosmovisor 1.7.1 beside one node, over its simulated disk; evidence facts §6. */
export class Sidecar {
  readonly settings: SidecarSettings;
  /** Undefined while Cosmovisor does not run. */
  #watch: UpgradeWatch | undefined;
  /** An upgrade whose downloads are still under way. */
  #pending: { readonly until: Time; readonly step: SidecarStep } | undefined;

  constructor(settings: SidecarSettings) {
    this.settings = settings;
  }

  /**
   * `cosmovisor run start`: the current binary is started, whatever upgrade may be waiting, and
   * nothing is remembered of an earlier run.
   */
  start(files: ReadonlyMap<string, string>, world: SidecarWorld): SidecarStep {
    this.#pending = undefined;
    this.#watch = new UpgradeWatch();
    const work = new Work(files);
    if (files.get(CURRENT) === undefined) work.disk.set(CURRENT, GENESIS_DIR);
    return this.#settle(work.finish(() => work.run(world)));
  }

  /** Whether it runs and the app is its child. */
  get guards(): boolean {
    return this.#watch !== undefined && this.#pending === undefined;
  }

  /** The operator ended it, and the app with it. */
  stop(): void {
    this.#watch = undefined;
    this.#pending = undefined;
  }

  /** The app's process ended by itself. Nothing answers for its height then, so no upgrade is found any more. */
  appExited(): SidecarStep {
    this.stop();
    const logs = [cosmovisorLine("exit status 1", undefined, "error")];
    return { logs, files: new Map(), process: { kind: "leave" } };
  }

  /** One look at the machine. Undefined, and cheap, when there is nothing to do. */
  step(machine: SidecarMachine, world: SidecarWorld): SidecarStep | undefined {
    if (this.#pending !== undefined) return this.#resume(world.clock);
    if (this.#watch === undefined) return undefined;
    const { files } = machine;
    const content = files.get("data/upgrade-info.json");
    const current = (): string =>
      planIn(files.get(infoPath(files.get(CURRENT) ?? GENESIS_DIR)))?.name ?? "";
    let plan: UpgradeInfo | undefined;
    try {
      plan = this.#watch.check(content, machine.height, current);
    } catch (error) {
      // Only Cosmovisor falls over. Its child lives on, now without a guardian.
      this.stop();
      const line = cosmovisorLine(`panic: ${(error as Error).message}`, undefined, "error");
      return { logs: [line], files: new Map(), process: { kind: "leave" } };
    }
    return plan === undefined ? undefined : this.#upgrade(plan, machine, world);
  }

  #resume(clock: Time): SidecarStep | undefined {
    const pending = this.#pending;
    if (pending === undefined || clock < pending.until) return undefined;
    this.#pending = undefined;
    return this.#settle(pending.step);
  }

  #upgrade(plan: UpgradeInfo, machine: SidecarMachine, world: SidecarWorld): SidecarStep {
    const downloads = new Downloads(world.releases);
    const work = new Work(machine.allFiles());
    const step = work.finish(() => {
      if (seesSkip(machine.skipUpgradeHeights, plan.height)) {
        return {
          kind: "exit",
          reason: `cosmovisor stopped the app at upgrade height ${plan.height}, which it is told to skip, and did not start it again`,
        };
      }
      return this.#switch(plan, work, downloads, world);
    });
    const killed = cosmovisorLine("daemon shutting down in an attempt to restart");
    if (downloads.takes === 0n) return this.#settle({ ...step, logs: [killed, ...step.logs] });
    this.#pending = { until: world.clock + downloads.takes, step };
    const reason = `cosmovisor is downloading the binary for upgrade "${plan.name}"`;
    return { logs: [killed], files: new Map(), process: { kind: "exit", reason } };
  }

  /** Cosmovisor ends when its app does. */
  #settle(step: SidecarStep): SidecarStep {
    if (step.process.kind === "exit") this.stop();
    return step;
  }

  #switch(
    plan: UpgradeInfo,
    work: Work,
    downloads: Downloads,
    world: SidecarWorld,
  ): SidecarStep["process"] {
    const { settings } = this;
    if (settings.backup !== false) work.backUp(world.clock);
    const rules = {
      allowed: settings.mode === "download",
      mustHaveChecksum: settings.mustHaveChecksum === true,
    };
    switchBinary(plan, rules, work.disk, downloads, work.logs);
    const exits = settings.preUpgradeExits ?? [NO_SUCH_COMMAND];
    preUpgrade(exits, settings.preUpgradeMaxRetries ?? 0, work.logs);
    if (settings.restartAfterUpgrade === false) {
      work.logs.push(cosmovisorLine(RESTART_IS_OFF));
      return { kind: "exit", reason: RESTART_IS_OFF };
    }
    work.logs.push(cosmovisorLine("upgrade detected, relaunching"));
    return work.run(world);
  }
}

/** What a sidecar has in hand: lines and files that count even if the rest fails. */
class Work {
  readonly logs: LogLine[] = [];
  readonly disk: DiskDraft;

  constructor(files: ReadonlyMap<string, string>) {
    this.disk = new DiskDraft(files);
  }

  /** Launches the current binary. Throws when that cannot be run. */
  run(world: SidecarWorld): SidecarStep["process"] {
    const path = binaryPath(this.disk.get(CURRENT) ?? GENESIS_DIR);
    const binary = this.disk.get(path);
    if (binary === undefined) {
      throw new Error(`current binary is invalid: stat ${path}: no such file or directory`);
    }
    this.logs.push(cosmovisorLine("running app", { path, args: "[start]" }));
    if (world.hasBinary(binary)) return { kind: "run", binary };
    throw new Error(`launching process ${path} start failed: fork/exec ${path}: exec format error`);
  }

  /** Copies `data/`; a second upgrade of the same day is copied over the first. */
  backUp(clock: Time): void {
    const to = backupDir(clock);
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

/**
 * Whether Cosmovisor sees that a height is to be skipped. The app takes several heights with commas between
 * them, a form in which Cosmovisor sees none; so only a single height is known to both.
 */
const seesSkip = (heights: ReadonlySet<number>, height: number): boolean =>
  heights.size === 1 && heights.has(height);
