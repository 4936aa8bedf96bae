import { describe, expect, test } from "vitest";
import { SECOND } from "../../base/time.ts";
import type { BinarySpec } from "../app/binary.ts";
import type { ProfileName } from "../app/profile.ts";
import { consensusHalt } from "../framework/halt.ts";
import type { NodeAction } from "./command.ts";
import { Simulation } from "./simulation.ts";
import {
  install,
  pass,
  propose,
  runRounds,
  runTo,
  softwareUpgrade,
  V2,
  V2_WITH_STORE,
  worldSpec,
} from "./testing.ts";

const ALL = ["val-0", "val-1", "val-2", "val-3"];
const INFO = "data/upgrade-info.json";
const act = (sim: Simulation, action: NodeAction, ...nodes: readonly string[]): void => {
  for (const node of nodes.length === 0 ? ALL : nodes) sim.apply({ type: "node", node, action });
};
const reasons = (sim: Simulation): string[] => [
  ...new Set(sim.nodes().map(({ reason }) => reason)),
];

/** Schedules a plan for v2 at height 20. */
function planned(binaries: readonly BinarySpec[], profile: ProfileName = "documented"): Simulation {
  const sim = Simulation.create(worldSpec({ binaries, profile }));
  pass(sim, softwareUpgrade(sim, "v2", 20));
  return sim;
}

function halted(binaries: readonly BinarySpec[] = [V2]): Simulation {
  const sim = planned(binaries);
  runTo(sim, 19);
  runRounds(sim, 3);
  return sim;
}

describe("halt-height and halt-time (rules/upgrade 4.6)", () => {
  test("at the upgrade height: it comes first, and upgrade-info.json is never written", () => {
    const sim = planned([V2_WITH_STORE]);
    act(sim, { kind: "halt_height", height: 20 });
    runTo(sim, 19);
    runRounds(sim, 3);
    expect(reasons(sim)).toEqual(["halt per configuration height 20 time 0"]);
    expect(sim.files("val-0").has(INFO)).toBe(false);
    act(sim, { kind: "halt_height", height: 0 }, "val-1");
    expect(sim.node("val-1")?.reason).toContain('UPGRADE "v2" NEEDED at height: 20: ');
    // Without the file the new binary does not know that it must add its store.
    install(sim, "v2", "val-0");
    expect(sim.node("val-0")?.reason).toContain("version of store oracle mismatch");
  });

  test("one height later: the upgrade comes first, with its file", () => {
    const sim = planned([V2_WITH_STORE]);
    act(sim, { kind: "halt_height", height: 21 });
    runTo(sim, 19);
    runRounds(sim, 3);
    expect(reasons(sim)).toEqual(['UPGRADE "v2" NEEDED at height: 20: ']);
    expect(sim.files("val-0").has(INFO)).toBe(true);
  });

  test("halt time: the first block of that second or later is decided and not applied, whatever its height", () => {
    const sim = Simulation.create(worldSpec());
    const genesis = Number(sim.spec.genesisTime / SECOND);
    act(sim, { kind: "halt_time", time: genesis + 12 });
    runRounds(sim, 9);
    const { height, decidedHeight } = sim;
    expect(decidedHeight).toBe(height + 1);
    const seconds = [height, decidedHeight].map((h) => Number(sim.timeAt(h) as bigint) / 1e9);
    expect(seconds[0]).toBeLessThan(genesis + 12);
    expect(seconds[1]).toBeGreaterThanOrEqual(genesis + 12);
    expect(reasons(sim)).toEqual([`halt per configuration height 0 time ${genesis + 12}`]);
    expect(sim.node("val-0")?.haltCause).toMatchObject({ kind: "halt_time" });
    act(sim, { kind: "halt_time", time: 0 });
    runRounds(sim, 3);
    expect(sim.height).toBeGreaterThan(height);
  });

  test("halt time beside a halt height: what comes first stops the node, and the text has both", () => {
    const sim = Simulation.create(worldSpec());
    const late = Number(sim.spec.genesisTime / SECOND) + 3_600;
    act(sim, { kind: "halt_height", height: 8 });
    act(sim, { kind: "halt_time", time: late });
    runRounds(sim, 9);
    expect(reasons(sim)).toEqual([`halt per configuration height 8 time ${late}`]);
    expect(sim.node("val-0")?.haltCause).toMatchObject({ kind: "halt_height" });
  });

  test("halt time that has passed: refused, and the node keeps its process and settings", () => {
    const sim = Simulation.create(worldSpec());
    const genesis = Number(sim.spec.genesisTime / SECOND);
    expect(() => act(sim, { kind: "halt_time", time: genesis - 1 })).toThrow(
      /^halt_time of val-0: /,
    );
    runTo(sim, 5);
    const now = Number(sim.time / SECOND);
    expect(() => act(sim, { kind: "halt_time", time: now })).toThrow(
      /^halt_time of val-0: expected 0 or a time from \S+Z on, found \S+Z$/,
    );
    runRounds(sim, 3);
    expect(sim.height).toBe(8);
    act(sim, { kind: "halt_time", time: Number(sim.time / SECOND) + 1 });
    runRounds(sim, 3);
    expect(sim.height).toBe(8);
  });

  test("by itself: the block before is the last, and a start at the height fails again", () => {
    const sim = Simulation.create(worldSpec());
    act(sim, { kind: "halt_height", height: 8 });
    runTo(sim, 7);
    runRounds(sim, 3);
    expect([sim.height, sim.decidedHeight]).toEqual([7, 8]);
    expect(sim.node("val-0")?.process).toBe("halted");
    act(sim, { kind: "start" }, "val-0");
    expect(sim.node("val-0")).toMatchObject({
      process: "exited",
      reason: "error during handshake: error on replay: halt per configuration height 8 time 0",
    });
  });
});

describe("a plan for the height at which it is scheduled (rules/upgrade 4.4)", () => {
  /** Voting that begins in block 8 ends in block 20. */
  function scheduledAt20(profile: ProfileName, binaries: readonly BinarySpec[]): Simulation {
    const sim = Simulation.create(worldSpec({ profile, binaries }));
    runTo(sim, 7);
    propose(sim, 1n, softwareUpgrade(sim, "v2", 20));
    runTo(sim, 20);
    runRounds(sim, 3);
    return sim;
  }

  test.each([
    ["documented", 20],
    ["sdk-0.53", 21],
  ] as const)("%s: it fires one block later; file and skip flag say %i", (profile, height) => {
    const sim = scheduledAt20(profile, [V2_WITH_STORE]);
    expect([sim.height, sim.decidedHeight]).toEqual([20, 21]);
    expect(reasons(sim)).toEqual(['UPGRADE "v2" NEEDED at height: 20: ']);
    expect(JSON.parse(sim.files("val-0").get(INFO) ?? "").height).toBe(height);
    const other = height === 20 ? 21 : 20;
    act(sim, { kind: "skip_upgrades", heights: [other] }, "val-0");
    expect(sim.node("val-0")?.process).toBe("exited");
    act(sim, { kind: "skip_upgrades", heights: [height] }, "val-0");
    expect(sim.node("val-0")).toMatchObject({ process: "running", height: 21 });
    install(sim, "v2", "val-1", "val-2", "val-3");
    runTo(sim, 23);
    expect(sim.state().has("oracle")).toBe(true);
  });

  test.each(["documented", "sdk-0.53"] as const)(
    "%s: done at the height where it was",
    (profile) => {
      const sim = scheduledAt20(profile, [V2]);
      install(sim, "v2", ...ALL);
      runTo(sim, 23);
      const entry = (hex: string): Uint8Array =>
        Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
      const [key, value] =
        profile === "documented"
          ? ["017632", "0000000000000015"]
          : ["0100000000000000157632", "01"];
      expect(sim.storeValue("upgrade", entry(key))).toEqual(entry(value));
      expect(sim.storeValue("upgrade", entry("03"))).toEqual(entry("0000000000000001"));
    },
  );
});

describe("two plans for one height, in turn", () => {
  const V3: BinarySpec = {
    ...V2,
    name: "v3",
    modules: { ...V2.modules, gov: 6 },
    handlers: ["v3"],
  };

  /** Applies v2 in block 20; at its end a plan for v3 is scheduled, also for height 20. */
  function both(profile: ProfileName, sidecar: boolean): Simulation {
    const sim = Simulation.create(worldSpec({ profile, binaries: [V2, V3] }));
    if (sidecar) {
      act(sim, { kind: "stage", binary: "v2" });
      act(sim, { kind: "stage", binary: "v3" });
      act(sim, { kind: "sidecar", sidecar: { mode: "staged" } });
    }
    propose(sim, 1n, softwareUpgrade(sim, "v2", 20));
    runTo(sim, 7);
    propose(sim, 2n, softwareUpgrade(sim, "v3", 20));
    runTo(sim, 19);
    runRounds(sim, 3);
    if (!sidecar) install(sim, "v2", ...ALL);
    runTo(sim, 20);
    runRounds(sim, 5);
    return sim;
  }

  test.each(["documented", "sdk-0.53"] as const)(
    "%s: the second fires one block after the first, and both are done",
    (profile) => {
      const sim = both(profile, false);
      expect(reasons(sim)).toEqual(['UPGRADE "v3" NEEDED at height: 20: ']);
      expect(sim.height).toBe(20);
      install(sim, "v3", ...ALL);
      runTo(sim, 24);
      const version = (module: string) =>
        sim.storeValue("upgrade", Uint8Array.of(2, ...new TextEncoder().encode(module)))?.at(-1);
      expect([version("bank"), version("gov")]).toEqual([5, 6]);
      expect(sim.storeValue("upgrade", Uint8Array.of(3))?.at(-1)).toBe(2);
      expect(sim.appHashesAgree()).toBe(true);
    },
  );

  test("documented: the file has the same height again, and sidecars do not look at it", () => {
    const sim = both("documented", true);
    expect(sim.height).toBe(20);
    expect(sim.nodes().map(({ process }) => process)).toEqual(Array(4).fill("exited"));
    expect(sim.sidecar("val-0")?.end).toEqual({ kind: "app_exited" });
    // A restarted sidecar has lost its memory, but then the old binary fails first.
    act(sim, { kind: "start" }, "val-0");
    expect(sim.node("val-0")?.process).toBe("exited");
    install(sim, "v3", ...ALL);
    runTo(sim, 23);
  });

  test("upstream the file has the height of the block, and sidecars switch again", () => {
    const sim = both("sdk-0.53", true);
    runTo(sim, 24);
    expect(sim.nodes().map(({ binary }) => binary)).toEqual(Array(4).fill("v3"));
  });
});

describe("after an upgrade", () => {
  test("a binary without the Handler of the last one fails on its first block (row 1)", () => {
    const sim = halted();
    install(sim, "v2", ...ALL);
    runTo(sim, 25);
    install(sim, "v1", "val-3");
    runTo(sim, 26);
    expect(sim.node("val-3")).toMatchObject({
      process: "halted",
      reason: "wrong app version 0, upgrade handler is missing for v2 upgrade plan",
    });
  });

  test("the Handler of the last one is needed, of earlier ones not", () => {
    const v3: BinarySpec = { ...V2, name: "v3", handlers: ["v3"] };
    const sim = halted([V2, v3]);
    install(sim, "v2", ...ALL);
    pass(sim, softwareUpgrade(sim, "v3", 40));
    runTo(sim, 39);
    runRounds(sim, 2);
    install(sim, "v3", ...ALL);
    runTo(sim, 44);
    act(sim, { kind: "start" });
    runTo(sim, 46);
    expect(sim.nodes().map(({ process }) => process)).toEqual(Array(4).fill("running"));
  });

  test("a Handler for a plan that does not exist is harmless, of several likewise", () => {
    const v2: BinarySpec = { ...V2, handlers: ["v2", "v3", "v4"] };
    const sim = halted([v2]);
    install(sim, "v2", ...ALL);
    runTo(sim, 25);
    expect(sim.nodes().map(({ process }) => process)).toEqual(Array(4).fill("running"));
  });

  test("a plan whose Handler runs already stops every node in the next block (row 6)", () => {
    const sim = halted([{ ...V2, handlers: ["v2", "v3"] }]);
    install(sim, "v2", ...ALL);
    runTo(sim, 22);
    propose(sim, 2n, softwareUpgrade(sim, "v3", 60));
    runTo(sim, 35);
    runRounds(sim, 2);
    expect(sim.height).toBe(35);
    expect(reasons(sim)[0]).toContain('BINARY UPDATED BEFORE TRIGGER! UPGRADE "v3"');
  });

  test("a plan whose name no binary has stops the chain for good, unless it is skipped", () => {
    const sim = halted([{ ...V2, handlers: ["v2-typo"] }]);
    install(sim, "v2", ...ALL);
    expect(sim.node("val-0")).toMatchObject({ process: "exited", height: 19 });
    install(sim, "v1", ...ALL);
    act(sim, { kind: "skip_upgrades", heights: [20] });
    runTo(sim, 25);
  });
});

describe("a Handler that goes wrong", () => {
  test.each([
    ["error", "no such denom"],
    ["panic", "index out of range"],
  ] as const)("with an %s: nothing of the migration stays, every node stops", (kind, text) => {
    const bad: BinarySpec = { ...V2_WITH_STORE, name: "bad", migration: { kind, text } };
    const sim = halted([V2_WITH_STORE, bad]);
    install(sim, "bad", ...ALL);
    expect(reasons(sim)[0]).toBe(`error during handshake: error on replay: ${text}`);
    install(sim, "v2", ...ALL);
    runTo(sim, 23);
    expect(sim.appHashesAgree()).toBe(true);
  });
});

describe("the process of a node that halts for an upgrade (rules/upgrade 4.9)", () => {
  const PROFILES = [
    ["documented", "exited"],
    ["sdk-0.53", "halted"],
  ] as const;
  const last = (sim: Simulation, node: string) => sim.log(node).at(-1);

  test.each(PROFILES)("%s: without a Handler it is %s, and its cause stays", (profile, process) => {
    const sim = planned([V2], profile);
    act(sim, { kind: "disk", writable: false }, "val-3");
    runTo(sim, 19);
    runRounds(sim, 5);
    expect(sim.nodes().map((node) => node.process)).toEqual(Array(4).fill(process));
    const needed = { kind: "upgrade_needed", plan: "v2", height: 20, info: "" };
    for (const node of sim.nodes().slice(0, 3)) expect(consensusHalt(node)).toEqual(needed);
    expect(sim.node("val-3")?.haltCause?.kind).toBe("upgrade_info_not_written");
    expect(sim.chainStatus()).toMatchObject({ state: "halted", votingPower: 0 });
    const logged = sim.log("val-0").map(({ text }) => text);
    expect(logged).toContain(
      'CONSENSUS FAILURE!!! err="failed to apply block; error UPGRADE "v2" NEEDED at height: 20: "',
    );
    expect(last(sim, "val-0")?.module).toBe(process === "exited" ? "server" : "consensus");
    install(sim, "v2", ...ALL);
    runTo(sim, 23);
    expect(sim.appHashesAgree()).toBe(true);
  });

  test.each(PROFILES)("%s: with a binary that is too early it is %s", (profile, process) => {
    const sim = planned([V2], profile);
    install(sim, "v2", "val-3");
    runTo(sim, 17);
    expect(sim.node("val-3")).toMatchObject({ process, haltCause: { kind: "binary_too_early" } });
    expect(sim.chainStatus().missing).toMatchObject([{ nodes: ["val-3"], power: 100 }]);
    install(sim, "v1", "val-3");
    expect(sim.node("val-3")?.process).toBe("running");
  });

  test("the end of a fault does not start one that exited, as it does one that crashed", () => {
    const sim = planned([V2]);
    sim.apply({ type: "fault", node: "val-0", kind: "crash", at: 16, for: 2 });
    runTo(sim, 16);
    act(sim, { kind: "start" }, "val-0");
    install(sim, "v2", "val-0");
    runTo(sim, 19);
    runRounds(sim, 2);
    expect(sim.node("val-0")?.haltCause).toEqual({ kind: "binary_too_early", plan: "v2" });
  });

  test("a sidecar that is set up afterwards starts it again, as one that is up", () => {
    const sim = halted();
    act(sim, { kind: "stage", binary: "v2" });
    const logs = sim.log("val-0").length;
    act(sim, { kind: "sidecar", sidecar: { mode: "staged" } }, "val-0");
    expect(
      sim
        .log("val-0")
        .slice(logs)
        .map(({ text }) => text),
    ).toContain("running app path=cosmovisor/genesis/bin/chaind args=[start]");
  });

  test("a sidecar whose look finds no plan ends with it", () => {
    const sim = planned([V2]);
    act(sim, { kind: "sidecar", sidecar: { mode: "staged" } }, "val-3");
    install(sim, "v2", "val-3");
    runTo(sim, 18);
    expect(sim.node("val-3")?.haltCause?.kind).toBe("binary_too_early");
    expect([sim.sidecar("val-3")?.end, last(sim, "val-3")?.text]).toEqual([
      { kind: "app_exited" },
      "exit status 1",
    ]);
  });
});
