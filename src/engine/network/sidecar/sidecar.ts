import { type Duration, MILLISECOND, type Time } from "../../../base/time.ts";
import { modelledText } from "../../framework/errors.ts";
import { type HaltCause, haltText } from "../../framework/halt.ts";
import { UPGRADE_INFO_PATH } from "../../modules/upgrade/upgrade-info.ts";
import { heightsOfSidecar } from "../node/start-args.ts";
import { runCustomScript } from "./custom-script.ts";
import { Downloads } from "./download.ts";
import { CURRENT, GENESIS_DIR, infoPath } from "./layout.ts";
import { NO_SUCH_COMMAND, preUpgrade } from "./pre-upgrade.ts";
import {
  cosmovisorLine,
  type SidecarEnvironment,
  type SidecarHost,
  type SidecarStep,
} from "./step.ts";
import { type DownloadRules, switchBinary } from "./switch-binary.ts";
import type { SidecarEnd, StageRecord, UpgradeRecord } from "./upgrade-record.ts";
import { planIn, type UpgradeInfo, UpgradeWatch } from "./upgrade-watch.ts";
import { type Done, Work } from "./work.ts";

/** Settings of Cosmovisor; defaults are its own (rules/sidecar 2.1). */
export interface SidecarSettings {
  /**
   * manual: no sidecar. staged: it switches to binaries on the disk. download: it may also download
   * them.
   */
  readonly mode: "manual" | "staged" | "download";
  /** DAEMON_RESTART_AFTER_UPGRADE, default true. */
  readonly restartAfterUpgrade?: boolean;
  /** DAEMON_RESTART_DELAY, default none: wait before the backup. */
  readonly restartDelay?: Duration;
  /** DAEMON_SHUTDOWN_GRACE, default none: time between interrupting and killing the app. */
  readonly shutdownGrace?: Duration;
  /** Time that the app takes to exit after an interrupt; default 0. */
  readonly shutdownTakes?: Duration;
  /** DAEMON_POLL_INTERVAL, default 300ms. */
  readonly pollInterval?: Duration;
  /**
   * DAEMON_DOWNLOAD_MUST_HAVE_CHECKSUM, default false: applies to an info that is an address, not
   * to binaries.
   */
  readonly mustHaveChecksum?: boolean;
  /** Default true; false is UNSAFE_SKIP_BACKUP. */
  readonly backup?: boolean;
  /** DAEMON_DATA_BACKUP_DIR, absolute; default the daemon's home. */
  readonly backupDir?: string;
  /** COSMOVISOR_CUSTOM_PREUPGRADE, a file below `cosmovisor/`; default none. */
  readonly customPreUpgrade?: string;
  /** Default true; false is COSMOVISOR_DISABLE_RECASE. */
  readonly recase?: boolean;
  /** DAEMON_PREUPGRADE_MAX_RETRIES, default 0. */
  readonly preUpgradeMaxRetries?: number;
  /**
   * Exit codes of the new binary's pre-upgrade command, by attempt; by default it has no such
   * command.
   */
  readonly preUpgradeExits?: readonly number[];
}

const RESTART_IS_OFF: HaltCause = { kind: "sidecar_restart_off" };

const NOTHING: Done = { logs: [], files: new Map(), stages: [] };

export const POLL_INTERVAL: Duration = 300n * MILLISECOND;

/**
 * Reason why an upgrade waits, and the remaining steps, to be applied to the node's state at that
 * time.
 */
type Wait =
  | { readonly for: "exit" | "restart_delay"; readonly plan: UpgradeInfo }
  | {
      readonly for: "download";
      readonly plan: UpgradeInfo;
      readonly step: SidecarStep;
      readonly stages: readonly StageRecord[];
    };

/** Cosmovisor 1.7.1 beside one node, over its simulated disk (rules/sidecar 3). */
export class Sidecar {
  readonly settings: SidecarSettings;
  /** The app's arguments; an upgrade starts the app with the same. */
  #args: readonly string[] = [];
  /** Undefined while Cosmovisor does not run. */
  #watch: UpgradeWatch | undefined;
  /** Time of the next poll of upgrade-info.json. */
  #nextLook: Time = 0n;
  /** An upgrade in progress that waits. */
  #pending: { readonly until: Time; readonly wait: Wait } | undefined;
  #upgrade: UpgradeRecord | undefined;
  #end: SidecarEnd | undefined;

  constructor(settings: SidecarSettings) {
    this.settings = settings;
  }

  /** State stored in keyframes. */
  get persisted() {
    const record = [this.#upgrade, this.#end] as const;
    return [this.#args, this.#watch?.persisted, this.#nextLook, this.#pending, record] as const;
  }
  set persisted(persisted) {
    let watch: UpgradeWatch["persisted"] | undefined;
    let record: readonly [UpgradeRecord | undefined, SidecarEnd | undefined];
    [this.#args, watch, this.#nextLook, this.#pending, record] = persisted;
    [this.#upgrade, this.#end] = record;
    this.#watch = watch && new UpgradeWatch(this.settings.recase);
    if (this.#watch !== undefined && watch !== undefined) this.#watch.persisted = watch;
  }

  /** Current or last upgrade of this run of Cosmovisor. */
  get upgrade(): UpgradeRecord | undefined {
    return this.#upgrade;
  }
  /** Reason why it is not running; undefined while it is. */
  get end(): SidecarEnd | undefined {
    return this.#end;
  }
  /** Time of the next poll of upgrade-info.json. */
  get looksAt(): Time {
    return this.#nextLook;
  }
  /** End of its upgrade's wait; undefined unless it waits. */
  get waitsUntil(): Time | undefined {
    return this.#pending?.until;
  }

  /**
   * `cosmovisor run` with arguments for the app: starts the current binary even if an upgrade is
   * waiting, without state from an earlier run.
   */
  start(
    files: ReadonlyMap<string, string>,
    args: readonly string[],
    env: SidecarEnvironment,
  ): SidecarStep {
    const { backup, backupDir, recase } = this.settings;
    this.#args = args;
    this.#pending = undefined;
    this.#upgrade = undefined;
    this.#end = undefined;
    this.#watch = new UpgradeWatch(recase);
    const work = new Work(files);
    const step = work.finish(() => {
      if (backup !== false && backupDir !== undefined) work.checkBackupDir(backupDir);
      if (files.get(CURRENT) === undefined) work.disk.set(CURRENT, GENESIS_DIR);
      this.#pollFrom(env.clock);
      return work.run(this.#args, env);
    });
    return this.#settle(step);
  }

  /** True if it is running and the app is its child. */
  get guards(): boolean {
    return this.#watch !== undefined && this.#pending === undefined;
  }

  /** Ends it together with the app, by the operator. */
  stop(end: SidecarEnd = { kind: "stopped" }): void {
    this.#watch = undefined;
    this.#pending = undefined;
    this.#end ??= end;
  }

  /**
   * Handles the exit of the app's process. The app's height can no longer be queried, so no more
   * upgrades are found.
   */
  appExited(): SidecarStep {
    this.stop({ kind: "app_exited" });
    const logs = [cosmovisorLine("exit status 1", undefined, "error")];
    return { logs, files: new Map(), process: { kind: "leave" } };
  }

  /** Polls the node once. Undefined, and cheap, when there is nothing to do. */
  step(host: SidecarHost, env: SidecarEnvironment): SidecarStep | undefined {
    const { clock } = env;
    const pending = this.#pending;
    if (pending !== undefined) {
      if (clock < pending.until) return undefined;
      this.#pending = undefined;
      return this.#settle(this.#resume(pending.wait, host, env));
    }
    if (this.#watch === undefined || clock < this.#nextLook) return undefined;
    const interval = this.settings.pollInterval ?? POLL_INTERVAL;
    this.#nextLook += ((clock - this.#nextLook) / interval + 1n) * interval;

    const { files } = host;
    const content = files.get(UPGRADE_INFO_PATH);
    const current = (): string =>
      planIn(files.get(infoPath(files.get(CURRENT) ?? GENESIS_DIR)))?.name ?? "";
    let plan: UpgradeInfo | undefined;
    try {
      plan = this.#watch.check(content, host.height, current);
    } catch (error) {
      // Only Cosmovisor exits: the app keeps running without it.
      const text = modelledText(error);
      this.stop({ kind: "panic", error: text });
      const line = cosmovisorLine(`panic: ${text}`, undefined, "error");
      return { logs: [line], files: new Map(), process: { kind: "leave" } };
    }
    return plan === undefined ? undefined : this.#settle(this.#begin(plan, host, env));
  }

  /** Ends the app, with an interrupt first if there is a grace period, and then upgrades. */
  #begin(plan: UpgradeInfo, host: SidecarHost, env: SidecarEnvironment): SidecarStep {
    const { shutdownGrace: grace, shutdownTakes = 0n } = this.settings;
    const logs = [cosmovisorLine("daemon shutting down in an attempt to restart")];
    if (grace !== undefined) logs.push(cosmovisorLine("sent interrupt to app, waiting for exit"));
    this.#upgrade = { plan, stages: [{ stage: "stop", at: env.clock, logs }] };
    if (grace === undefined) return before({ logs }, this.#afterShutdown(plan, host, env));
    const takes = shutdownTakes < grace ? shutdownTakes : grace;
    return before({ logs }, this.#after(takes, { for: "exit", plan }, host, env));
  }

  #note(...stages: readonly StageRecord[]): void {
    const { plan, stages: earlier } = this.#upgrade as UpgradeRecord;
    this.#upgrade = { plan, stages: [...earlier, ...stages] };
  }

  /** Performs the remaining steps after a wait. */
  #resume(wait: Wait, host: SidecarHost, env: SidecarEnvironment): SidecarStep {
    if (wait.for === "download") {
      this.#pollFrom(env.clock);
      this.#note(...wait.stages.map((record) => ({ ...record, at: env.clock })));
      return wait.step;
    }
    if (wait.for === "restart_delay") return this.#switch(wait.plan, host, env);
    const { shutdownGrace: grace = 0n, shutdownTakes = 0n } = this.settings;
    const inTime = shutdownTakes < grace;
    const gone = inTime ? "app exited normally" : "DAEMON_SHUTDOWN_GRACE exceeded, killing app";
    const logs = [cosmovisorLine(gone)];
    this.#note({ stage: "stop", at: env.clock, logs });
    return before({ logs }, this.#afterShutdown(wait.plan, host, env));
  }

  #afterShutdown(plan: UpgradeInfo, host: SidecarHost, env: SidecarEnvironment): SidecarStep {
    if (heightsOfSidecar(this.#args).has(plan.height)) {
      const cause = { kind: "sidecar_skips", height: plan.height } as const;
      return { logs: [], files: new Map(), process: { kind: "exit", cause } };
    }
    const { restartDelay = 0n } = this.settings;
    if (restartDelay > 0n) this.#note({ stage: "delay", at: env.clock, logs: [] });
    return this.#after(restartDelay, { for: "restart_delay", plan }, host, env);
  }

  /**
   * Switches to the new binary. Downloaded files, and everything after them, take effect when the
   * downloads end.
   */
  #switch(plan: UpgradeInfo, host: SidecarHost, env: SidecarEnvironment): SidecarStep {
    const { settings } = this;
    const work = new Work(host.allFiles());
    let first: Done | undefined;
    const downloads = new Downloads(env.releases, (stage) => {
      work.enter(stage);
      if (first !== undefined) return;
      first = work.soFar(env.clock);
      work.enter(stage);
    });
    const step = work.finish(() => {
      if (settings.backup !== false) {
        work.enter("backup");
        work.backUp(env.clock, settings.backupDir);
      }
      if (settings.customPreUpgrade !== undefined) {
        work.enter("script");
        runCustomScript(settings.customPreUpgrade, work);
      }
      work.enter("binary");
      switchBinary(plan, downloadRules(settings), work.disk, downloads, work.logs);
      work.enter("switch");
      work.enter("pre_upgrade");
      const exits = settings.preUpgradeExits ?? [NO_SUCH_COMMAND];
      preUpgrade(exits, settings.preUpgradeMaxRetries ?? 0, work.logs);
      work.enter("restart");
      if (settings.restartAfterUpgrade === false) {
        work.logs.push(cosmovisorLine(haltText(RESTART_IS_OFF)));
        return { kind: "exit", cause: RESTART_IS_OFF };
      }
      work.logs.push(cosmovisorLine("upgrade detected, relaunching"));
      return work.run(this.#args, env);
    });
    const done = first ?? NOTHING;
    this.#note(...done.stages);
    const stages = work.stages(env.clock).slice(done.stages.length);
    const rest = { ...step, logs: step.logs.slice(done.logs.length) };
    const wait = { for: "download", plan, step: rest, stages } as const;
    return before(done, this.#after(downloads.duration, wait, host, env));
  }

  #pollFrom(clock: Time): void {
    this.#nextLook = clock + (this.settings.pollInterval ?? POLL_INTERVAL);
  }

  /**
   * Performs the remaining steps after a delay, or at once if it is 0. Until then the app's process
   * is not running.
   */
  #after(takes: Duration, wait: Wait, host: SidecarHost, env: SidecarEnvironment): SidecarStep {
    if (takes === 0n) return this.#resume(wait, host, env);
    this.#pending = { until: env.clock + takes, wait };
    const cause = { kind: "sidecar_waits", plan: wait.plan.name, for: wait.for } as const;
    return { logs: [], files: new Map(), process: { kind: "exit", cause } };
  }

  /** Cosmovisor ends when its app does, unless it is in the middle of an upgrade. */
  #settle(step: SidecarStep): SidecarStep {
    const { process } = step;
    if (process.kind === "exit" && this.#pending === undefined) this.stop(process);
    return step;
  }
}

/** Returns the rules for missing binaries that follow from the settings. */
export const downloadRules = ({ mode, mustHaveChecksum }: SidecarSettings): DownloadRules => ({
  allowed: mode === "download",
  mustHaveChecksum: mustHaveChecksum === true,
});

/** Prepends earlier output to a step. */
const before = (
  first: Pick<SidecarStep, "logs"> & Partial<SidecarStep>,
  step: SidecarStep,
): SidecarStep => ({
  ...step,
  logs: [...first.logs, ...step.logs],
  files: new Map([...(first.files ?? []), ...step.files]),
});
