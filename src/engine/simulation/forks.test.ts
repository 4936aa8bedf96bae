import { describe, expect, test } from "vitest";
import { toHex } from "../primitives/bytes.ts";
import type { NodeAction } from "./command.ts";
import { Simulation } from "./simulation.ts";
import { runRounds, runTo, worldSpec } from "./testing.ts";

const act = (sim: Simulation, node: string, action: NodeAction): void => {
  sim.apply({ type: "node", node, action });
};

/** Five blocks; then the network is cut, and the twins of some validators are on the other side. */
function cut(
  twins: readonly string[],
  there: readonly string[],
  here: readonly string[],
  spec: Parameters<typeof worldSpec>[0] = {},
): Simulation {
  const sim = Simulation.create(worldSpec(spec));
  runTo(sim, 5);
  for (const name of twins) act(sim, name, { kind: "twin" });
  sim.apply({
    type: "partition",
    groups: [here, [...there, ...twins.map((name) => `${name}-twin`)]],
  });
  return sim;
}

/** val-2 and val-3 are on both sides: half of the power is byzantine. */
const split = (spec: Parameters<typeof worldSpec>[0] = {}): Simulation =>
  cut(["val-2", "val-3"], ["val-1"], ["val-0", "val-2", "val-3"], spec);

/** Heights at which the two chains have different blocks. */
function parted(sim: Simulation): number[] {
  const heights = Array.from({ length: sim.height }, (_, i) => i + 1);
  return heights.filter((height) => {
    const other = sim.forks()[0]?.hashAt(height);
    return other !== undefined && toHex(other) !== toHex(sim.block(height)?.hash ?? other);
  });
}

describe("a third of the power or more on both sides of a cut", () => {
  test("makes two chains: two different blocks at one height", () => {
    const sim = split();
    runRounds(sim, 8);
    const [fork] = sim.forks();
    expect(fork?.nodes).toEqual(["val-1", "val-2-twin", "val-3-twin"]);
    expect(fork?.common).toBe(5);
    expect(sim.height).toBeGreaterThan(7);
    expect(fork?.height).toBeGreaterThan(7);
    expect(parted(sim).length).toBeGreaterThan(0);
    expect(sim.node("val-1")?.height).toBe(fork?.height);
  });

  test("leaves what all signed before it signed on both sides", () => {
    for (const commits of ["compact", "full"] as const) {
      const sim = split({ commits });
      runRounds(sim, 8);
      const commit = sim.commit(5);
      expect(commit?.fault).toBeNull();
      expect(commit?.signatures.filter(({ signature }) => signature.length === 64)).toHaveLength(4);
      expect(sim.forks()[0]?.height).toBeGreaterThan(7);
    }
  });

  test("is found out when the sides meet: evidence against those on both sides, and only them", () => {
    const sim = split();
    runRounds(sim, 8);
    const before = sim.height;
    const twice = parted(sim);
    sim.apply({ type: "heal" });
    expect(sim.forks()).toEqual([]);
    act(sim, "val-1", { kind: "state_sync", from: "val-0" });
    runTo(sim, before + 5);
    // Reported with the next block, on chain with the one after.
    expect(sim.block(before + 1)?.misbehavior).toBe(0);
    const punished = sim.block(before + 2)?.misbehavior ?? 0;
    expect(punished).toBeGreaterThan(0);
    expect(punished).toBeLessThanOrEqual(2 * twice.length);
    const set = sim.validators().map(({ address }) => toHex(address));
    for (const name of ["val-0", "val-1", "val-2", "val-3"]) {
      const address = toHex(sim.node(name)?.consensusAddress ?? new Uint8Array());
      expect(set.includes(address), name).toBe(name === "val-0" || name === "val-1");
    }
  });

  test("leaves the weaker side on a block that is not the chain's: it stops, and stops again when restarted", () => {
    const sim = split();
    runRounds(sim, 8);
    sim.apply({ type: "heal" });
    const text =
      /^wrong Block\.Header\.LastBlockID\. {2}Expected [0-9A-F]{64}:1:[0-9A-F]{12}, got [0-9A-F]{64}:1:[0-9A-F]{12}$/;
    expect(sim.node("val-1")).toMatchObject({ process: "halted" });
    expect(sim.node("val-1")?.reason).toMatch(text);
    act(sim, "val-1", { kind: "start" });
    expect(sim.node("val-1")?.reason).toMatch(text);
    act(sim, "val-1", { kind: "wipe" });
    expect(sim.node("val-1")).toMatchObject({ process: "running", height: sim.height });
    expect(sim.appHashesAgree() || sim.node("val-2-twin")?.process === "halted").toBe(true);
  });

  test("lets nobody work on the machines of the other chain meanwhile", () => {
    const sim = split();
    runRounds(sim, 2);
    expect(() => act(sim, "val-1", { kind: "stop" })).toThrow(
      "val-1 is on another chain since height 5; heal the network first",
    );
  });

  test("is the same whenever it is played", () => {
    const run = (): string => {
      const sim = split();
      runRounds(sim, 8);
      sim.apply({ type: "heal" });
      runRounds(sim, 10);
      return `${sim.height} ${toHex(sim.block(sim.height)?.hash ?? new Uint8Array())}`;
    };
    expect(run()).toBe(run());
  });
});

test("less than a third on both sides makes no second chain", () => {
  const sim = cut(["val-3"], ["val-1", "val-2"], ["val-0", "val-3"]);
  runRounds(sim, 8);
  expect(sim.forks()).toEqual([]);
});
