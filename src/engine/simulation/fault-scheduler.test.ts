import { describe, expect, test } from "vitest";
import { toHex } from "../../base/bytes.ts";
import { SIGNER_STATE } from "../network/node/signer-state.ts";
import type { FaultCommand, NodeAction } from "./command.ts";
import { Simulation } from "./simulation.ts";
import { runRounds, runTo, worldSpec } from "./testing.ts";

const start = (): Simulation => Simulation.create(worldSpec());
const act = (sim: Simulation, node: string, action: NodeAction): void => {
  sim.apply({ type: "node", node, action });
};
const kinds = (sim: Simulation, node: string): readonly string[] =>
  sim.node(node)?.faults.map(({ kind }) => kind) ?? [];
const misbehaviors = (sim: Simulation, from = 1): number =>
  Array.from(
    { length: sim.height - from + 1 },
    (_, i) => sim.block(from + i)?.misbehavior ?? 0,
  ).reduce((sum, each) => sum + each, 0);
const votes = (sim: Simulation, node: string): boolean => {
  const address = toHex(sim.node(node)?.consensusAddress ?? new Uint8Array());
  return sim.validators().some((validator) => toHex(validator.address) === address);
};

describe("a fault that acts on a node", () => {
  test("stops it at its height, and starts it again at its end", () => {
    const sim = start();
    sim.apply({ type: "fault", node: "val-1", kind: "stop", at: 5, for: 3 });
    runTo(sim, 4);
    expect(sim.node("val-1")?.process).toBe("running");
    runTo(sim, 6);
    expect(sim.node("val-1")).toMatchObject({ process: "stopped", height: 4 });
    expect(kinds(sim, "val-1")).toEqual(["stop"]);
    runTo(sim, 9);
    expect(sim.node("val-1")).toMatchObject({ process: "running", height: 9, faults: [] });
    expect([4, 5, 6, 7, 8].map((height) => sim.block(height)?.absent.length)).toEqual([
      0, 1, 1, 1, 0,
    ]);
  });

  test("stops it at once if no height is given, and until it is taken back if no end is", () => {
    const sim = start();
    sim.apply({ type: "fault", node: "val-1", kind: "stop" });
    expect(sim.node("val-1")?.process).toBe("stopped");
    expect(() => sim.apply({ type: "fault", node: "val-1", kind: "stop" })).toThrow(
      "val-1 is stopped already",
    );
    runTo(sim, 8);
    sim.apply({ type: "clear_faults", node: "val-1" });
    expect(sim.node("val-1")).toMatchObject({ process: "running", height: 8, faults: [] });
  });

  test("leaves a node alone that its operator has started and stopped meanwhile", () => {
    const sim = start();
    sim.apply({ type: "fault", node: "val-1", kind: "stop", for: 4 });
    runTo(sim, 2);
    act(sim, "val-1", { kind: "start" });
    expect(kinds(sim, "val-1")).toEqual([]);
    act(sim, "val-1", { kind: "stop" });
    runTo(sim, 8);
    expect(sim.node("val-1")?.process).toBe("stopped");
  });

  test("runs a twin of it from a height on, which is found out, and takes the twin away", () => {
    const sim = start();
    sim.apply({ type: "fault", node: "val-3", kind: "twin", at: 4, for: 2 });
    runTo(sim, 3);
    expect(sim.node("val-3-twin")).toBeUndefined();
    runTo(sim, 4);
    expect(sim.node("val-3-twin")).toMatchObject({ process: "running", height: 4 });
    runTo(sim, 7);
    expect(sim.node("val-3-twin")).toBeUndefined();
    expect(sim.block(5)?.misbehavior).toBe(1);
    runTo(sim, 9);
    expect(votes(sim, "val-3")).toBe(false);
  });

  test("makes its signer forget, and know again what it knew", () => {
    const sim = start();
    runTo(sim, 5);
    act(sim, "val-2", { kind: "stop" });
    const file = () => sim.files("val-2").get(SIGNER_STATE);
    const before = file();
    expect(before).toContain('"height": "5"');
    sim.apply({ type: "fault", node: "val-2", kind: "lose_signer_state", for: 2 });
    expect(file()).toContain('"height": "0"');
    runTo(sim, 8);
    expect(file()).toBe(before);
    act(sim, "val-2", { kind: "start" });
    runTo(sim, 12);
    expect(misbehaviors(sim)).toBe(0);
  });

  test("does not overwrite what a signer has signed since it forgot", () => {
    const sim = start();
    runTo(sim, 5);
    sim.apply({ type: "fault", node: "val-2", kind: "lose_signer_state", for: 2 });
    runTo(sim, 9);
    expect(sim.files("val-2").get(SIGNER_STATE)).toContain('"height": "9"');
  });
});

describe("a double sign", () => {
  test("at a height is one double sign, of that height", () => {
    const sim = start();
    sim.apply({ type: "fault", node: "val-1", kind: "double_sign", at: 6 });
    runTo(sim, 12);
    expect(misbehaviors(sim)).toBe(1);
    expect(sim.block(7)?.evidence[0]).toMatchObject({ voteA: { height: 6 } });
    expect(kinds(sim, "val-1")).toEqual([]);
  });

  test("for a number of heights is one at each, while the validator is in the set", () => {
    const sim = start();
    sim.apply({ type: "fault", node: "val-1", kind: "double_sign", at: 6, for: 2 });
    runTo(sim, 12);
    expect([7, 8, 9].map((height) => sim.block(height)?.misbehavior)).toEqual([1, 1, 0]);
  });

  test("is taken back before it is done", () => {
    const sim = start();
    runTo(sim, 2);
    sim.apply({ type: "double_sign", node: "val-1" });
    expect(kinds(sim, "val-1")).toEqual(["double_sign"]);
    sim.apply({ type: "clear_faults", node: "val-1" });
    runTo(sim, 8);
    expect(misbehaviors(sim)).toBe(0);
  });

  test("waits until the node votes", () => {
    const sim = start();
    sim.apply({ type: "fault", node: "val-1", kind: "mute", for: 4 });
    sim.apply({ type: "double_sign", node: "val-1" });
    runTo(sim, 5);
    expect(kinds(sim, "val-1")).toEqual([]);
    runTo(sim, 8);
    expect(sim.block(6)?.misbehavior).toBe(1);
  });
});

describe("a partition for a duration", () => {
  const partition = (lasts: number): FaultCommand => ({
    type: "fault",
    kind: "partition",
    groups: [
      ["val-0", "val-1"],
      ["val-2", "val-3"],
    ],
    at: 5,
    for: lasts,
  });

  test("heals by itself, though no height comes while it lasts", () => {
    const sim = start();
    sim.apply(partition(3));
    runTo(sim, 4);
    runRounds(sim, 2);
    expect(sim.chainStatus()).toMatchObject({ state: "halted", votingPower: 200 });
    runTo(sim, 10, 20);
    expect(sim.nodes().map(({ partition }) => partition)).toEqual([0, 0, 0, 0]);
  });

  test("is taken back with all faults", () => {
    const sim = start();
    sim.apply(partition(1000));
    runTo(sim, 4);
    runRounds(sim, 3);
    sim.apply({ type: "clear_faults" });
    expect(sim.chainStatus().state).toBe("running");
  });

  test("is replaced by another partition, which stays", () => {
    const sim = start();
    sim.apply({ ...partition(2), at: 2 });
    runTo(sim, 1);
    runRounds(sim, 1);
    sim.apply({ type: "partition", groups: [["val-3"]] });
    runTo(sim, 9);
    expect(sim.nodes().map(({ partition }) => partition)).toEqual([0, 0, 0, 1]);
  });

  test("names nodes that exist, each in one partition", () => {
    const input =
      (...groups: string[][]) =>
      () =>
        start().apply({ type: "fault", kind: "partition", groups });
    expect(input(["val-0"], ["val-9"])).toThrow("there is no node val-9");
    expect(input(["val-0"], ["val-0"])).toThrow("val-0 is named in two partitions");
  });
});

describe("a twin", () => {
  test("is removed by its operator, with its faults", () => {
    const sim = start();
    runTo(sim, 3);
    act(sim, "val-1", { kind: "twin" });
    sim.apply({ type: "fault", node: "val-1-twin", kind: "mute" });
    act(sim, "val-1", { kind: "remove_twin" });
    expect(sim.node("val-1-twin")).toBeUndefined();
    expect(() => act(sim, "val-1", { kind: "remove_twin" })).toThrow("val-1 has no twin");
    runTo(sim, 8);
    expect(misbehaviors(sim)).toBe(0);
    expect(sim.nodes()).toHaveLength(4);
  });

  test("stays as it is when it is started again, also where a fault had brought it", () => {
    const sim = start();
    sim.apply({ type: "fault", node: "val-1", kind: "twin", for: 2 });
    act(sim, "val-1", { kind: "twin" });
    runTo(sim, 8);
    expect(sim.nodes().filter(({ validator }) => validator === "val-1")).toHaveLength(2);
    expect(() => sim.apply({ type: "fault", node: "val-1", kind: "twin" })).toThrow(
      "val-1 already has a twin",
    );
  });

  test("can be removed while it is on a fork", () => {
    const sim = start();
    runTo(sim, 5);
    for (const node of ["val-2", "val-3"]) act(sim, node, { kind: "twin" });
    sim.apply({
      type: "partition",
      groups: [
        ["val-0", "val-2", "val-3"],
        ["val-1", "val-2-twin", "val-3-twin"],
      ],
    });
    runRounds(sim, 6);
    const [fork] = sim.forks();
    expect(fork?.height).toBeGreaterThan(5);
    act(sim, "val-2", { kind: "remove_twin" });
    runRounds(sim, 5);
    expect(sim.forks()[0]?.height).toBe(fork?.height);
    expect(sim.forks()[0]?.nodes).toEqual(["val-1", "val-3-twin"]);
  });
});

describe("the faults that were injected", () => {
  test("are planned until their height, and gone after their last", () => {
    const sim = start();
    sim.apply({ type: "fault", node: "val-1", kind: "mute", at: 3, for: 2 });
    const mute = { kind: "mute", node: "val-1", groups: [], from: 3, to: 4 };
    expect(sim.faults()).toEqual({ faults: [{ ...mute, planned: true }], chaos: undefined });
    runTo(sim, 1);
    expect(sim.faults().faults).toEqual([{ ...mute, planned: true }]);
    runTo(sim, 2);
    expect(sim.faults().faults).toEqual([{ ...mute, planned: false }]);
    runTo(sim, 5);
    expect(sim.faults().faults).toEqual([]);
  });

  test("name the sides of a partition, and can be cleared before they begin", () => {
    const sim = start();
    sim.apply({ type: "fault", kind: "partition", groups: [["val-0"]], at: 9 });
    expect(sim.faults().faults).toEqual([
      {
        kind: "partition",
        node: undefined,
        groups: [["val-0"]],
        from: 9,
        to: undefined,
        planned: true,
      },
    ]);
    sim.apply({ type: "clear_faults" });
    expect(sim.faults().faults).toEqual([]);
    runTo(sim, 12);
    expect(sim.nodes().map(({ partition }) => partition)).toEqual([0, 0, 0, 0]);
  });

  test("do not include what follows from a signer's file", () => {
    const sim = start();
    runTo(sim, 3);
    act(sim, "val-1", { kind: "stop" });
    const content = '{"height":"9","round":0,"step":3}';
    act(sim, "val-1", { kind: "write_file", path: SIGNER_STATE, content });
    act(sim, "val-1", { kind: "start" });
    expect(kinds(sim, "val-1")).toEqual(["signer"]);
    expect(sim.faults().faults).toEqual([]);
  });

  test("come with the chaos that draws them, as long as it may bring more", () => {
    const sim = start();
    sim.apply({ type: "chaos", level: 1, for: 3 });
    expect(sim.faults().chaos).toEqual({ level: 1, to: 3 });
    runTo(sim, 2);
    expect(sim.faults().chaos).toEqual({ level: 1, to: 3 });
    runTo(sim, 3);
    expect(sim.faults().chaos).toBeUndefined();
    sim.apply({ type: "chaos", level: 2, for: 3 });
    sim.apply({ type: "clear_faults" });
    expect(sim.faults().chaos).toBeUndefined();
  });
});
