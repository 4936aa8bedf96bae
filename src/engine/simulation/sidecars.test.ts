import { describe, expect, test } from "vitest";
import { SECOND } from "../../base/time.ts";
import { checksumOf } from "../network/sidecar/releases.ts";
import type { SidecarSettings } from "../network/sidecar/sidecar.ts";
import { validatePlanInfo } from "../network/sidecar/validate-info.ts";
import type { NodeAction, ReleaseCommand } from "./command.ts";
import { Simulation } from "./simulation.ts";
import { install, pass, runRounds, runTo, softwareUpgrade, V2, worldSpec } from "./testing.ts";

const URL = "https://releases.example/v2";
const INFO = JSON.stringify({
  binaries: { "linux/amd64": `${URL}?checksum=sha256:${checksumOf("v2")}` },
});
const ALL = ["val-0", "val-1", "val-2", "val-3"];

const act = (sim: Simulation, action: NodeAction, ...nodes: readonly string[]): void => {
  for (const node of nodes.length === 0 ? ALL : nodes) sim.apply({ type: "node", node, action });
};
const serve = (sim: Simulation, serves: ReleaseCommand["serves"]): void => {
  sim.apply({ type: "release", name: "v2", url: URL, serves });
};
const log = (sim: Simulation, node: string): string[] =>
  sim.log(node).flatMap((line) => (line.module === "cosmovisor" ? [line.text] : []));
const file = (sim: Simulation, path: string): string | undefined => sim.files("val-0").get(path);

describe("an upgrade-info.json that nests too deep", () => {
  const nested: NodeAction = {
    kind: "write_file",
    path: "data/upgrade-info.json",
    content: "[".repeat(200_000),
  };

  test("is one that the sidecar cannot parse", () => {
    const sim = Simulation.create(worldSpec());
    runTo(sim, 3);
    act(sim, { kind: "sidecar", sidecar: { mode: "staged" } }, "val-0");
    act(sim, nested, "val-0");
    runRounds(sim, 3);
    expect(log(sim, "val-0").join("\n")).toContain("exceeded max depth");
  });

  test("is one that the process cannot read as it starts", () => {
    const sim = Simulation.create(worldSpec());
    act(sim, nested, "val-0");
    act(sim, { kind: "stop" }, "val-0");
    act(sim, { kind: "start" }, "val-0");
    expect(sim.node("val-0")?.reason).toContain("exceeded max depth");
  });
});

/** A chain that will upgrade to v2 at height 30. */
function planned(info = INFO, binaries = [V2]): Simulation {
  const sim = Simulation.create(worldSpec({ binaries }));
  pass(sim, softwareUpgrade(sim, "v2", 30, info));
  return sim;
}

describe("sidecars over a whole network", () => {
  test("staged: the chain passes its upgrade without a lost round", () => {
    const sim = planned();
    act(sim, { kind: "sidecar", sidecar: { mode: "staged" } });
    act(sim, { kind: "stage", binary: "v2" });
    expect(sim.node("val-0")).toMatchObject({ binary: "v1", staged: "v2" });
    const before = sim.rounds - sim.height;
    runTo(sim, 35);
    expect(sim.rounds - sim.height).toBe(before);
    expect(sim.node("val-0")).toMatchObject({ binary: "v2", staged: undefined });
    expect(file(sim, "cosmovisor/current")).toBe("upgrades/v2");
    expect(file(sim, "data-backup-2026-1-1/upgrade-info.json")).toContain('"height":30');
    expect(file(sim, "data-backup-2026-1-1/priv_validator_state.json")).toContain('"30"');
  });

  test("nothing staged and no downloads: every node is gone, with the reason", () => {
    const sim = planned();
    act(sim, { kind: "sidecar", sidecar: { mode: "staged" } });
    runTo(sim, 29);
    runRounds(sim, 2);
    expect(sim.node("val-0")).toMatchObject({ process: "exited" });
    expect(sim.chainStatus().missing[0]?.reason).toBe(
      "binary not present, downloading disabled: stat cosmovisor/upgrades/v2/bin/chaind: no such file or directory",
    );
    // Manual installation fixes it.
    install(sim, "v2", ...ALL);
    runTo(sim, 35);
    expect(log(sim, "val-0").at(-1)).toBe(
      "running app path=cosmovisor/upgrades/v2/bin/chaind args=[start]",
    );
  });

  test("heights to skip in arguments of their own: the app takes the first, the sidecar all", () => {
    const sim = planned();
    act(sim, { kind: "sidecar", sidecar: { mode: "staged" } });
    act(sim, { kind: "stage", binary: "v2" });
    act(sim, { kind: "halt_height", height: 90 }, "val-0");
    act(sim, { kind: "skip_upgrades", heights: [20, 30], form: "space" }, "val-0");
    expect(log(sim, "val-0").at(-1)).toBe(
      "running app path=cosmovisor/genesis/bin/chaind args=[start --unsafe-skip-upgrades 20 30 --halt-height 90]",
    );
    expect(sim.node("val-0")?.skipUpgradeHeights).toEqual([20]);
    runTo(sim, 31);
    expect(sim.node("val-0")).toMatchObject({
      process: "exited",
      haltCause: { kind: "sidecar_skips", height: 30 },
    });
    expect(sim.node("val-1")).toMatchObject({ process: "running", binary: "v2" });
  });

  test("downloads: a slow server costs two minutes and no block", () => {
    const sim = planned();
    serve(sim, "slow");
    act(sim, { kind: "sidecar", sidecar: { mode: "download" } });
    runTo(sim, 35);
    // The votes on block 30 determined the time of block 31; the wait is visible in the next one.
    const gap = (sim.timeAt(32) as bigint) - (sim.timeAt(31) as bigint);
    expect(gap >= 120_000_000_000n).toBe(true);
    expect(sim.node("val-3")?.binary).toBe("v2");
  });

  test("DAEMON_POLL_INTERVAL and DAEMON_RESTART_DELAY: the chain stands still while they wait", () => {
    const stoodStill = (settings: Partial<SidecarSettings>): bigint => {
      const sim = planned();
      act(sim, { kind: "sidecar", sidecar: { mode: "staged", ...settings } });
      act(sim, { kind: "stage", binary: "v2" });
      runTo(sim, 35);
      expect(sim.node("val-0")?.binary).toBe("v2");
      return ((sim.timeAt(32) as bigint) - (sim.timeAt(31) as bigint)) / SECOND;
    };
    expect(stoodStill({})).toBe(5n);
    expect(stoodStill({ restartDelay: 90n * SECOND })).toBeGreaterThanOrEqual(90n);
    const grace = { shutdownGrace: 60n * SECOND, shutdownTakes: 600n * SECOND };
    expect(stoodStill(grace)).toBeGreaterThanOrEqual(60n);
    expect(stoodStill(grace)).toBeLessThan(90n);
    // It was started between blocks 12 and 20, so a whole interval later is well after block 30.
    expect(stoodStill({ pollInterval: 600n * SECOND })).toBeGreaterThan(400n);
  });

  test("COSMOVISOR_DISABLE_RECASE: a binary staged before that lies where the sidecar no longer looks", () => {
    const sim = planned(INFO, [{ ...V2, handlers: ["V2"] }]);
    act(sim, { kind: "stage", binary: "v2" });
    expect(sim.stagedFor("val-0", "V2")).toBe("v2");
    act(sim, { kind: "sidecar", sidecar: { mode: "staged", recase: false } });
    expect(sim.stagedFor("val-0", "V2")).toBeUndefined();
    act(sim, { kind: "stage", binary: "v2" });
    expect(file(sim, "cosmovisor/upgrades/V2/bin/chaind")).toBe("v2");
    expect(sim.stagedFor("val-0", "V2")).toBe("v2");
  });

  test("the command line asks the same release server before a plan is proposed", () => {
    const sim = planned();
    expect(validatePlanInfo(INFO, sim.releases).refusal).toContain("bad response code: 404");
    serve(sim, "slow");
    expect(validatePlanInfo(INFO, sim.releases)).toEqual({
      refusal: undefined,
      duration: 120n * SECOND,
    });
  });

  test("a wrong checksum stops the node", () => {
    const sim = planned();
    serve(sim, "wrong_checksum");
    act(sim, { kind: "sidecar", sidecar: { mode: "download" } });
    runTo(sim, 29);
    runRounds(sim, 2);
    expect(sim.node("val-0")?.reason).toContain("Checksums did not match");
  });

  test("started again after the stop, the old binary runs first and fails, and so does Cosmovisor", () => {
    const sim = planned();
    runTo(sim, 29);
    runRounds(sim, 2);
    act(sim, { kind: "stage", binary: "v2" });
    act(sim, { kind: "sidecar", sidecar: { mode: "staged" } });
    runRounds(sim, 3);
    expect(sim.node("val-0")).toMatchObject({ process: "exited", binary: "v1" });
    expect(log(sim, "val-0")).toEqual([
      "running app path=cosmovisor/genesis/bin/chaind args=[start]",
      "exit status 1",
    ]);
  });

  test("beside a node that was upgraded by hand it finds nothing to do", () => {
    const sim = planned();
    runTo(sim, 29);
    runRounds(sim, 2);
    install(sim, "v2", ...ALL);
    act(sim, { kind: "sidecar", sidecar: { mode: "staged" } });
    runTo(sim, 35);
    expect(log(sim, "val-0")).toEqual([
      "running app path=cosmovisor/upgrades/v2/bin/chaind args=[start]",
    ]);
  });

  test("unless its folder does not say for which plan: then it stops a healthy node", () => {
    const sim = planned();
    runTo(sim, 29);
    runRounds(sim, 2);
    install(sim, "v2", ...ALL);
    act(sim, { kind: "write_file", path: "cosmovisor/current", content: "genesis" });
    act(sim, { kind: "write_file", path: "cosmovisor/genesis/bin/chaind", content: "v2" });
    act(sim, { kind: "sidecar", sidecar: { mode: "staged" } }, "val-0");
    act(sim, { kind: "remove_file", path: "cosmovisor/upgrades/v2/upgrade-info.json" }, "val-0");
    runRounds(sim, 1);
    expect(log(sim, "val-0")).toContain("daemon shutting down in an attempt to restart");
  });

  test("wiped, a node replays the whole chain with the first binary and upgrades on its way", () => {
    const sim = planned();
    act(sim, { kind: "stage", binary: "v2" });
    act(sim, { kind: "sidecar", sidecar: { mode: "staged" } });
    runTo(sim, 35);
    act(sim, { kind: "wipe" }, "val-3");
    runRounds(sim, 2);
    expect(sim.node("val-3")).toMatchObject({ process: "running", binary: "v2" });
    expect(sim.node("val-3")?.height).toBe(sim.height);
    expect(sim.appHashesAgree()).toBe(true);
  });

  test("a file named after a binary that does not exist cannot be run", () => {
    const sim = planned();
    act(sim, { kind: "sidecar", sidecar: { mode: "staged" } });
    const path = "cosmovisor/genesis/bin/chaind";
    act(sim, { kind: "write_file", path, content: "rubbish" }, "val-0");
    act(sim, { kind: "start" }, "val-0");
    expect(sim.node("val-0")).toMatchObject({
      process: "exited",
      reason: `launching process ${path} start failed: fork/exec ${path}: exec format error`,
    });
  });

  test("a release of an unknown binary is refused", () => {
    const sim = planned();
    expect(() => sim.apply({ type: "release", name: "v9", url: URL, serves: "binary" })).toThrow(
      "there is no binary v9; there are v1, v2",
    );
  });

  test("a crash takes Cosmovisor with it, and both are started again together", () => {
    const sim = planned();
    act(sim, { kind: "sidecar", sidecar: { mode: "staged" } });
    act(sim, { kind: "stage", binary: "v2" });
    sim.apply({ type: "fault", node: "val-0", kind: "crash", at: 20, for: 3 });
    runTo(sim, 21);
    expect(sim.node("val-0")?.process).toBe("exited");
    expect(log(sim, "val-0").at(-1)).toBe("exit status 1");
    runTo(sim, 24);
    expect(log(sim, "val-0").at(-1)).toBe(
      "running app path=cosmovisor/genesis/bin/chaind args=[start]",
    );
    runTo(sim, 33);
    expect(sim.node("val-0")).toMatchObject({ process: "running", binary: "v2" });
  });

  test("pre-upgrade is tried as often as it may, and its last word counts", () => {
    const sim = planned();
    act(sim, { kind: "stage", binary: "v2" });
    const exits = { preUpgradeExits: [31, 31, 0], preUpgradeMaxRetries: 2 };
    act(sim, { kind: "sidecar", sidecar: { mode: "staged", ...exits } });
    act(sim, { kind: "sidecar", sidecar: { mode: "staged", preUpgradeExits: [30] } }, "val-3");
    runTo(sim, 32);
    const retries = log(sim, "val-0").filter((line) => line.includes("retrying"));
    expect(retries).toEqual([
      "pre-upgrade command failed. retrying error=exit status 31 attempt=1",
      "pre-upgrade command failed. retrying error=exit status 31 attempt=2",
    ]);
    expect(log(sim, "val-0")).toContain("pre-upgrade successful. continuing the upgrade.");
    expect(sim.node("val-3")).toMatchObject({
      process: "exited",
      reason: "pre-upgrade command failed : exit status 30",
    });
  });

  test("the same journal gives the same blocks, logs and disks again", () => {
    const sim = planned();
    serve(sim, "slow");
    act(sim, { kind: "sidecar", sidecar: { mode: "download" } }, "val-0", "val-1");
    act(sim, { kind: "twin" }, "val-3");
    runTo(sim, 29);
    runRounds(sim, 3);
    act(sim, { kind: "lose_signer_state" }, "val-2");
    install(sim, "v2", "val-2", "val-3");
    runTo(sim, 36);
    const again = Simulation.create(sim.spec);
    for (const { at, command } of sim.journal) {
      runRounds(again, at - again.rounds);
      again.apply(command);
    }
    runRounds(again, sim.rounds - again.rounds);
    expect(again.appHash).toEqual(sim.appHash);
    expect(again.logSince(0)).toEqual(sim.logSince(0));
    for (const { name } of sim.nodes()) expect(again.files(name)).toEqual(sim.files(name));
  });
});
