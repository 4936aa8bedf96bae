import { describe, expect, test } from "vitest";
import { Simulation } from "./simulation.ts";
import { runRounds, runTo, worldSpec } from "./testing.ts";

const start = (validators = 4): Simulation => {
  const sim = Simulation.create(worldSpec({}, validators));
  runTo(sim, 3);
  return sim;
};
const stop = (sim: Simulation, ...nodes: readonly string[]): void => {
  for (const node of nodes) sim.apply({ type: "node", node, action: { kind: "stop" } });
};

describe("standing still is a state with reasons", () => {
  test("in which the power of a key on two nodes counts once", () => {
    const sim = start();
    sim.apply({ type: "node", node: "val-0", action: { kind: "twin" } });
    stop(sim, "val-0", "val-0-twin", "val-3");
    expect(sim.chainStatus()).toMatchObject({
      state: "halted",
      votingPower: 200,
      totalPower: 400,
      missing: [
        { nodes: ["val-0", "val-3", "val-0-twin"], power: 200, reason: "stopped by its operator" },
      ],
    });
  });

  test("in which no power is missing of a validator whose twin votes", () => {
    const sim = start();
    sim.apply({ type: "node", node: "val-0", action: { kind: "twin" } });
    stop(sim, "val-0-twin", "val-3");
    expect(sim.chainStatus()).toMatchObject({ state: "running", votingPower: 300 });
    expect(sim.chainStatus().missing.map(({ nodes, power }) => [nodes, power])).toEqual([
      [["val-3", "val-0-twin"], 100],
    ]);
    stop(sim, "val-0");
    sim.apply({ type: "node", node: "val-0-twin", action: { kind: "start" } });
    expect(sim.chainStatus()).toMatchObject({ state: "running", votingPower: 300 });
    expect(sim.chainStatus().missing.map(({ nodes, power }) => [nodes, power])).toEqual([
      [["val-0", "val-3"], 100],
    ]);
  });

  test("in which a mute node's twin votes for it", () => {
    const sim = start();
    sim.apply({ type: "node", node: "val-0", action: { kind: "twin" } });
    sim.apply({ type: "fault", node: "val-0", kind: "mute" });
    expect(sim.chainStatus()).toMatchObject({
      votingPower: 400,
      missing: [{ nodes: ["val-0"], power: 0 }],
    });
    runTo(sim, 4);
    expect(sim.block(4)?.absent).toEqual([]);
  });

  test("names those who are mute, and those who are so flaky that they are never heard", () => {
    const sim = start();
    sim.apply({ type: "fault", node: "val-0", kind: "mute" });
    sim.apply({ type: "fault", node: "val-1", kind: "flaky", probability: 1 });
    const chainStatus = {
      state: "halted",
      votingPower: 200,
      neededPower: 267,
      missing: [
        { nodes: ["val-0"], power: 100, reason: "mute: it follows the chain and sends nothing" },
        { nodes: ["val-1"], power: 100, reason: "flaky: in some rounds it sends nothing" },
      ],
    };
    expect(sim.chainStatus()).toMatchObject(chainStatus);
    runRounds(sim, 20);
    expect(sim.height).toBe(3);
    expect(sim.chainStatus()).toMatchObject(chainStatus);
  });

  test("is running while flaky nodes are the only ones missing; they are named", () => {
    const sim = start();
    for (const node of ["val-0", "val-1"]) {
      sim.apply({ type: "fault", node, kind: "flaky", probability: 0.9 });
    }
    expect(sim.chainStatus()).toMatchObject({
      state: "running",
      votingPower: 400,
      missing: [
        { nodes: ["val-0", "val-1"], power: 200, reason: "flaky: in some rounds it sends nothing" },
      ],
    });
    runTo(sim, 5);
    expect(sim.roundsOf(4).length + sim.roundsOf(5).length).toBeGreaterThan(4);
  });
});
