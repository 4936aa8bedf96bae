import { describe, expect, test } from "vitest";
import { parseRfc3339, SECOND, type Time } from "../../../base/time.ts";
import { type Release, ReleaseServer } from "./releases.ts";
import { Sidecar, type SidecarSettings } from "./sidecar.ts";
import type { SidecarStep } from "./step.ts";

const SKIP = "--unsafe-skip-upgrades";
const NOON = parseRfc3339("2026-01-02T12:00:00Z");
/** Start of the sidecar. By default it polls at noon for the first time, and then once a second. */
const STARTED = NOON - 5n * SECOND;
const URL = "https://releases.example/v2";
const PLAN = `{"name":"v2","time":"0001-01-01T00:00:00Z","height":20,"info":"{\\"binaries\\":{\\"any\\":\\"${URL}\\"}}"}`;
const V1 = { "cosmovisor/current": "genesis", "cosmovisor/genesis/bin/chaind": "v1" };
const STAGED = { ...V1, "cosmovisor/upgrades/v2/bin/chaind": "v2" };

/** A host with a started sidecar, which writes to the host's disk. */
function host(
  settings: SidecarSettings,
  files: Readonly<Record<string, string>>,
  args: readonly string[] = ["start"],
) {
  const releases = new ReleaseServer();
  const disk = new Map(Object.entries(files));
  const sidecar = new Sidecar(settings);
  let looks = 0n;
  const world = (clock: Time) => ({
    clock,
    releases,
    hasBinary: (name: string) => ["v1", "v2"].includes(name),
  });
  const source = (step: SidecarStep | undefined): SidecarStep | undefined => {
    for (const [path, content] of step?.files ?? []) disk.set(path, content);
    return step;
  };
  const setUp = {
    disk,
    serve: (serves: Release["serves"]) => releases.set(URL, { binary: "v2", serves }),
    start: () => source(sidecar.start(disk, args, world(STARTED))),
    stop: () => sidecar.stop(),
    look: (process: "up" | "gone" = "up", clock = NOON + SECOND * looks) => {
      looks += 1n;
      const height = process === "up" ? 20 : undefined;
      const state = { files: disk, allFiles: () => disk, height };
      return source(sidecar.step(state, world(clock)));
    },
  };
  setUp.start();
  return setUp;
}

const lines = (step: SidecarStep | undefined): string[] =>
  step?.logs.map(({ text, fields }) =>
    [text, ...Object.entries(fields ?? {}).map(([k, v]) => `${k}=${v}`)].join(" "),
  ) ?? [];

const failed = (error: string) => ({ kind: "exit", cause: { kind: "sidecar_failed", error } });

describe("the run loop (rules/sidecar 3.1, 3.3, 3.4, 3.5)", () => {
  test("starts the current binary, links genesis if there is no link", () => {
    const { start, disk } = host({ mode: "staged" }, { "cosmovisor/genesis/bin/chaind": "v1" });
    expect(start()?.process).toEqual({ kind: "run", binary: "v1" });
    expect(disk.get("cosmovisor/current")).toBe("genesis");
  });

  test("at an upgrade: kill, back up, switch, pre-upgrade, run the new binary", () => {
    const { look, disk } = host({ mode: "staged" }, { ...STAGED, "data/x": "1" });
    expect(look()).toBeUndefined();
    disk.set("data/upgrade-info.json", PLAN);
    const step = look();
    expect(lines(step)).toEqual([
      "daemon shutting down in an attempt to restart",
      "starting to take backup of data directory",
      "backup completed backup saved at=data-backup-2026-1-2",
      "pre-upgrade command does not exist. continuing the upgrade.",
      "upgrade detected, relaunching",
      "running app path=cosmovisor/upgrades/v2/bin/chaind args=[start]",
    ]);
    expect(step?.process).toEqual({ kind: "run", binary: "v2" });
    expect(disk.get("cosmovisor/current")).toBe("upgrades/v2");
    expect(disk.get("data-backup-2026-1-2/upgrade-info.json")).toBe(PLAN);
    expect(disk.get("data-backup-2026-1-2/x")).toBe("1");
    expect(look()).toBeUndefined();
  });

  test("UNSAFE_SKIP_BACKUP", () => {
    const { look, disk } = host({ mode: "staged", backup: false }, STAGED);
    disk.set("data/upgrade-info.json", PLAN);
    look();
    expect([...disk.keys()].some((path) => path.startsWith("data-backup"))).toBe(false);
  });

  test("DAEMON_RESTART_AFTER_UPGRADE off: switched, but not started; the next start runs the new binary", () => {
    const { look, start, disk } = host({ mode: "staged", restartAfterUpgrade: false }, STAGED);
    disk.set("data/upgrade-info.json", PLAN);
    expect(look()?.process).toEqual({
      kind: "exit",
      cause: { kind: "sidecar_restart_off" },
    });
    expect(look()).toBeUndefined();
    expect(start()?.process).toEqual({ kind: "run", binary: "v2" });
    expect(look()).toBeUndefined();
  });

  test("any failure ends Cosmovisor, and the app is gone", () => {
    const { look, disk } = host({ mode: "staged" }, V1);
    disk.set("data/upgrade-info.json", PLAN);
    const reason =
      "binary not present, downloading disabled: stat cosmovisor/upgrades/v2/bin/chaind: no such file or directory";
    const step = look();
    expect(step?.process).toEqual(failed(reason));
    expect(lines(step).at(-1)).toBe(reason);
    expect(look()).toBeUndefined();
  });

  test("pre-upgrade runs after the switch, so a failure leaves the new binary linked", () => {
    const { look, disk } = host({ mode: "staged", preUpgradeExits: [30] }, STAGED);
    disk.set("data/upgrade-info.json", PLAN);
    const reason = "pre-upgrade command failed : exit status 30";
    expect(look()?.process).toEqual(failed(reason));
    expect(disk.get("cosmovisor/current")).toBe("upgrades/v2");
  });

  test("a skipped height: the app is killed and not started again", () => {
    const { look, disk } = host({ mode: "staged" }, STAGED, ["start", SKIP, "20"]);
    disk.set("data/upgrade-info.json", PLAN);
    expect(look()?.process).toEqual({
      kind: "exit",
      cause: { kind: "sidecar_skips", height: 20 },
    });
    expect(disk.get("cosmovisor/current")).toBe("genesis");
  });

  test("heights with commas between them, of which Cosmovisor sees none: the upgrade happens", () => {
    const args = ["start", SKIP, "20,30"];
    const { look, start, disk } = host({ mode: "staged" }, STAGED, args);
    expect(lines(start())).toEqual([
      "running app path=cosmovisor/genesis/bin/chaind args=[start --unsafe-skip-upgrades 20,30]",
    ]);
    disk.set("data/upgrade-info.json", PLAN);
    const step = look();
    expect(step?.process).toEqual({ kind: "run", binary: "v2" });
    expect(lines(step).at(-1)).toBe(
      "running app path=cosmovisor/upgrades/v2/bin/chaind args=[start --unsafe-skip-upgrades 20,30]",
    );
  });

  test("invalid content is a panic of Cosmovisor; its child lives on without it", () => {
    const { look, disk } = host({ mode: "staged" }, STAGED);
    disk.set("data/upgrade-info.json", "not JSON");
    const step = look();
    expect(step?.process).toEqual({ kind: "leave" });
    expect(lines(step)).toEqual([
      "panic: failed to parse upgrade info file: invalid character 'o' in literal null (expecting 'u')",
    ]);
    disk.set("data/upgrade-info.json", PLAN);
    expect(look()).toBeUndefined();
  });

  test("a process that is gone has no height, so its upgrade is not found", () => {
    const { look, disk } = host({ mode: "staged" }, STAGED);
    disk.set("data/upgrade-info.json", PLAN);
    expect(look("gone")).toBeUndefined();
  });

  test("a file that cannot be run is found out when it is launched", () => {
    const { look, disk, serve } = host({ mode: "download" }, V1);
    serve("empty");
    disk.set("data/upgrade-info.json", PLAN);
    const path = "cosmovisor/upgrades/v2/bin/chaind";
    expect(look()?.process).toEqual({
      kind: "exit",
      cause: {
        kind: "launch_failed",
        error: `launching process ${path} start failed: fork/exec ${path}: exec format error`,
      },
    });
  });

  test("a slow download: the node is down for two minutes, then runs the new binary", () => {
    const { look, disk, serve } = host({ mode: "download" }, V1);
    serve("slow");
    disk.set("data/upgrade-info.json", PLAN);
    expect(look()?.process).toMatchObject({
      kind: "exit",
      cause: { kind: "sidecar_waits", plan: "v2", for: "download" },
    });
    expect(look("gone", NOON + 119n * SECOND)).toBeUndefined();
    expect(disk.get("cosmovisor/current")).toBe("genesis");
    expect(look("gone", NOON + 120n * SECOND)?.process).toEqual({ kind: "run", binary: "v2" });
    expect(disk.get("cosmovisor/current")).toBe("upgrades/v2");
  });

  test("stopped while it downloads, it does nothing more", () => {
    const { look, stop, disk, serve } = host({ mode: "download" }, V1);
    serve("slow");
    disk.set("data/upgrade-info.json", PLAN);
    look();
    stop();
    expect(look("gone", NOON + 200n * SECOND)).toBeUndefined();
  });
});

/**
 * Returns the first lines of a sidecar's steps in an upgrade, at these seconds after noon; `-`
 * where it does nothing.
 */
function course(
  settings: Partial<SidecarSettings>,
  files: Readonly<Record<string, string>>,
  ...seconds: readonly number[]
): string[][] {
  const { look, disk } = host({ mode: "staged", backup: false, ...settings }, files);
  disk.set("data/upgrade-info.json", PLAN);
  return seconds.map((at, i) => {
    const step = look(i === 0 ? "up" : "gone", NOON + BigInt(at) * SECOND);
    return step === undefined ? ["-"] : lines(step).slice(0, 3);
  });
}

describe("settings (rules/sidecar 2.1)", () => {
  const KILLED = "daemon shutting down in an attempt to restart";
  const ASKED = "sent interrupt to app, waiting for exit";
  const NO_COMMAND = "pre-upgrade command does not exist. continuing the upgrade.";
  const RELAUNCH = "upgrade detected, relaunching";

  test("DAEMON_SHUTDOWN_GRACE, none by default: killed at once, however long the app would take", () => {
    const settings = { shutdownTakes: 60n * SECOND };
    expect(course(settings, STAGED, 0)).toEqual([[KILLED, NO_COMMAND, RELAUNCH]]);
  });

  test("DAEMON_SHUTDOWN_GRACE: interrupted, it exits by itself when it is done", () => {
    expect(course({ shutdownGrace: 30n * SECOND }, STAGED, 0)).toEqual([
      [KILLED, ASKED, "app exited normally"],
    ]);
    const slower = { shutdownGrace: 30n * SECOND, shutdownTakes: 20n * SECOND };
    expect(course(slower, STAGED, 0, 19, 20)).toEqual([
      [KILLED, ASKED],
      ["-"],
      ["app exited normally", NO_COMMAND, RELAUNCH],
    ]);
  });

  test("DAEMON_SHUTDOWN_GRACE: killed when it takes longer", () => {
    const settings = { shutdownGrace: 30n * SECOND, shutdownTakes: 60n * SECOND };
    expect(course(settings, STAGED, 0, 29, 30)).toEqual([
      [KILLED, ASKED],
      ["-"],
      ["DAEMON_SHUTDOWN_GRACE exceeded, killing app", NO_COMMAND, RELAUNCH],
    ]);
  });

  test("DAEMON_RESTART_DELAY: waits before the backup", () => {
    const settings = { restartDelay: 10n * SECOND, backup: true };
    expect(course(settings, STAGED, 0, 9, 10)).toEqual([
      [KILLED],
      ["-"],
      ["starting to take backup of data directory", BACKED_UP, NO_COMMAND],
    ]);
  });

  test("a binary that is staged during the delay is in time", () => {
    const { look, disk } = host({ mode: "staged", restartDelay: 10n * SECOND }, V1);
    disk.set("data/upgrade-info.json", PLAN);
    look();
    disk.set("cosmovisor/upgrades/v2/bin/chaind", "v2");
    const step = look("gone", NOON + 10n * SECOND);
    expect(step?.process).toEqual({ kind: "run", binary: "v2" });
  });

  test.each([
    [
      undefined,
      true,
      "error while reading upgrade-info.json: open data/upgrade-info.json: no such file or directory",
    ],
    ["{}", true, "upgrade-info.json is empty"],
    ["{", true, "unexpected end of JSON input"],
    ["{}", false, "invalid upgrade plan: name cannot be empty: invalid request"],
  ])(
    "what becomes of upgrade-info.json during the delay is read again: %s (backup: %s)",
    (content, backup, reason) => {
      const { look, disk } = host(
        { mode: "staged", restartDelay: 10n * SECOND, backup, customPreUpgrade: "check.sh" },
        { ...STAGED, "cosmovisor/check.sh": "" },
      );
      disk.set("data/upgrade-info.json", PLAN);
      look();
      if (content === undefined) disk.delete("data/upgrade-info.json");
      else disk.set("data/upgrade-info.json", content);
      expect(look("gone", NOON + 10n * SECOND)?.process).toEqual(failed(reason));
    },
  );

  test("a skipped height is seen after the grace and before the delay", () => {
    const { look, disk } = host(
      { mode: "staged", shutdownGrace: SECOND, restartDelay: 10n * SECOND },
      STAGED,
      ["start", SKIP, "30", "20"],
    );
    disk.set("data/upgrade-info.json", PLAN);
    const step = look();
    expect(lines(step)).toEqual([KILLED, ASKED, "app exited normally"]);
    expect(step?.process.kind).toBe("exit");
    expect(look("gone", NOON + 60n * SECOND)).toBeUndefined();
  });

  test("DAEMON_POLL_INTERVAL: looks at every tick since it started the app, and at no other time", () => {
    const settings = { pollInterval: 60n * SECOND };
    const { look, disk } = host({ mode: "staged", ...settings }, STAGED);
    disk.set("data/upgrade-info.json", PLAN);
    expect(look("up", STARTED + 59n * SECOND)).toBeUndefined();
    disk.delete("data/upgrade-info.json");
    expect(look("up", STARTED + 61n * SECOND)).toBeUndefined();
    disk.set("data/upgrade-info.json", PLAN);
    expect(look("up", STARTED + 119n * SECOND)).toBeUndefined();
    expect(look("up", STARTED + 120n * SECOND)?.process.kind).toBe("run");
  });

  test("DAEMON_POLL_INTERVAL is 300ms by default", () => {
    const { look, disk } = host({ mode: "staged" }, STAGED);
    disk.set("data/upgrade-info.json", PLAN);
    expect(look("up", STARTED + 299_999_999n)).toBeUndefined();
    expect(look("up", STARTED + 300_000_000n)?.process.kind).toBe("run");
  });

  test("DAEMON_DATA_BACKUP_DIR: the backup goes there", () => {
    const files = { ...STAGED, "/mnt/backups/README": "" };
    const { look, disk } = host({ mode: "staged", backupDir: "/mnt/backups/" }, files);
    disk.set("data/upgrade-info.json", PLAN);
    expect(lines(look())).toContain(
      "backup completed backup saved at=/mnt/backups/data-backup-2026-1-2",
    );
    expect(disk.get("/mnt/backups/data-backup-2026-1-2/upgrade-info.json")).toBe(PLAN);
  });

  test.each([
    [
      {},
      false,
      '"/mnt/backups" must be a valid directory: stat /mnt/backups: no such file or directory',
    ],
    [{ "/mnt/backups": "a file" }, true, '"/mnt/backups" must be a valid directory'],
  ])("DAEMON_DATA_BACKUP_DIR must exist, else nothing is started: %j", (files, isFile, reason) => {
    const { start } = host({ mode: "staged", backupDir: "/mnt/backups" }, { ...STAGED, ...files });
    const cause = { kind: "backup_dir_missing", dir: "/mnt/backups", isFile } as const;
    const step = start();
    expect(step?.process).toEqual({ kind: "exit", cause });
    expect(lines(step)).toEqual([reason]);
  });

  test("DAEMON_DATA_BACKUP_DIR is not looked at when backups are skipped", () => {
    const settings = { mode: "staged", backup: false, backupDir: "/mnt/backups" } as const;
    expect(host(settings, STAGED).start()?.process).toEqual({ kind: "run", binary: "v1" });
  });

  const CAPITALS = PLAN.replace('"v2"', '"V2"');
  test("COSMOVISOR_DISABLE_RECASE: the folder keeps the capitals of the plan's name", () => {
    const inCapitals = { ...V1, "cosmovisor/upgrades/V2/bin/chaind": "v2" };
    const { look, disk } = host({ mode: "staged", recase: false }, inCapitals);
    disk.set("data/upgrade-info.json", CAPITALS);
    expect(look()?.process).toEqual({ kind: "run", binary: "v2" });
    expect(disk.get("cosmovisor/current")).toBe("upgrades/V2");
  });

  test("COSMOVISOR_DISABLE_RECASE: a folder in lower case is not found", () => {
    const { look, disk } = host({ mode: "staged", recase: false }, STAGED);
    disk.set("data/upgrade-info.json", CAPITALS);
    expect(look()?.process).toEqual(
      failed(
        "binary not present, downloading disabled: stat cosmovisor/upgrades/V2/bin/chaind: no such file or directory",
      ),
    );
  });
});

const BACKED_UP = "backup completed backup saved at=data-backup-2026-1-2";

describe("COSMOVISOR_CUSTOM_PREUPGRADE (rules/sidecar 3.7)", () => {
  const FILE = "cosmovisor/check.sh";
  const upgrade = (files: Readonly<Record<string, string>>, plan = PLAN) => {
    const { look, disk } = host(
      { mode: "staged", customPreUpgrade: "check.sh" },
      { ...STAGED, ...files },
    );
    disk.set("data/upgrade-info.json", plan);
    const step = look();
    return { lines: lines(step), process: step?.process, current: disk.get("cosmovisor/current") };
  };

  test("runs after the backup and before the switch, with the plan's name, as it is written, and height", () => {
    const { lines, current } = upgrade({ [FILE]: "#!/bin/sh" }, PLAN.replace('"v2"', '"V2"'));
    expect(lines.slice(2, 6)).toEqual([
      BACKED_UP,
      `looking for COSMOVISOR_CUSTOM_PREUPGRADE file file=${FILE}`,
      `COSMOVISOR_CUSTOM_PREUPGRADE result command=${FILE} argv1=V2 argv2=20`,
      "pre-upgrade command does not exist. continuing the upgrade.",
    ]);
    expect(current).toBe("upgrades/v2");
  });

  test("a script that fails fails the upgrade; nothing was switched", () => {
    const { process, current } = upgrade({ [FILE]: "#!/bin/sh\necho no space\nexit 3\n" });
    expect(process).toEqual(failed("exit status 3"));
    expect(current).toBe("genesis");
  });

  test("an exit before the last line does not count, nor does exit 0", () => {
    expect(upgrade({ [FILE]: "if false; then exit 1\nfi" }).process?.kind).toBe("run");
    expect(upgrade({ [FILE]: "exit 0" }).process?.kind).toBe("run");
  });

  test("missing, the upgrade fails", () => {
    const { lines, process } = upgrade({});
    expect(lines).toContain(`COSMOVISOR_CUSTOM_PREUPGRADE file missing file=${FILE}`);
    expect(process).toEqual(failed(`stat ${FILE}: no such file or directory`));
  });

  test("a folder of its name is no script", () => {
    expect(upgrade({ [`${FILE}/README`]: "" }).process).toEqual(
      failed("COSMOVISOR_CUSTOM_PREUPGRADE: check.sh is not a regular file"),
    );
  });
});
