import { describe, expect, test } from "vitest";
import { parseRfc3339, SECOND, type Time } from "../../primitives/time.ts";
import { type Release, ReleaseServer } from "../releases.ts";
import { RESTART_IS_OFF, Sidecar, type SidecarSettings, type SidecarStep } from "./sidecar.ts";

const NOON = parseRfc3339("2026-01-02T12:00:00Z");
const URL = "https://releases.example/v2";
const PLAN = `{"name":"v2","time":"0001-01-01T00:00:00Z","height":20,"info":"{\\"binaries\\":{\\"any\\":\\"${URL}\\"}}"}`;
const V1 = { "cosmovisor/current": "genesis", "cosmovisor/genesis/bin/chaind": "v1" };
const STAGED = { ...V1, "cosmovisor/upgrades/v2/bin/chaind": "v2" };

/** A machine whose sidecar has been started, and what the sidecar writes to its disk. */
function machine(settings: SidecarSettings, files: Readonly<Record<string, string>>) {
  const releases = new ReleaseServer();
  const disk = new Map(Object.entries(files));
  const sidecar = new Sidecar(settings);
  const skipUpgradeHeights = new Set<number>();
  const world = (clock: Time) => ({
    clock,
    releases,
    hasBinary: (name: string) => ["v1", "v2"].includes(name),
  });
  const written = (step: SidecarStep | undefined): SidecarStep | undefined => {
    for (const [path, content] of step?.files ?? []) disk.set(path, content);
    return step;
  };
  const setUp = {
    disk,
    skipUpgradeHeights,
    serve: (serves: Release["serves"]) => releases.set(URL, { binary: "v2", serves }),
    start: () => written(sidecar.start(disk, world(NOON))),
    stop: () => sidecar.stop(),
    look: (process: "up" | "gone" = "up", clock = NOON) => {
      const height = process === "up" ? 20 : undefined;
      const state = { files: disk, allFiles: () => disk, height, skipUpgradeHeights };
      return written(sidecar.step(state, world(clock)));
    },
  };
  setUp.start();
  return setUp;
}

const words = (step: SidecarStep | undefined): string[] =>
  step?.logs.map(({ text, fields }) =>
    [text, ...Object.entries(fields ?? {}).map(([k, v]) => `${k}=${v}`)].join(" "),
  ) ?? [];

describe("the run loop (facts §6.3)", () => {
  test("starts the current binary, links genesis if there is no link", () => {
    const { start, disk } = machine({ mode: "staged" }, { "cosmovisor/genesis/bin/chaind": "v1" });
    expect(start()?.process).toEqual({ kind: "run", binary: "v1" });
    expect(disk.get("cosmovisor/current")).toBe("genesis");
  });

  test("at an upgrade: kill, back up, switch, pre-upgrade, run the new binary", () => {
    const { look, disk } = machine({ mode: "staged" }, { ...STAGED, "data/x": "1" });
    expect(look()).toBeUndefined();
    disk.set("data/upgrade-info.json", PLAN);
    const step = look();
    expect(words(step)).toEqual([
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
    const { look, disk } = machine({ mode: "staged", backup: false }, STAGED);
    disk.set("data/upgrade-info.json", PLAN);
    look();
    expect([...disk.keys()].some((path) => path.startsWith("data-backup"))).toBe(false);
  });

  test("DAEMON_RESTART_AFTER_UPGRADE off: switched, but not started; the next start runs the new binary", () => {
    const { look, start, disk } = machine({ mode: "staged", restartAfterUpgrade: false }, STAGED);
    disk.set("data/upgrade-info.json", PLAN);
    expect(look()?.process).toEqual({ kind: "exit", reason: RESTART_IS_OFF });
    expect(look()).toBeUndefined();
    expect(start()?.process).toEqual({ kind: "run", binary: "v2" });
    expect(look()).toBeUndefined();
  });

  test("any failure ends Cosmovisor, and the app is gone", () => {
    const { look, disk } = machine({ mode: "staged" }, V1);
    disk.set("data/upgrade-info.json", PLAN);
    const reason =
      "binary not present, downloading disabled: stat cosmovisor/upgrades/v2/bin/chaind: no such file or directory";
    const step = look();
    expect(step?.process).toEqual({ kind: "exit", reason });
    expect(words(step).at(-1)).toBe(reason);
    expect(look()).toBeUndefined();
  });

  test("pre-upgrade runs after the switch, so a failure leaves the new binary linked", () => {
    const { look, disk } = machine({ mode: "staged", preUpgradeExits: [30] }, STAGED);
    disk.set("data/upgrade-info.json", PLAN);
    const reason = "pre-upgrade command failed : exit status 30";
    expect(look()?.process).toEqual({ kind: "exit", reason });
    expect(disk.get("cosmovisor/current")).toBe("upgrades/v2");
  });

  test("a skipped height: the app is killed and not started again", () => {
    const { look, disk, skipUpgradeHeights } = machine({ mode: "staged" }, STAGED);
    skipUpgradeHeights.add(20);
    disk.set("data/upgrade-info.json", PLAN);
    expect(look()?.process.kind).toBe("exit");
    expect(disk.get("cosmovisor/current")).toBe("genesis");
  });

  test("several skipped heights are written with commas, and Cosmovisor sees none of them", () => {
    const { look, disk, skipUpgradeHeights } = machine({ mode: "staged" }, STAGED);
    skipUpgradeHeights.add(20).add(30);
    disk.set("data/upgrade-info.json", PLAN);
    expect(look()?.process).toEqual({ kind: "run", binary: "v2" });
  });

  test("invalid content is a panic of Cosmovisor; its child lives on without it", () => {
    const { look, disk } = machine({ mode: "staged" }, STAGED);
    disk.set("data/upgrade-info.json", "not JSON");
    const step = look();
    expect(step?.process).toEqual({ kind: "leave" });
    expect(words(step)).toEqual([
      "panic: failed to parse upgrade info file: invalid character 'o' in literal null (expecting 'u')",
    ]);
    disk.set("data/upgrade-info.json", PLAN);
    expect(look()).toBeUndefined();
  });

  test("a process that is gone has no height, so its upgrade is not found", () => {
    const { look, disk } = machine({ mode: "staged" }, STAGED);
    disk.set("data/upgrade-info.json", PLAN);
    expect(look("gone")).toBeUndefined();
  });

  test("a file that cannot be run is found out when it is launched", () => {
    const { look, disk, serve } = machine({ mode: "download" }, V1);
    serve("empty");
    disk.set("data/upgrade-info.json", PLAN);
    const path = "cosmovisor/upgrades/v2/bin/chaind";
    expect(look()?.process).toEqual({
      kind: "exit",
      reason: `launching process ${path} start failed: fork/exec ${path}: exec format error`,
    });
  });

  test("a slow download: the node is down for two minutes, then runs the new binary", () => {
    const { look, disk, serve } = machine({ mode: "download" }, V1);
    serve("slow");
    disk.set("data/upgrade-info.json", PLAN);
    expect(look()?.process).toMatchObject({
      kind: "exit",
      reason: 'cosmovisor is downloading the binary for upgrade "v2"',
    });
    expect(look("gone", NOON + 119n * SECOND)).toBeUndefined();
    expect(disk.get("cosmovisor/current")).toBe("genesis");
    expect(look("gone", NOON + 120n * SECOND)?.process).toEqual({ kind: "run", binary: "v2" });
    expect(disk.get("cosmovisor/current")).toBe("upgrades/v2");
  });

  test("stopped while it downloads, it does nothing more", () => {
    const { look, stop, disk, serve } = machine({ mode: "download" }, V1);
    serve("slow");
    disk.set("data/upgrade-info.json", PLAN);
    look();
    stop();
    expect(look("gone", NOON + 200n * SECOND)).toBeUndefined();
  });
});
