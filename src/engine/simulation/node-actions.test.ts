import { describe, expect, test } from "vitest";
import type { NodeAction } from "./command.ts";
import { Simulation } from "./simulation.ts";
import { install, pass, runRounds, runTo, softwareUpgrade, V2, worldSpec } from "./testing.ts";

const start = (...args: Parameters<typeof worldSpec>): Simulation =>
  Simulation.create(worldSpec(...args));
const act = (sim: Simulation, node: string, action: NodeAction): void => {
  sim.apply({ type: "node", node, action });
};

describe("a node that was away", () => {
  test("applies what was decided meanwhile when it starts again", () => {
    const sim = start();
    runTo(sim, 4);
    act(sim, "val-3", { kind: "stop" });
    runTo(sim, 12);
    expect(sim.node("val-3")).toMatchObject({ process: "stopped", height: 4 });
    act(sim, "val-3", { kind: "start" });
    expect(sim.node("val-3")).toMatchObject({ process: "running", height: 12 });
    expect(sim.appHashesAgree()).toBe(true);
  });

  test("replays from genesis after its disk was wiped, and stops where its binary stops fitting", () => {
    const sim = start();
    pass(sim, softwareUpgrade(sim, "v2", 30));
    runTo(sim, 29);
    runRounds(sim, 2);
    install(sim, "v2", "val-0", "val-1", "val-2");
    runTo(sim, 34);
    act(sim, "val-3", { kind: "wipe" });
    expect(sim.node("val-3")).toMatchObject({ process: "exited", height: 29 });
    expect(sim.node("val-3")?.reason).toContain('UPGRADE "v2" NEEDED at height: 30');
    act(sim, "val-3", { kind: "install", binary: "v2" });
    expect(sim.node("val-3")).toMatchObject({ process: "running", height: 34 });
    expect(sim.appHashesAgree()).toBe(true);
  });

  test("that is stopped and wiped stays stopped until it is started", () => {
    const sim = start();
    runTo(sim, 6);
    act(sim, "val-3", { kind: "stop" });
    act(sim, "val-3", { kind: "wipe" });
    expect(sim.node("val-3")).toMatchObject({ process: "stopped", height: 0 });
    act(sim, "val-3", { kind: "start" });
    expect(sim.node("val-3")).toMatchObject({ process: "running", height: 6 });
  });

  test("that starts from nothing with the new binary alone writes what the old one did not, and is refused", () => {
    const sim = start();
    pass(sim, softwareUpgrade(sim, "v2", 30));
    runTo(sim, 29);
    runRounds(sim, 2);
    install(sim, "v2", "val-0", "val-1", "val-2");
    runTo(sim, 34);
    install(sim, "v2", "val-3");
    act(sim, "val-3", { kind: "wipe" });
    expect(sim.node("val-3")?.process).toBe("halted");
    expect(sim.node("val-3")?.reason).toContain("wrong Block.Header.AppHash");
    expect(sim.node("val-3")?.height).toBeLessThan(30);
  });
});

describe("a split over app hashes", () => {
  const split = (): Simulation => {
    const sim = start({
      binaries: [V2, { ...V2, name: "v2-bad", migration: { kind: "nondeterministic" } }],
    });
    pass(sim, softwareUpgrade(sim, "v2", 30));
    runTo(sim, 29);
    runRounds(sim, 2);
    install(sim, "v2", "val-0", "val-1", "val-2");
    install(sim, "v2-bad", "val-3");
    return sim;
  };

  test("stops the smaller side at the next height with both hashes in its words", () => {
    const sim = split();
    runTo(sim, 32);
    const node = sim.node("val-3");
    expect(node).toMatchObject({ process: "halted", height: 30 });
    expect(node?.reason).toMatch(
      /^wrong Block\.Header\.AppHash\. {2}Expected [0-9A-F]{64}, got [0-9A-F]{64}$/,
    );
  });

  test("is mended by rolling the node back one height and replaying with the right binary", () => {
    const sim = split();
    runTo(sim, 32);
    act(sim, "val-3", { kind: "roll_back", blocks: 1 });
    act(sim, "val-3", { kind: "install", binary: "v2" });
    expect(sim.node("val-3")).toMatchObject({ process: "running", height: 32 });
    expect(sim.appHashesAgree()).toBe(true);
  });

  test("is mended by taking over a peer's state", () => {
    const sim = split();
    runTo(sim, 32);
    act(sim, "val-3", { kind: "install", binary: "v2" });
    expect(sim.node("val-3")?.process).toBe("halted");
    act(sim, "val-3", { kind: "state_sync", from: "val-0" });
    expect(sim.node("val-3")).toMatchObject({ process: "running", height: 32 });
    runTo(sim, 34);
    expect(sim.block(34)?.absent).toEqual([]);
  });
});

describe("a partitioned network", () => {
  test("makes blocks where more than two thirds are together, and the others catch up when it heals", () => {
    const sim = start();
    runTo(sim, 4);
    sim.apply({ type: "partition", groups: [["val-0", "val-1", "val-2"], ["val-3"]] });
    runTo(sim, 12);
    expect(sim.node("val-3")).toMatchObject({ process: "running", height: 4 });
    sim.apply({ type: "heal" });
    expect(sim.node("val-3")?.height).toBe(sim.height);
    runTo(sim, 14);
    expect(sim.block(14)?.absent).toEqual([]);
  });

  test("stands still when no part has more than two thirds", () => {
    const sim = start();
    runTo(sim, 4);
    const groups = [
      ["val-0", "val-1"],
      ["val-2", "val-3"],
    ];
    sim.apply({ type: "partition", groups });
    runRounds(sim, 10);
    expect([sim.height, sim.chainStatus().state, sim.chainStatus().votingPower]).toEqual([
      4,
      "halted",
      200,
    ]);
    sim.apply({ type: "heal" });
    runTo(sim, 6);
  });
});

describe("skipping an upgrade", () => {
  test("on all nodes lets the chain go on with the old binary, and the plan is gone", () => {
    const sim = start();
    pass(sim, softwareUpgrade(sim, "v2", 30));
    runTo(sim, 29);
    runRounds(sim, 2);
    for (const { name } of sim.nodes()) act(sim, name, { kind: "skip_upgrades", heights: [30] });
    runTo(sim, 33);
    expect(sim.nodes().map((node) => node.process)).toEqual(Array(4).fill("running"));
    expect(sim.storeValue("upgrade", Uint8Array.of(0))).toBeUndefined();
  });

  test("on a minority forks it off: its app hash is its own", () => {
    const sim = start();
    pass(sim, softwareUpgrade(sim, "v2", 30));
    runTo(sim, 29);
    runRounds(sim, 2);
    install(sim, "v2", "val-0", "val-1", "val-2");
    act(sim, "val-3", { kind: "skip_upgrades", heights: [30] });
    runTo(sim, 32);
    expect(sim.node("val-3")?.reason).toContain("wrong Block.Header.AppHash");
  });
});

describe("an upgrade that a disk does not let through", () => {
  test("leaves no file when the disk cannot be written, and says so", () => {
    const sim = start();
    act(sim, "val-0", { kind: "disk", writable: false });
    pass(sim, softwareUpgrade(sim, "v2", 30));
    runTo(sim, 29);
    runRounds(sim, 2);
    expect(sim.node("val-0")?.reason).toContain("unable to write upgrade info to filesystem");
    expect(sim.files("val-0").has("data/upgrade-info.json")).toBe(false);
  });

  test("makes a binary with a new store exit when the file is gone", () => {
    const v2: typeof V2 = {
      ...V2,
      modules: { ...V2.modules, oracle: 1 },
      stores: { v2: { added: ["oracle"], renamed: [], deleted: [] } },
    };
    const sim = start({ binaries: [v2] });
    pass(sim, softwareUpgrade(sim, "v2", 30));
    runTo(sim, 29);
    runRounds(sim, 2);
    act(sim, "val-0", { kind: "remove_file", path: "data/upgrade-info.json" });
    install(sim, "v2", "val-0");
    expect(sim.node("val-0")).toMatchObject({
      process: "exited",
      reason:
        "failed to load latest version: version of store oracle mismatch root store's version; expected 29 got 0; new stores should be added using StoreUpgrades",
    });
  });
});
