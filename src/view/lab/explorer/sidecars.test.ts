import { describe, expect, test } from "vitest";
import { SECOND } from "../../../base/time.ts";
import { checksumOf } from "../../../engine/network/sidecar/releases.ts";
import type { SidecarSettings } from "../../../engine/network/sidecar/sidecar.ts";
import type { NodeAction, ReleaseCommand } from "../../../engine/simulation/command.ts";
import { Simulation } from "../../../engine/simulation/simulation.ts";
import {
  pass,
  runRounds,
  runTo,
  softwareUpgrade,
  V2,
  worldSpec,
} from "../../../engine/simulation/testing.ts";
import type { SidecarLine } from "../../../gen/lab/v1/lab_plain.ts";
import { lazyObserver } from "../frame/observed.ts";
import { WorldQueries } from "../world-queries.ts";

const URL = "https://releases.example/v2";
const INFO = JSON.stringify({
  binaries: { "linux/amd64": `${URL}?checksum=sha256:${checksumOf("v2")}` },
});
const ALL = ["val-0", "val-1", "val-2", "val-3"];

/** A chain that upgrades to v2 at height 30, and queries of it. */
function planned(info = INFO) {
  const sim = Simulation.create(worldSpec({ binaries: [V2] }));
  const queries = new WorldQueries(sim, lazyObserver(sim));
  pass(sim, softwareUpgrade(sim, "v2", 30, info));
  const act = (action: NodeAction, nodes = ALL): void => {
    for (const node of nodes) sim.apply({ type: "node", node, action });
  };
  return {
    sim,
    act,
    attach: (sidecar: SidecarSettings, ...nodes: string[]) =>
      act({ kind: "sidecar", sidecar }, nodes.length === 0 ? ALL : nodes),
    serve: (serves: ReleaseCommand["serves"]) =>
      sim.apply({ type: "release", name: "v2", url: URL, serves }),
    due: (rounds = 1) => {
      runTo(sim, 29);
      runRounds(sim, rounds);
    },
    all: (limit = 0) => queries.lab("getSidecars", { limit }),
    one: (node: string) => queries.lab("getSidecar", { node }),
  };
}

/** All steps that are not just pending, each with its state. */
const steps = ({ steps: all }: SidecarLine): string[] =>
  all.filter(({ state }) => state !== "later").map(({ step, state }) => `${step} ${state}`);

describe("what is said of sidecars", () => {
  test("nodes without one are counted, and that is all", () => {
    expect(planned().all()).toEqual({ lines: [], counts: [], without: 4 });
    expect(() => planned().one("val-0")).toThrow("val-0 has no sidecar");
  });

  test("those that need a person come first, whatever the limit", () => {
    const { act, attach, all } = planned();
    attach({ mode: "staged" });
    act({ kind: "stage", binary: "v2" }, ["val-0", "val-1", "val-2"]);
    const { lines, counts, without } = all(2);
    expect(counts).toEqual([
      { state: "unready", nodes: 1 },
      { state: "ready", nodes: 3 },
    ]);
    expect(without).toBe(0);
    expect(lines.map(({ node, because }) => [node, because])).toEqual([
      [
        "val-3",
        "At block 30 it would stop: binary not present, downloading disabled: stat cosmovisor/upgrades/v2/bin/chaind: no such file or directory",
      ],
      ["val-0", "v2 lies ready for block 30."],
    ]);
  });

  test("what is offered for one that is not ready makes it ready", () => {
    const { sim, act, attach, one } = planned();
    attach({ mode: "staged" });
    expect(one("val-3").remedies).toEqual([
      {
        label: "Place v2 where it looks",
        step: JSON.stringify({ nodes: { which: ["val-3"], stage: "v2" } }),
      },
    ]);
    act({ kind: "stage", binary: "v2" }, ["val-3"]);
    expect(one("val-3").line?.state).toBe("ready");
    expect(sim.node("val-3")?.staged).toBe("v2");
  });

  test("an upgrade that is done keeps its steps, with what was written in each", () => {
    const { act, attach, due, one } = planned();
    attach({ mode: "staged" });
    act({ kind: "stage", binary: "v2" });
    due();
    const { line, files, log } = one("val-0");
    expect(line).toMatchObject({
      state: "watching",
      plan: "v2",
      height: 30,
      because: "It has switched to v2 at block 30.",
    });
    expect(line && steps(line)).toEqual([
      "watch done",
      "stop done",
      "backup done",
      "binary done",
      "download left_out",
      "checksum left_out",
      "switch done",
      "pre_upgrade done",
      "restart done",
    ]);
    expect(line?.steps.find(({ step }) => step === "backup")?.lines).toEqual([
      "starting to take backup of data directory",
      "backup completed backup saved at=data-backup-2026-1-1",
    ]);
    expect(files.map(({ path }) => path)).toContain("data-backup-2026-1-1/upgrade-info.json");
    expect(log.map(({ text }) => text)).toContain("upgrade detected, relaunching");
  });

  test("a download that takes its time is being done, and what came before it has been", () => {
    const { sim, attach, serve, due, one } = planned();
    serve("slow");
    attach({ mode: "download" });
    due();
    const { line, files, log } = one("val-0");
    expect(line?.state).toBe("working");
    expect(line?.because).toMatch(/^It downloads the binary of v2, until \d\d:\d\d:\d\d\.$/);
    expect(line && steps(line)).toEqual([
      "watch done",
      "stop done",
      "backup done",
      "binary done",
      "download now",
    ]);
    expect(files.map(({ path }) => path)).toContain("data-backup-2026-1-1/upgrade-info.json");
    expect(log.at(-1)?.text).toBe("no upgrade binary found, beginning to download it");
    runTo(sim, 32);
    const done = one("val-0").line;
    expect(done && steps(done).slice(4, 6)).toEqual(["download done", "checksum done"]);
  });

  test("a wrong checksum fails there, in its own words, and a binary put by hand helps", () => {
    const { attach, serve, due, one } = planned();
    serve("wrong_checksum");
    attach({ mode: "download" });
    due();
    const { line, remedies } = one("val-0");
    expect(line).toMatchObject({ state: "failed" });
    expect(line?.because).toContain("cannot download binary. Checksums did not match");
    expect(line && steps(line).at(-1)).toBe("checksum failed");
    expect(line?.steps.find(({ step }) => step === "checksum")?.lines.at(-1)).toBe(line?.because);
    expect(remedies[0]).toEqual({
      label: "Switch val-0 to v2",
      step: JSON.stringify({ nodes: { which: ["val-0"], binary: "v2" } }),
    });
  });

  test("one that does not start, one that has panicked and one that was stopped say so", () => {
    const { sim, act, attach, one } = planned();
    attach({ mode: "staged", backupDir: "/mnt/backups" }, "val-0");
    attach({ mode: "staged" }, "val-1", "val-2");
    act({ kind: "write_file", path: "data/upgrade-info.json", content: "{" }, ["val-1"]);
    act({ kind: "stop" }, ["val-2"]);
    runRounds(sim, 2);
    expect(one("val-0").line).toMatchObject({ state: "failed" });
    expect(one("val-0").remedies[0]?.label).toBe("Make the folder for backups and start val-0");
    expect(one("val-1").line).toMatchObject({ state: "gone" });
    expect(one("val-1").line?.because).toContain("It panicked, and the app runs without it");
    expect(one("val-1").remedies[0]?.label).toBe("Remove upgrade-info.json and start it again");
    expect(one("val-2").line).toMatchObject({ state: "stopped" });
    expect(one("val-2").remedies[0]?.label).toContain("Start val-2");
  });

  test("one that has panicked does not say that its app runs when that has exited", () => {
    const { sim, act, attach, due, one } = planned();
    attach({ mode: "staged" }, "val-1");
    act({ kind: "write_file", path: "data/upgrade-info.json", content: "{" }, ["val-1"]);
    due(2);
    expect(sim.node("val-1")?.process).toBe("exited");
    expect(one("val-1").line?.because).toContain("It panicked, and the app has exited, too: ");
  });

  test("its settings are those of its environment, with what each means", () => {
    const { attach, one } = planned();
    attach({ mode: "staged", pollInterval: 60n * SECOND, preUpgradeMaxRetries: 2 });
    const settings = one("val-0").settings.filter(({ changed }) => changed);
    expect(settings).toEqual([
      {
        name: "DAEMON_POLL_INTERVAL",
        value: "1m0s",
        meaning: "looks so often at upgrade-info.json",
        changed: true,
      },
      {
        name: "DAEMON_PREUPGRADE_MAX_RETRIES",
        value: "2",
        meaning: "runs the new binary's pre-upgrade up to 3 times",
        changed: true,
      },
    ]);
  });
});
