import { create } from "@bufbuild/protobuf";
import { DurationSchema } from "@bufbuild/protobuf/wkt";
import { describe, expect, test } from "vitest";
import { accAddress, valAddress } from "../../../base/bech32.ts";
import { toHexUpper } from "../../../base/bytes.ts";
import { packInit } from "../../../engine/framework/codec.ts";
import { accountOf } from "../../../engine/simulation/genesis/world-spec.ts";
import { Simulation } from "../../../engine/simulation/simulation.ts";
import {
  pass,
  runRounds,
  runTo,
  softwareUpgrade,
  V2,
  worldSpec,
} from "../../../engine/simulation/testing.ts";
import type { ForkView } from "../../../engine/simulation/views.ts";
import { MsgUndelegateSchema } from "../../../gen/chain/staking/v1beta1/tx_pb.ts";
import { TEXTS } from "../texts.ts";
import { FrameBuilder } from "./frame.ts";
import { lazyObserver } from "./observed.ts";
import { Observer } from "./observer.ts";

function world(input: Parameters<typeof worldSpec>[0] = {}) {
  const sim = Simulation.create(worldSpec(input));
  const follow = lazyObserver(sim);
  return { sim, frames: () => follow().frames, frame: () => follow().frames.build({}) };
}

test("a frame says where the chain is and which of its settings the page shows, in their units", () => {
  const { sim, frame } = world({ blockTime: 2_500_000_000n });
  runTo(sim, 3);
  expect(frame().chain).toEqual({
    chainId: "lab-1",
    profile: "documented",
    denom: "stake",
    height: 3,
    decidedHeight: 3,
    decidedShare: 0,
    round: 0,
    time: "2026-01-01T00:00:05Z",
    clock: "2026-01-01T00:00:07.500Z",
    appHash: toHexUpper(sim.appHash),
    seed: 7,
    supply: "5400000000",
    burned: "0",
    blockTimeMs: 2500,
    unbondingSeconds: 1_814_400,
    maxEvidenceAgeSeconds: 172_800,
    votingSeconds: 60,
    safetySeconds: 60,
    depositSeconds: 172_800,
    slashFractionDoubleSign: "0.05",
    genesisTime: "2026-01-01T00:00:00Z",
    evidenceRoutes: ["equivocation", "counterfactual"],
    initialHeight: 1,
  });
});

describe("a validator in a frame", () => {
  test("goes from bonded over unbonding to unbonded, or is removed if no stake is left", () => {
    const unbondingTime = create(DurationSchema, { seconds: 20n });
    const { sim, frame } = world({ staking: { unbondingTime } });
    runTo(sim, 3);
    sim.apply({ type: "double_sign", node: "val-1" });
    const validatorAddress = valAddress(accountOf("val-2"));
    const delegatorAddress = accAddress(accountOf("val-2"));
    const amount = { denom: "stake", amount: "100000000" };
    const undelegate = { delegatorAddress, validatorAddress, amount };
    sim.apply({
      type: "tx",
      signer: "val-2",
      messages: [packInit(MsgUndelegateSchema, undelegate)],
    });
    const seen = (height: number) => {
      runTo(sim, height);
      return frame().validators.map(({ bond, power, tokens }) => `${bond} ${power} ${tokens}`);
    };
    const whole = "bonded 100 100000000";
    expect(seen(3)).toEqual([whole, whole, whole, whole]);
    expect(seen(4)).toEqual([whole, whole, "unbonding 100 0", whole]);
    expect(seen(5)).toEqual([whole, "unbonding 100 95000000", "unbonding 0 0", whole]);
    expect(seen(7)).toEqual([whole, "unbonding 0 95000000", "unbonding 0 0", whole]);
    expect(seen(9)).toEqual([whole, "unbonded 0 95000000", "removed 0 0", whole]);
    const [good, slashed, gone] = frame().validators;
    expect(good).toMatchObject({ jailed: false, tombstoned: false, burned: "0" });
    expect(slashed).toMatchObject({ jailed: true, tombstoned: true, burned: "5000000" });
    expect(gone).toMatchObject({ jailed: false, tombstoned: false, burned: "0" });
    expect(frame().chain?.burned).toBe("5000000");
  });

  test("has missed the blocks that it did not sign, and one of them proposes next", () => {
    const { sim, frame } = world();
    runTo(sim, 3);
    sim.apply({ type: "node", node: "val-3", action: { kind: "stop" } });
    runTo(sim, 7);
    const { validators } = frame();
    // Signatures in a block are counted in the next one.
    expect(validators.map(({ signed, missedBlocks }) => [signed, missedBlocks])).toEqual([
      [true, 0],
      [true, 0],
      [true, 0],
      [false, 3],
    ]);
    const next = validators.filter(({ proposer }) => proposer);
    expect(next).toHaveLength(1);
    runTo(sim, 8);
    const proposed = sim.node(next[0]?.name ?? "")?.consensusAddress;
    expect(sim.block(8)?.proposer).toEqual(proposed);
  });
});

describe("a node in a frame", () => {
  test("that runs has a binary, a height and an app hash, and nothing else to tell", () => {
    const { sim, frame } = world();
    runTo(sim, 3);
    expect(frame().nodes[1]).toEqual({
      name: "val-1",
      validator: "val-1",
      process: "running",
      binary: "v1",
      staged: "",
      height: 3,
      appHash: toHexUpper(sim.appHash),
      reason: "",
      upgradeInfo: "",
      skipUpgradeHeights: [],
      partition: 0,
      faults: [],
      forPlan: "",
      files: [],
      cause: undefined,
      haltHeight: 0,
      haltTime: "",
    });
  });

  test("that waits for an upgrade says why, and each says how it stands to the plan", () => {
    const { sim, frame, frames } = world();
    pass(sim, softwareUpgrade(sim, "v2", 20, "look"));
    expect(frame().plan).toEqual({
      name: "v2",
      height: 20,
      info: "look",
      blocksLeft: 5,
      expectedTime: "2026-01-01T00:01:35Z",
    });
    sim.apply({ type: "node", node: "val-1", action: { kind: "stage", binary: "v2" } });
    sim.apply({ type: "node", node: "val-2", action: { kind: "skip_upgrades", heights: [20] } });
    sim.apply({ type: "node", node: "val-3", action: { kind: "stop" } });
    runTo(sim, 19);
    expect(frame().chain).toMatchObject({ decidedHeight: 19, decidedShare: 0 });
    runRounds(sim, 2);
    const { nodes, plan, chain } = frame();
    // One was stopped before.
    expect(chain).toMatchObject({ height: 19, decidedHeight: 20, decidedShare: 0.75 });
    expect(plan?.blocksLeft).toBe(1);
    expect(nodes.map(({ process, staged, forPlan }) => [process, staged, forPlan])).toEqual([
      ["exited", "", "none"],
      ["exited", "v2", "staged-only"],
      ["running", "", "applied"],
      ["stopped", "", "none"],
    ]);
    expect(nodes[0]).toMatchObject({
      reason: 'UPGRADE "v2" NEEDED at height: 20: look',
      upgradeInfo: '{"name":"v2","time":"0001-01-01T00:00:00Z","height":20,"info":"look"}',
      cause: { kind: "upgrade_needed", plan: "v2", height: 20, fault: "", expected: "", got: "" },
    });
    expect(nodes.map(({ cause }) => cause?.kind)).toEqual([
      "upgrade_needed",
      "upgrade_needed",
      undefined,
      undefined,
    ]);
    expect(nodes[2]?.skipUpgradeHeights).toEqual([20]);
    expect(frames().nodes()[1]).toEqual({
      ...nodes[1],
      files: [
        "cosmovisor/upgrades/v2/bin/chaind",
        "data/priv_validator_state.json",
        "data/upgrade-info.json",
      ],
    });
    expect(frame().chainStatus).toMatchObject({
      state: "halted",
      votingPower: 100,
      totalPower: 400,
      neededPower: 267,
      missing: [
        { nodes: ["val-0", "val-1"], power: 200, cause: { kind: "upgrade_needed", plan: "v2" } },
        { nodes: ["val-3"], power: 100, cause: { kind: "stopped", plan: "" } },
      ],
      because:
        'Plan "v2" is due at height 20; val-0, val-1 run a binary without its Handler. val-3 is stopped.',
    });
    expect(frames().chainStatus()).toEqual(frame().chainStatus);
    expect(frames().validators()).toEqual(frame().validators);
    // After a switch they would fork from the node that skips it, and no side would have two
    // thirds.
    expect(frame().chainStatus?.remedies[0]?.label).toBe('Skip the upgrade "v2" on val-0, val-1');
  });

  test("has the faults that act on it now; the list of faults has those to come as well", () => {
    const { sim, frame } = world();
    runTo(sim, 3);
    sim.apply({ type: "fault", node: "val-0", kind: "slow", for: 3 });
    sim.apply({ type: "fault", node: "val-0", kind: "clock", by: 1n });
    sim.apply({ type: "fault", kind: "partition", groups: [["val-0"], ["val-1"]], at: 9, for: 2 });
    const slow = { kind: "slow", from: 4, to: 6 };
    const clock = { kind: "clock", from: 4, to: 0 };
    expect(frame().nodes[0]?.faults).toEqual([slow, clock]);
    expect(frame().nodes[1]?.faults).toEqual([]);
    const ofNode = { node: "val-0", sides: [], planned: false };
    const sides = [{ nodes: ["val-0"] }, { nodes: ["val-1"] }];
    expect(frame().faults).toEqual({
      faults: [
        { ...slow, ...ofNode },
        { ...clock, ...ofNode },
        { kind: "partition", node: "", sides, from: 9, to: 10, planned: true },
      ],
      chaos: undefined,
    });
  });
});

test("binaries and accounts are listed with their modules and addresses; a binary that comes later too", () => {
  const { sim, frame } = world();
  const before = frame();
  expect(before.binaries.map(({ name, handlers }) => [name, handlers])).toEqual([
    ["v1", []],
    ["v2", ["v2"]],
  ]);
  expect(before.binaries[1]?.modules).toContainEqual({ name: "bank", version: 5 });
  expect(before.accounts[1]).toEqual({
    name: "val-0",
    address: accAddress(accountOf("val-0")),
    module: false,
  });
  expect(before.accounts.filter(({ module }) => module).map(({ name }) => name)).toContain("gov");
  runTo(sim, 1);
  expect(frame().binaries).toBe(before.binaries);
  sim.apply({ type: "binary", binary: { ...V2, name: "v3" } });
  expect(frame().binaries.map(({ name }) => name)).toEqual(["v1", "v2", "v3"]);
});

test("what the state says is read once while the state stays, and anew when it has changed", () => {
  const { sim, frame } = world();
  runTo(sim, 3);
  const before = frame();
  expect(frame().moduleVersions).toBe(before.moduleVersions);
  sim.apply({ type: "misbehavior", kind: 1, validator: "val-3", height: 2 });
  runTo(sim, 4);
  expect(before.evidence).toEqual([]);
  expect(frame().evidence).toHaveLength(1);
  expect(frame().chain?.supply).toBe("5395000000");
});

test("blocks and activity are those after what is asked for, all where nothing is; samples only on request", () => {
  const { sim, frames, frame } = world();
  runTo(sim, 3);
  sim.apply({ type: "misbehavior", kind: 1, validator: "val-3", height: 2 });
  runTo(sim, 4);
  expect(frame().blocks.map(({ height }) => height)).toEqual([1, 2, 3, 4]);
  expect(frame().samples).toEqual([]);
  const all = frame().activity;
  expect(all[0]?.seq).toBe(1);
  const last = all.at(-1)?.seq ?? 0;
  const after = frames().build({ blocksAfter: 2, activityAfter: last - 1, samples: true });
  expect(after.blocks.map(({ height }) => height)).toEqual([3, 4]);
  expect(after.activity).toEqual(all.slice(-1));
  expect(after.samples.length).toBeGreaterThan(0);
});

describe("a fork in a frame", () => {
  const hash = (byte: number) => Uint8Array.of(byte);

  /** The forks of a chain whose blocks have one-byte hashes. */
  function forksOf(main: readonly number[], fork: readonly number[]) {
    const { sim } = world();
    const view: ForkView = {
      nodes: ["val-3"],
      common: 1,
      height: fork.length,
      hashAt: (height) => (height > fork.length ? undefined : hash(fork[height - 1] ?? 0)),
    };
    const cut = Object.assign(Object.create(sim), {
      forks: () => [view],
      block: (height: number) => ({ hash: hash(main[height - 1] ?? 0) }),
    });
    Object.defineProperty(cut, "height", { value: main.length });
    return new FrameBuilder(cut, new Observer(sim, TEXTS), TEXTS).forks();
  }
  const fork = { nodes: ["val-3"], common: 1, met: 0 };

  test("shows the first block of which there are two", () => {
    expect(forksOf([1, 2, 3], [1, 12, 13])).toEqual([
      { ...fork, height: 2, hash: "02", otherHash: "0C", newest: 3 },
    ]);
    expect(forksOf([1, 2, 3], [1, 2, 13])).toEqual([
      { ...fork, common: 2, height: 3, hash: "03", otherHash: "0D", newest: 3 },
    ]);
  });

  test("shows none while one of both has not come so far, or both have made the same", () => {
    const none = { ...fork, height: 0, hash: "", otherHash: "" };
    expect(forksOf([1, 2], [1, 2, 13])).toEqual([{ ...none, common: 2, newest: 3 }]);
    expect(forksOf([1, 2, 3], [1, 2])).toEqual([{ ...none, common: 2, newest: 2 }]);
    expect(forksOf([1, 2, 3], [1])).toEqual([{ ...none, newest: 1 }]);
  });
});
