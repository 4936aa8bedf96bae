import { describe, expect, test } from "vitest";
import type { NodeAction } from "./command.ts";
import { acceptLightClientAttacks } from "./light-client-attacks.ts";
import { Simulation } from "./simulation.ts";
import { runRounds, runTo, worldSpec } from "./testing.ts";

acceptLightClientAttacks();

const act = (sim: Simulation, node: string, action: NodeAction): void => {
  sim.apply({ type: "node", node, action });
};

const misbehaviors = (sim: Simulation): number =>
  Array.from({ length: sim.height }, (_, i) => sim.block(i + 1)?.misbehavior ?? 0).reduce(
    (sum, each) => sum + each,
    0,
  );

/** One validator has nine tenths of the power, and is partitioned off from the other. */
function alone(): Simulation {
  const validators = [900_000_000n, 100_000_000n].map((stake, i) => ({
    name: `val-${i}`,
    stake,
    binary: "v1",
  }));
  const sim = Simulation.create(worldSpec({ validators }));
  runTo(sim, 3);
  sim.apply({ type: "partition", groups: [["val-0"], ["val-1"]] });
  return sim;
}

describe("a node never reports itself", () => {
  test("so a double vote becomes evidence only when it reaches another node", () => {
    const sim = alone();
    sim.apply({ type: "double_sign", node: "val-0" });
    runTo(sim, 8);
    expect(misbehaviors(sim)).toBe(0);
    sim.apply({ type: "heal" });
    runTo(sim, 10);
    expect(misbehaviors(sim)).toBe(1);
    expect(sim.block(10)?.misbehavior).toBe(1);
  });

  test("nor do those report it that double-sign as well at that height", () => {
    const sim = Simulation.create(worldSpec());
    runTo(sim, 3);
    const doubleSigners = ["val-0", "val-1", "val-2"];
    sim.apply({ type: "partition", groups: [doubleSigners, ["val-3"]] });
    for (const node of doubleSigners) sim.apply({ type: "double_sign", node });
    runTo(sim, 8);
    for (const name of doubleSigners) {
      expect(sim.log(name).some(({ text }) => text.includes("from ourselves"))).toBe(true);
    }
    expect(misbehaviors(sim)).toBe(0);
    sim.apply({ type: "heal" });
    runTo(sim, 10);
    expect(sim.block(10)?.misbehavior).toBe(3);
  });

  test("so the second vote of a restarted node is no evidence while the others are in another partition", () => {
    const sim = alone();
    act(sim, "val-0", { kind: "stop" });
    sim.apply({ type: "heal" });
    runRounds(sim, 1);
    // val-0 voted on block 3; it restarts without that block and without its signer state.
    act(sim, "val-0", { kind: "start" });
    sim.apply({ type: "fault", node: "val-0", kind: "crash", for: 1 });
    runRounds(sim, 1);
    sim.apply({ type: "partition", groups: [["val-0"], ["val-1"]] });
    act(sim, "val-0", { kind: "lose_signer_state" });
    act(sim, "val-0", { kind: "start" });
    runRounds(sim, 4);
    expect(sim.log("val-0").some(({ text }) => text.includes("from ourselves"))).toBe(true);
    expect(misbehaviors(sim)).toBe(0);
    sim.apply({ type: "heal" });
    runRounds(sim, 3);
    expect(misbehaviors(sim)).toBe(1);
  });

  test("so a light client attack is not reported while the only honest node is partitioned off", () => {
    const sim = Simulation.create(worldSpec());
    runTo(sim, 5);
    sim.apply({ type: "partition", groups: [["val-0", "val-1", "val-2"], ["val-3"]] });
    const attack = {
      type: "light_client_attack",
      kind: "equivocation",
      by: ["val-0", "val-1", "val-2"],
    } as const;
    expect(() => sim.apply(attack)).toThrow(
      "the network is partitioned: no honest node that reaches the others would report the attack",
    );
    sim.apply({ type: "heal" });
    sim.apply(attack);
    runTo(sim, 6);
    expect(sim.block(6)?.misbehavior).toBe(3);
  });
});

describe("double signing belongs to a node, not to its validator", () => {
  test("one that is stopped signs nothing, even if its twin votes; it does so once it votes again", () => {
    const sim = Simulation.create(worldSpec());
    runTo(sim, 5);
    act(sim, "val-2", { kind: "twin" });
    sim.apply({ type: "double_sign", node: "val-2" });
    act(sim, "val-2", { kind: "stop" });
    runTo(sim, 9);
    expect(misbehaviors(sim)).toBe(0);
    expect(sim.block(9)?.absent).toEqual([]);
    act(sim, "val-2-twin", { kind: "stop" });
    act(sim, "val-2", { kind: "start" });
    runTo(sim, 11);
    expect(misbehaviors(sim)).toBe(1);
  });
});

describe("while the network is partitioned", () => {
  const partitioned = (): Simulation => {
    const sim = Simulation.create(worldSpec());
    runTo(sim, 3);
    sim.apply({ type: "partition", groups: [["val-0", "val-1", "val-2"], ["val-3"]] });
    runRounds(sim, 3);
    return sim;
  };

  test("a twin is in its original's partition, unless it is named in another", () => {
    const sim = partitioned();
    act(sim, "val-0", { kind: "twin" });
    runRounds(sim, 2);
    expect(sim.node("val-0-twin")).toMatchObject({ height: sim.height, partition: 1 });
    act(sim, "val-3", { kind: "twin" });
    expect(sim.node("val-3-twin")).toMatchObject({ height: 3, partition: 2 });
    sim.apply({
      type: "partition",
      groups: [
        ["val-0", "val-1", "val-2"],
        ["val-3", "val-3-twin", "val-0-twin"],
      ],
    });
    expect(sim.node("val-0-twin")?.partition).toBe(2);
  });

  test("no node state-syncs from a node of another partition", () => {
    const sim = partitioned();
    expect(() => act(sim, "val-3", { kind: "state_sync", from: "val-0" })).toThrow(
      "the network is partitioned between val-3 and val-0: heal it, or sync from a node of its own partition",
    );
    expect(sim.node("val-3")?.height).toBe(3);
    sim.apply({ type: "heal" });
    act(sim, "val-3", { kind: "state_sync", from: "val-0" });
    expect(sim.node("val-3")?.height).toBe(sim.height);
  });

  test("a node is in one partition only", () => {
    const sim = partitioned();
    expect(() =>
      sim.apply({
        type: "partition",
        groups: [
          ["val-0", "val-1"],
          ["val-1", "val-2"],
        ],
      }),
    ).toThrow("val-1 is named in two partitions, or twice in one");
    expect(sim.node("val-2")?.partition).toBe(1);
  });
});
