import { describe, expect, test } from "vitest";
import { SECOND } from "../base/time.ts";
import { type BinarySpec, V1 } from "../engine/app/binary.ts";
import { skipArgs } from "../engine/network/node/start-args.ts";
import { Simulation } from "../engine/simulation/simulation.ts";
import {
  pass,
  runRounds,
  runTo,
  softwareUpgrade,
  V2,
  V2_WITH_STORE,
  worldSpec,
} from "../engine/simulation/testing.ts";
import { chainStatusOf, take } from "./remedies.testing.ts";

const SIGNER_STATE = "data/priv_validator_state.json";

type Spec = ReturnType<typeof worldSpec>;
type Action = Extract<Parameters<Simulation["apply"]>[0], { type: "node" }>["action"];

/** A world, and the way in which it halts. */
interface Halt {
  readonly spec?: Partial<Spec>;
  readonly validators?: number;
  readonly cause: (sim: Simulation) => void;
  readonly because: RegExp;
}

const all = (sim: Simulation) => sim.nodes().map(({ name }) => name);
const act = (sim: Simulation, nodes: readonly string[], action: Action) => {
  for (const node of nodes) sim.apply(nodeCommand(node, action));
};
const nodeCommand = (node: string, action: Action) => ({ type: "node" as const, node, action });

/** Passes a plan for v2 and runs until the chain cannot continue. */
function untilDue(sim: Simulation): void {
  pass(sim, softwareUpgrade(sim, "v2", 20));
  runTo(sim, 19);
  runRounds(sim, 3);
}

const FAILING: BinarySpec = { ...V2, name: "v2-bad", migration: { kind: "error", text: "no way" } };
const PARTING: BinarySpec = { ...V2, migration: { kind: "nondeterministic" } };
const LOADERLESS: BinarySpec = { ...V2_WITH_STORE, name: "v2-loaderless", stores: {} };

const HALTS: Readonly<Record<string, Halt>> = {
  "an upgrade is due": {
    cause: untilDue,
    because: /Plan "v2" is due at height 20; val-0, val-1, val-2, val-3 run a binary without/,
  },
  "an upgrade with a new store is due": {
    spec: { binaries: [V2_WITH_STORE] },
    cause: untilDue,
    because: /Plan "v2" is due at height 20/,
  },
  "an upgrade is due and no binary has its Handler": {
    spec: { binaries: [] },
    cause: untilDue,
    because: /Plan "v2" is due at height 20/,
  },
  "an upgrade is due and one node was stopped": {
    cause(sim) {
      act(sim, ["val-3"], { kind: "stop" });
      untilDue(sim);
    },
    because: /Plan "v2" is due at height 20; val-0, val-1, val-2 run .* val-3 is stopped/,
  },
  "an upgrade is due and only one node has switched": {
    cause(sim) {
      untilDue(sim);
      act(sim, ["val-1"], { kind: "install", binary: "v2" });
    },
    because: /val-0, val-2, val-3 run a binary without its Handler/,
  },
  "an upgrade is due and half of the power has switched": {
    cause(sim) {
      untilDue(sim);
      act(sim, ["val-2", "val-3"], { kind: "install", binary: "v2" });
    },
    because: /val-0, val-1 run a binary without its Handler/,
  },
  "the migration fails": {
    spec: { binaries: [FAILING] },
    cause(sim) {
      untilDue(sim);
      act(sim, all(sim), { kind: "install", binary: "v2-bad" });
      runRounds(sim, 3);
    },
    because: /no way/,
  },
  "the migration fails and another binary is at hand": {
    spec: { binaries: [FAILING, V2] },
    cause(sim) {
      untilDue(sim);
      act(sim, all(sim), { kind: "install", binary: "v2-bad" });
      runRounds(sim, 3);
    },
    because: /no way/,
  },
  "the migration is not deterministic": {
    spec: { binaries: [PARTING] },
    cause(sim) {
      untilDue(sim);
      act(sim, all(sim), { kind: "install", binary: "v2" });
      runRounds(sim, 3);
    },
    because: /App hashes have diverged/,
  },
  "a new binary brings no StoreLoader": {
    spec: { binaries: [LOADERLESS] },
    cause(sim) {
      untilDue(sim);
      act(sim, all(sim), { kind: "install", binary: "v2-loaderless" });
    },
    because: /cannot open their stores with binary v2-loaderless/,
  },
  "a binary with another set of stores is installed without a plan": {
    spec: { binaries: [V2_WITH_STORE] },
    cause(sim) {
      runTo(sim, 5);
      act(sim, ["val-0", "val-1"], { kind: "install", binary: "v2" });
    },
    because: /val-0, val-1 cannot open their stores with binary v2/,
  },
  "the binary is updated before the trigger": {
    cause(sim) {
      pass(sim, softwareUpgrade(sim, "v2", 40));
      act(sim, ["val-0", "val-1"], { kind: "install", binary: "v2" });
      runRounds(sim, 3);
    },
    because: /val-0, val-1 run a binary with the Handler of plan "v2" before its height/,
  },
  "nodes restart with a binary from before the last upgrade": {
    cause(sim) {
      untilDue(sim);
      act(sim, all(sim), { kind: "install", binary: "v2" });
      runTo(sim, 25);
      act(sim, ["val-0", "val-1"], { kind: "install", binary: "v1" });
      runRounds(sim, 3);
    },
    because: /val-0, val-1 run a binary without the Handler of "v2", the last upgrade/,
  },
  "the disk cannot be written when the upgrade is due": {
    spec: { binaries: [V2_WITH_STORE] },
    cause(sim) {
      act(sim, all(sim), { kind: "disk", writable: false });
      untilDue(sim);
    },
    because: /could not write upgrade-info.json/,
  },
  "upgrade-info.json is broken": {
    cause(sim) {
      runTo(sim, 5);
      act(sim, ["val-0", "val-1"], { kind: "stop" });
      const path = "data/upgrade-info.json";
      act(sim, ["val-0", "val-1"], { kind: "write_file", path, content: "{" });
      act(sim, ["val-0", "val-1"], { kind: "start" });
    },
    because: /cannot read upgrade-info.json/,
  },
  "signers' files are gone": {
    cause(sim) {
      runTo(sim, 5);
      act(sim, ["val-0", "val-1"], { kind: "remove_file", path: SIGNER_STATE });
      act(sim, ["val-0", "val-1"], { kind: "start" });
    },
    because: /The signers of val-0, val-1 cannot sign: see their state files/,
  },
  "signers remember a height that is still to come": {
    cause(sim) {
      runTo(sim, 5);
      const content = '{"height":"900","round":0,"step":3}';
      act(sim, ["val-0", "val-1"], { kind: "write_file", path: SIGNER_STATE, content });
      act(sim, ["val-0", "val-1"], { kind: "start" });
    },
    because: /The signers of val-0, val-1 cannot sign/,
  },
  "sidecars found no binary": {
    cause(sim) {
      act(sim, all(sim), { kind: "sidecar", sidecar: { mode: "staged" } });
      untilDue(sim);
    },
    because: /binary not present, downloading disabled/,
  },
  "sidecars do not restart after the upgrade": {
    cause(sim) {
      const sidecar = { mode: "staged" as const, restartAfterUpgrade: false };
      act(sim, all(sim), { kind: "sidecar", sidecar });
      act(sim, all(sim), { kind: "stage", binary: "v2" });
      untilDue(sim);
    },
    because: /DAEMON_RESTART_AFTER_UPGRADE is off/,
  },
  "a pre-upgrade command fails": {
    cause(sim) {
      const sidecar = { mode: "staged" as const, preUpgradeExits: [30] };
      act(sim, all(sim), { kind: "sidecar", sidecar });
      act(sim, all(sim), { kind: "stage", binary: "v2" });
      untilDue(sim);
    },
    because: /pre-upgrade command failed : exit status 30/,
  },
  "a sidecar has no folder for backups": {
    cause(sim) {
      runTo(sim, 5);
      const sidecar = { mode: "staged" as const, backupDir: "/mnt/backups" };
      act(sim, ["val-0", "val-1"], { kind: "sidecar", sidecar });
    },
    because: /sidecars of val-0, val-1 did not start: there is no folder \/mnt\/backups/,
  },
  "a sidecar has no folder for backups, and the upgrade is due": {
    cause(sim) {
      untilDue(sim);
      const sidecar = { mode: "staged" as const, backupDir: "/mnt/backups/" };
      const path = "/mnt/backups";
      act(sim, all(sim), { kind: "write_file", path, content: "" });
      act(sim, all(sim), { kind: "sidecar", sidecar });
    },
    because: /there is no folder \/mnt\/backups/,
  },
  "a custom pre-upgrade script is missing": {
    cause(sim) {
      const sidecar = { mode: "staged" as const, customPreUpgrade: "preupgrade.sh" };
      act(sim, all(sim), { kind: "sidecar", sidecar });
      act(sim, all(sim), { kind: "stage", binary: "v2" });
      untilDue(sim);
    },
    because: /stat cosmovisor\/preupgrade\.sh: no such file or directory/,
  },
  "sidecars wait for the time to restart": {
    cause(sim) {
      const sidecar = { mode: "staged" as const, restartDelay: 600_000_000_000n };
      act(sim, all(sim), { kind: "sidecar", sidecar });
      act(sim, all(sim), { kind: "stage", binary: "v2" });
      untilDue(sim);
    },
    because: /waiting for DAEMON_RESTART_DELAY/,
  },
  "a sidecar's current binary cannot be run": {
    cause(sim) {
      runTo(sim, 5);
      const path = "cosmovisor/genesis/bin/chaind";
      act(sim, ["val-0", "val-1"], { kind: "sidecar", sidecar: { mode: "staged" } });
      act(sim, ["val-0", "val-1"], { kind: "write_file", path, content: "rubbish" });
      act(sim, ["val-0", "val-1"], { kind: "start" });
    },
    because: /exec format error/,
  },
  "the file names another plan, and the binary brings a new store": {
    spec: { binaries: [V2_WITH_STORE] },
    cause(sim) {
      untilDue(sim);
      const content = '{"name":"v3","time":"0001-01-01T00:00:00Z","height":20}';
      act(sim, all(sim), { kind: "write_file", path: "data/upgrade-info.json", content });
      act(sim, all(sim), { kind: "install", binary: "v2" });
    },
    because: /cannot open their stores with binary v2/,
  },
  "the halt height hid the plan from the disk, and the binary brings a new store": {
    spec: { binaries: [V2_WITH_STORE] },
    cause(sim) {
      pass(sim, softwareUpgrade(sim, "v2", 20));
      act(sim, all(sim), { kind: "halt_height", height: 20 });
      runTo(sim, 19);
      runRounds(sim, 3);
      act(sim, all(sim), { kind: "halt_height", height: 0 });
      act(sim, all(sim), { kind: "remove_file", path: "data/upgrade-info.json" });
      act(sim, all(sim), { kind: "install", binary: "v2" });
    },
    because: /cannot open their stores with binary v2/,
  },
  "a third of the power or more is stopped": {
    cause(sim) {
      runTo(sim, 5);
      act(sim, ["val-0", "val-2"], { kind: "stop" });
    },
    because: /val-0, val-2 are stopped/,
  },
  "everyone is stopped": {
    cause(sim) {
      runTo(sim, 5);
      act(sim, all(sim), { kind: "stop" });
    },
    because: /val-0, val-1, val-2, val-3 are stopped/,
  },
  "nodes that slept through an upgrade are needed": {
    cause(sim) {
      act(sim, ["val-3"], { kind: "stop" });
      untilDue(sim);
      act(sim, ["val-0", "val-1", "val-2"], { kind: "install", binary: "v2" });
      runTo(sim, 25);
      act(sim, ["val-2"], { kind: "stop" });
    },
    because: /val-2, val-3 are stopped|val-3, val-2 are stopped/,
  },
  "nodes crash": {
    cause(sim) {
      runTo(sim, 5);
      for (const node of ["val-0", "val-3"]) sim.apply({ type: "fault", node, kind: "crash" });
      runRounds(sim, 3);
    },
    because: /val-0, val-3 crashed/,
  },
  "the network is partitioned in halves": {
    cause(sim) {
      runTo(sim, 5);
      sim.apply({
        type: "partition",
        groups: [
          ["val-0", "val-1"],
          ["val-2", "val-3"],
        ],
      });
    },
    because: /The network is partitioned/,
  },
  "a halt height has come": {
    cause(sim) {
      runTo(sim, 5);
      act(sim, all(sim), { kind: "halt_height", height: 8 });
      runRounds(sim, 5);
    },
    because: /have reached their halt height/,
  },
  "a halt time has come, and a halt height later": {
    cause(sim) {
      runTo(sim, 5);
      const soon = Number(sim.time / SECOND) + 8;
      act(sim, ["val-0", "val-1"], { kind: "halt_height", height: 9 });
      act(sim, all(sim), { kind: "halt_time", time: soon });
      runRounds(sim, 5);
    },
    because: /have reached their halt time/,
  },
  "half skips the upgrade and half applies it": {
    cause(sim) {
      untilDue(sim);
      act(sim, ["val-0", "val-1"], { kind: "skip_upgrades", heights: [20] });
      act(sim, ["val-2", "val-3"], { kind: "install", binary: "v2" });
      runRounds(sim, 3);
    },
    because: /App hashes have diverged/,
  },
  "two nodes are mute": {
    cause(sim) {
      runTo(sim, 5);
      for (const node of ["val-0", "val-2"]) sim.apply({ type: "fault", node, kind: "mute" });
    },
    because: /val-0, val-2 are mute/,
  },
  "every node is slow": {
    cause(sim) {
      runTo(sim, 5);
      for (const node of all(sim)) sim.apply({ type: "fault", node, kind: "slow" });
    },
    because: /val-0, val-1, val-2, val-3 are slow/,
  },
  "nodes were wiped after an upgrade": {
    cause(sim) {
      untilDue(sim);
      act(sim, all(sim), { kind: "install", binary: "v2" });
      runTo(sim, 25);
      act(sim, ["val-0", "val-1"], { kind: "wipe" });
    },
    because: /./,
  },
};

function halted({ spec, validators, cause }: Halt): Simulation {
  const sim = Simulation.create(worldSpec(spec, validators));
  cause(sim);
  return sim;
}

/** Label of each action on a node. */
const NAMED: Readonly<Record<string, RegExp>> = {
  start: /start/i,
  roll_back: /rolling back/,
  state_sync: /state-sync/i,
  skip_upgrades: /skip/i,
  halt_height: /halt height/,
  halt_time: /halt time/,
  disk: /disk/,
  sidecar: /without a sidecar/i,
  remove_file: /upgrade-info\.json|replace the file/i,
  write_file: /signer state|folder for backups/,
  clear: /clear the faults|clock/i,
};

/** Actions of a remedy that are missing from its label. */
const unsaid = ({ label, step }: { readonly label: string; readonly step: string }): unknown[] =>
  [JSON.parse(step)].flat().flatMap(({ nodes, fault }) => {
    const { which: _, ...actions } = { ...nodes, ...fault };
    return Object.entries(actions).filter(([action, value]) =>
      action === "binary" ? !label.includes(`${value}`) : !NAMED[action]?.test(label),
    );
  });

describe.each(Object.entries(HALTS))("when %s", (_, halt) => {
  test("the halt is explained in one sentence", () => {
    const chainStatus = chainStatusOf(halted(halt));
    expect(chainStatus.state).toBe("halted");
    expect(chainStatus.because).toMatch(halt.because);
  });

  test("the first remedies, taken one after the other, bring blocks again", () => {
    const sim = halted(halt);
    const { height } = sim;
    for (let taken = 0; chainStatusOf(sim).state === "halted"; taken++) {
      expect(taken, chainStatusOf(sim).because).toBeLessThan(3);
      const [first] = chainStatusOf(sim).remedies;
      expect(first, chainStatusOf(sim).because).toBeDefined();
      expect(take(sim, first?.step ?? "")).toEqual([]);
    }
    expect(sim.height).toBeGreaterThan(height + 10);
    expect(sim.appHashesAgree()).toBe(true);
  });

  test("every remedy helps: more power takes part, or blocks come, and no state parts from another", () => {
    const remedies = chainStatusOf(halted(halt)).remedies;
    expect(remedies.length).toBeGreaterThan(0);
    expect(remedies.flatMap(unsaid)).toEqual([]);
    for (const { label, step } of remedies) {
      const sim = halted(halt);
      const { height } = sim;
      const { votingPower } = sim.chainStatus();
      expect(take(sim, step), label).toEqual([]);
      const helped = sim.height > height || sim.chainStatus().votingPower > votingPower;
      expect(helped, label).toBe(true);
      expect(sim.appHashesAgree(), label).toBe(true);
    }
  });
});

/** Chains that continue without one of four nodes. */
const MINORITIES: Readonly<Record<string, Omit<Halt, "because">>> = {
  "did not skip a plan that the others skipped": {
    cause(sim) {
      untilDue(sim);
      act(sim, OTHERS, { kind: "skip_upgrades", heights: [20] });
      runRounds(sim, 5);
    },
  },
  "did not skip a plan that the others skipped, and no binary has its handler": {
    spec: { binaries: [] },
    cause(sim) {
      untilDue(sim);
      act(sim, OTHERS, { kind: "skip_upgrades", heights: [20] });
      runRounds(sim, 5);
    },
  },
  "was wiped after a plan that all skipped, and lost its flag": {
    cause(sim) {
      untilDue(sim);
      act(sim, all(sim), { kind: "skip_upgrades", heights: [20] });
      runTo(sim, 25);
      for (const kind of ["stop", "wipe"] as const) act(sim, ["val-3"], { kind });
      act(sim, ["val-3"], { kind: "skip_upgrades", heights: [] });
      runRounds(sim, 5);
    },
  },
  "was wiped after a plan that all skipped, and is stopped": {
    cause(sim) {
      untilDue(sim);
      act(sim, all(sim), { kind: "skip_upgrades", heights: [20] });
      runTo(sim, 25);
      act(sim, ["val-3"], { kind: "skip_upgrades", heights: [] });
      for (const kind of ["stop", "wipe"] as const) act(sim, ["val-3"], { kind });
      runRounds(sim, 5);
    },
  },
  "skipped a plan that the others did not skip": {
    cause(sim) {
      untilDue(sim);
      act(sim, OTHERS, { kind: "install", binary: "v2" });
      act(sim, ["val-3"], { kind: "skip_upgrades", heights: [20] });
      runRounds(sim, 5);
    },
  },
  "waits for a plan that the others have applied": {
    spec: { binaries: [V2_WITH_STORE] },
    cause(sim) {
      untilDue(sim);
      act(sim, OTHERS, { kind: "install", binary: "v2" });
      runRounds(sim, 5);
    },
  },
  "took the upgrade that the others skipped": {
    cause(sim) {
      untilDue(sim);
      act(sim, OTHERS, { kind: "skip_upgrades", heights: [20] });
      act(sim, ["val-3"], { kind: "install", binary: "v2" });
      runRounds(sim, 5);
    },
  },
  "failed in the migration of a plan that the others skipped": {
    spec: { binaries: [FAILING] },
    cause(sim) {
      untilDue(sim);
      act(sim, ["val-3"], { kind: "install", binary: "v2-bad" });
      act(sim, OTHERS, { kind: "skip_upgrades", heights: [20] });
      runRounds(sim, 5);
    },
  },
  "was stopped through a plan that the others skipped and one that they applied": {
    spec: { binaries: [{ ...V2, handlers: ["v3"] }] },
    cause(sim) {
      act(sim, ["val-3"], { kind: "stop" });
      untilDue(sim);
      act(sim, OTHERS, { kind: "skip_upgrades", heights: [20] });
      runRounds(sim, 2);
      pass(sim, softwareUpgrade(sim, "v3", 40));
      runTo(sim, 39);
      runRounds(sim, 2);
      act(sim, OTHERS, { kind: "install", binary: "v2" });
      runRounds(sim, 5);
    },
  },
  "waits for a skipped plan, and another plan is scheduled since": {
    spec: { binaries: [{ ...V2, handlers: ["v3"] }] },
    cause(sim) {
      untilDue(sim);
      act(sim, OTHERS, { kind: "skip_upgrades", heights: [20] });
      runRounds(sim, 2);
      pass(sim, softwareUpgrade(sim, "v3", 400));
      runRounds(sim, 2);
    },
  },
  "was state-synced before a plan that the others skip": {
    cause(sim) {
      pass(sim, softwareUpgrade(sim, "v2", 20));
      act(sim, ["val-3"], { kind: "stop" });
      act(sim, ["val-3"], { kind: "state_sync", from: "val-0" });
      runTo(sim, 19);
      runRounds(sim, 2);
      act(sim, OTHERS, { kind: "skip_upgrades", heights: [20] });
      runRounds(sim, 5);
    },
  },
  "has its disk back from before a plan that the others skipped": {
    cause(sim) {
      untilDue(sim);
      act(sim, all(sim), { kind: "skip_upgrades", heights: [20] });
      runTo(sim, 25);
      act(sim, ["val-3"], { kind: "stop" });
      act(sim, ["val-3"], { kind: "roll_back", blocks: 8 });
      act(sim, ["val-3"], { kind: "skip_upgrades", heights: [] });
      runRounds(sim, 3);
    },
  },
  "is stopped, and would skip a plan that the others have applied": {
    cause(sim) {
      act(sim, ["val-3"], { kind: "skip_upgrades", heights: [20, 60], form: "equals" });
      act(sim, ["val-3"], { kind: "stop" });
      untilDue(sim);
      act(sim, OTHERS, { kind: "install", binary: "v2" });
      runRounds(sim, 5);
    },
  },
  "is stopped, and would skip a plan as the others did": {
    cause(sim) {
      act(sim, ["val-3"], { kind: "skip_upgrades", heights: [20, 60], form: "space" });
      act(sim, ["val-3"], { kind: "stop" });
      untilDue(sim);
      act(sim, OTHERS, { kind: "skip_upgrades", heights: [20] });
      runRounds(sim, 5);
    },
  },
  "has a sidecar that stops for a plan that the others skipped": {
    cause(sim) {
      act(sim, ["val-3"], { kind: "sidecar", sidecar: { mode: "staged" } });
      act(sim, ["val-3"], { kind: "stage", binary: "v2" });
      untilDue(sim);
      act(sim, OTHERS, { kind: "skip_upgrades", heights: [20] });
      runRounds(sim, 5);
    },
  },
  "cannot write its disk when a plan is due that the others skip": {
    cause(sim) {
      act(sim, ["val-3"], { kind: "disk", writable: false });
      untilDue(sim);
      act(sim, OTHERS, { kind: "skip_upgrades", heights: [20] });
      runRounds(sim, 5);
    },
  },
  "reached its halt time before a plan that the others have applied": {
    cause(sim) {
      pass(sim, softwareUpgrade(sim, "v2", 20));
      runTo(sim, 17);
      act(sim, ["val-3"], { kind: "halt_time", time: Number(sim.time / SECOND) + 2 });
      runTo(sim, 19);
      runRounds(sim, 2);
      act(sim, OTHERS, { kind: "install", binary: "v2" });
      runRounds(sim, 5);
    },
  },
  "lost upgrade-info.json before it was switched to a binary with a new store": {
    spec: { binaries: [V2_WITH_STORE] },
    cause(sim) {
      untilDue(sim);
      act(sim, OTHERS, { kind: "install", binary: "v2" });
      runRounds(sim, 5);
      act(sim, ["val-3"], { kind: "remove_file", path: "data/upgrade-info.json" });
      act(sim, ["val-3"], { kind: "install", binary: "v2" });
      runRounds(sim, 3);
    },
  },
  "waits for a plan that came after one that all skipped": {
    spec: { binaries: [{ ...V2, handlers: ["v3"] }] },
    cause(sim) {
      untilDue(sim);
      act(sim, all(sim), { kind: "skip_upgrades", heights: [20] });
      runRounds(sim, 2);
      pass(sim, softwareUpgrade(sim, "v3", 40));
      runTo(sim, 39);
      runRounds(sim, 2);
      act(sim, OTHERS, { kind: "install", binary: "v2" });
      runRounds(sim, 5);
    },
  },
  "lost what its signer remembers, and waits for a plan that the others have applied": {
    cause(sim) {
      untilDue(sim);
      act(sim, ["val-3"], { kind: "lose_signer_state" });
      act(sim, OTHERS, { kind: "install", binary: "v2" });
      runRounds(sim, 5);
    },
  },
  "has no signer's file, and waits for a plan that the others have applied": {
    cause(sim) {
      untilDue(sim);
      act(sim, ["val-3"], { kind: "remove_file", path: SIGNER_STATE });
      act(sim, OTHERS, { kind: "install", binary: "v2" });
      runRounds(sim, 5);
    },
  },
};
const OTHERS = ["val-0", "val-1", "val-2"];

const stepsOf = (step: string): readonly Record<string, object>[] => [JSON.parse(step)].flat();

/** Steps that only prepare a node for another one. */
const prepares = ({ nodes }: Record<string, object>): boolean =>
  nodes !== undefined &&
  (("write_file" in nodes && JSON.stringify(nodes).includes(SIGNER_STATE)) ||
    JSON.stringify(nodes).includes('"skip_upgrades":[]'));

describe.each(Object.entries(MINORITIES))("a node that %s", (_, minority) => {
  test("has remedies, and each brings it to the chain's height with the chain's app hash", () => {
    const world = () => halted({ ...minority, because: /./ });
    const remedies = chainStatusOf(world()).remedies;
    expect(remedies.length).toBeGreaterThan(0);
    expect(remedies.flatMap(unsaid)).toEqual([]);
    for (const { label, step } of remedies) {
      const sim = world();
      expect(sim.chainStatus()).toMatchObject({
        state: "running",
        missing: [{ nodes: ["val-3"] }],
      });
      expect(take(sim, step), label).toEqual([]);
      const node = sim.node("val-3");
      expect(node, label).toMatchObject({ process: "running", height: sim.height });
      expect(node?.appHash, label).toEqual(sim.appHash);
      expect(node?.power, label).toBeGreaterThan(0);
    }
  });

  test("has none that writes its signer's file or clears its skip heights where the rest of it works", () => {
    const world = () => halted({ ...minority, because: /./ });
    for (const { label, step } of chainStatusOf(world()).remedies) {
      const steps = stepsOf(step);
      for (const one of steps.filter(prepares)) {
        const sim = world();
        take(sim, JSON.stringify(steps.filter((other) => other !== one)));
        const votes = sim.chainStatus().missing.length === 0 && sim.node("val-3")?.power !== 0;
        expect(votes, label).toBe(false);
      }
    }
  });
});

test("a node that was stopped where the others stand still signs nothing twice, although its signer has forgotten", () => {
  const world = () => {
    const sim = Simulation.create(worldSpec());
    untilDue(sim);
    act(sim, ["val-3"], { kind: "lose_signer_state" });
    return sim;
  };
  const plain = world();
  act(plain, ["val-3"], { kind: "install", binary: "v2" });
  expect(plain.waitingEvidence().votes).toHaveLength(1);
  const { remedies } = chainStatusOf(world());
  expect(remedies.map(({ label }) => label)).toContain(
    "Write the signer state of val-3 anew, then switch val-3 to v2",
  );
  for (const { label, step } of remedies) {
    const sim = world();
    expect(take(sim, step), label).toEqual([]);
    expect(sim.waitingEvidence(), label).toMatchObject({ votes: [], evidence: [] });
  }
});

test("a node that waits for a plan that the others have skipped is told to skip it, not to switch", () => {
  const minority = MINORITIES["did not skip a plan that the others skipped"] as Halt;
  expect(chainStatusOf(halted(minority)).remedies).toEqual([
    {
      label: 'Skip the upgrade "v2" on val-3',
      step: '{"nodes":{"which":["val-3"],"skip_upgrades":[20]}}',
    },
  ]);
});

describe("a node that already skips heights", () => {
  type Skip = Extract<Action, { readonly kind: "skip_upgrades" }>;
  const argsOf = (heights: readonly number[], form: Skip["form"]): string =>
    skipArgs(heights, form ?? "comma").join(" ");
  const skipped = (sim: Simulation): string => {
    const { heights = [], form } = sim.node("val-3")?.skipFlag ?? {};
    return argsOf(heights, form);
  };
  const skipping = ({ heights, form }: Omit<Skip, "kind">): Simulation => {
    const sim = Simulation.create(worldSpec());
    act(sim, ["val-3"], { kind: "skip_upgrades", heights, ...(form && { form }) });
    return sim;
  };

  test.each([
    [{ heights: [7, 9] }, "--unsafe-skip-upgrades 7,9,20", [7, 9, 20]],
    [{ heights: [7, 60], form: "equals" }, "--unsafe-skip-upgrades=7,20,60", [7, 20, 60]],
    [{ heights: [7, 60], form: "space" }, "--unsafe-skip-upgrades 20 7 60", [20]],
    [{ heights: [7, 20], form: "space" }, "--unsafe-skip-upgrades 20 7", [20]],
    // Only the first argument would be read, and it is still needed.
    [{ heights: [60, 7], form: "space" }, "--unsafe-skip-upgrades 20,60", [20, 60]],
  ] as const)("by %j skips one more in the form of its flag", (flag, args, heights) => {
    const sim = skipping(flag);
    untilDue(sim);
    act(sim, OTHERS, { kind: "skip_upgrades", heights: [20] });
    runRounds(sim, 5);
    const [first] = chainStatusOf(sim).remedies;
    expect(first?.label).toBe('Skip the upgrade "v2" on val-3');
    expect(take(sim, first?.step ?? "")).toEqual([]);
    expect(skipped(sim)).toBe(args);
    expect(sim.node("val-3")).toMatchObject({ skipUpgradeHeights: heights, height: sim.height });
    expect(sim.node("val-3")?.appHash).toEqual(sim.appHash);
  });

  test.each([
    [{ heights: [20, 60] }, "--unsafe-skip-upgrades 60", [60]],
    [{ heights: [20, 60, 70], form: "equals" }, "--unsafe-skip-upgrades=60,70", [60, 70]],
    // Without it the app would read the next one.
    [{ heights: [20, 60], form: "space" }, "", []],
  ] as const)("by %j skips one less, and nothing new", (flag, args, heights) => {
    const sim = skipping(flag);
    act(sim, ["val-3"], { kind: "stop" });
    untilDue(sim);
    const start = chainStatusOf(sim).remedies.find(({ label }) => label.startsWith("Start val-3"));
    expect(start?.label).toBe("Start val-3 without skip height 20 of val-3 and switch to v2");
    expect(take(sim, start?.step ?? "")).toEqual([]);
    act(sim, OTHERS, { kind: "install", binary: "v2" });
    runRounds(sim, 5);
    expect(skipped(sim)).toBe(args);
    expect(sim.node("val-3")).toMatchObject({ skipUpgradeHeights: heights, height: sim.height });
    expect(sim.node("val-3")?.appHash).toEqual(sim.appHash);
  });
});

test.each([
  [
    "is stopped, and would skip a plan that the others have applied",
    "Start val-3 without skip height 20 of val-3 and switch to v2",
    [60],
  ],
  ["is stopped, and would skip a plan as the others did", "Start val-3", [20]],
])("a node that %s keeps its own state", (name, label, skipped) => {
  const sim = halted(MINORITIES[name] as Halt);
  const { remedies } = chainStatusOf(sim);
  expect(remedies.map((one) => one.label)).toEqual([label]);
  expect(take(sim, remedies[0]?.step ?? "")).toEqual([]);
  expect(sim.node("val-3")?.skipUpgradeHeights).toEqual(skipped);
});

test.each<[string, Action]>([
  ["has no binary", { kind: "sidecar", sidecar: { mode: "staged" } }],
  ["is too slow", { kind: "sidecar", sidecar: { mode: "staged", restartDelay: 600_000_000_000n } }],
])(
  "a node whose sidecar %s for an upgrade that the others have applied is switched, and keeps its own state",
  (_, action) => {
    const sim = Simulation.create(worldSpec({ binaries: [V2_WITH_STORE] }));
    act(sim, ["val-3"], action);
    untilDue(sim);
    act(sim, OTHERS, { kind: "install", binary: "v2" });
    runRounds(sim, 5);
    expect(chainStatusOf(sim).remedies).toEqual([
      { label: "Switch val-3 to v2", step: '{"nodes":{"which":["val-3"],"binary":"v2"}}' },
    ]);
  },
);

test("a world where all is well has no remedies", () => {
  const sim = Simulation.create(worldSpec({ binaries: [{ ...V1, name: "other" }] }));
  runTo(sim, 5);
  expect(chainStatusOf(sim)).toMatchObject({
    state: "running",
    remedies: [],
    because: "Every node votes.",
  });
});
