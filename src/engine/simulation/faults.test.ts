import { describe, expect, test } from "vitest";
import { toHex } from "../../base/bytes.ts";
import { SECOND } from "../../base/time.ts";
import type { NodeFaultCommand } from "./command.ts";
import { Simulation } from "./simulation.ts";
import { runRounds, runTo, worldSpec } from "./testing.ts";

const start = (): Simulation => Simulation.create(worldSpec());
const fault = (sim: Simulation, command: Omit<NodeFaultCommand, "type">): void => {
  sim.apply({ type: "fault", ...command });
};
const absentees = (sim: Simulation, height: number): number =>
  sim.block(height)?.absent.length ?? -1;

describe("a faulty node", () => {
  test("that is mute follows the chain and signs nothing while it lasts", () => {
    const sim = start();
    runTo(sim, 3);
    fault(sim, { node: "val-1", kind: "mute", at: 5, for: 3 });
    runTo(sim, 10);
    expect([4, 5, 6, 7, 8].map((height) => absentees(sim, height))).toEqual([0, 1, 1, 1, 0]);
    expect(sim.node("val-1")?.height).toBe(10);
  });

  test("that is slow loses its turn to propose, and is not waited for when others suffice", () => {
    const sim = start();
    fault(sim, { node: "val-1", kind: "slow", at: 1, for: 8 });
    runTo(sim, 8);
    const blocks = Array.from({ length: 8 }, (_, i) => sim.block(i + 1));
    expect(blocks.every((block) => block?.absent.length === 1)).toBe(true);
    expect(blocks.some((block) => (block?.round ?? 0) > 0)).toBe(true);
  });

  test("that is slow is waited for when there is no quorum without it", () => {
    const sim = start();
    runTo(sim, 2);
    sim.apply({ type: "node", node: "val-0", action: { kind: "stop" } });
    fault(sim, { node: "val-1", kind: "slow", at: 3, for: 6 });
    runTo(sim, 8);
    const waited = [3, 4, 5, 6, 7].filter((height) => sim.block(height)?.round === 0);
    expect(waited.length).toBeGreaterThan(0);
    for (const height of waited) {
      expect(absentees(sim, height)).toBe(1);
      // The precommit timeout elapses first, then the regular block time.
      expect((sim.timeAt(height + 1) ?? 0n) - (sim.timeAt(height) ?? 0n)).toBe(6n * SECOND);
    }
  });

  test("that is flaky sends nothing in its share of the rounds, drawn from the seed", () => {
    // The window is so long that no validator is jailed.
    const spec = worldSpec({ slashing: { signedBlocksWindow: 10_000n } });
    const silent = (probability: number): number => {
      const sim = Simulation.create(spec);
      fault(sim, { node: "val-1", kind: "flaky", probability });
      runTo(sim, 200);
      return Array.from({ length: 200 }, (_, i) => absentees(sim, i + 1)).filter(Boolean).length;
    };
    expect([silent(0), silent(1)]).toEqual([0, 200]);
    for (const share of [0.1, 0.3, 0.7]) {
      // 200 draws are within four standard deviations.
      const spread = 4 * Math.sqrt(200 * share * (1 - share));
      expect(Math.abs(silent(share) - 200 * share)).toBeLessThan(spread);
    }
  });

  test("that is flaky is silent in other rounds than another one, whatever else is wrong", () => {
    const rounds = (nodes: readonly string[]): string[] => {
      const sim = Simulation.create(worldSpec({}, 7));
      for (const node of nodes) fault(sim, { node, kind: "flaky", probability: 0.5 });
      runTo(sim, 40);
      const address = toHex(sim.node("val-1")?.consensusAddress ?? new Uint8Array());
      return Array.from({ length: 40 }, (_, i) => {
        const block = sim.block(i + 1);
        if (block?.round !== 0) return "";
        return block.absent.some((one) => toHex(one) === address) ? "silent" : "there";
      });
    };
    const [alone, beside] = [rounds(["val-1"]), rounds(["val-2", "val-1"])];
    const both = alone.flatMap((text, i) => (text && beside[i] ? [[text, beside[i]]] : []));
    expect(both.length).toBeGreaterThan(10);
    for (const [text, again] of both) expect(text).toBe(again);
    expect(new Set(alone)).toContain("silent");
    expect(new Set(alone)).toContain("there");
  });

  test("that crashes has decided the block but not applied it, and catches up when it is back", () => {
    const sim = start();
    fault(sim, { node: "val-2", kind: "crash", at: 4, for: 3 });
    runTo(sim, 4);
    expect(sim.node("val-2")).toMatchObject({
      process: "exited",
      height: 3,
      reason: "killed while applying block 4",
    });
    expect(absentees(sim, 4)).toBe(0);
    runTo(sim, 9);
    expect(sim.node("val-2")).toMatchObject({ process: "running", height: 9 });
    expect(absentees(sim, 9)).toBe(0);
  });

  test("whose clock is off does not move the chain's time while it holds less than half the power", () => {
    const sim = start();
    fault(sim, { node: "val-3", kind: "clock", at: 1, for: 9, by: 3600n * SECOND });
    runTo(sim, 9);
    expect(sim.time).toBe(sim.spec.genesisTime + 40n * SECOND);
  });

  test("that crashed for good is back when the fault is taken back", () => {
    const sim = start();
    fault(sim, { node: "val-2", kind: "crash", at: 3 });
    runTo(sim, 8);
    expect(sim.node("val-2")).toMatchObject({ process: "exited", height: 2 });
    sim.apply({ type: "clear_faults", node: "val-2" });
    expect(sim.node("val-2")).toMatchObject({ process: "running", height: 8, faults: [] });
  });

  test("is well again when its faults are taken back", () => {
    const sim = start();
    fault(sim, { node: "val-1", kind: "mute" });
    runTo(sim, 2);
    sim.apply({ type: "clear_faults" });
    runTo(sim, 6);
    expect(absentees(sim, 6)).toBe(0);
  });
});

describe("a fault that lasts for a number of heights", () => {
  const half = (kind: "mute" | "crash" | "stop", lasts: number): Simulation => {
    const sim = start();
    runTo(sim, 5);
    for (const node of ["val-0", "val-1"]) fault(sim, { node, kind, for: lasts });
    return sim;
  };

  test.each(["mute", "crash", "stop"] as const)(
    "ends while the chain stands still because of it: %s",
    (kind) => {
      const sim = half(kind, 3);
      runRounds(sim, 2);
      expect(sim.chainStatus().state).toBe("halted");
      runTo(sim, 12, 20);
      expect(sim.nodes().flatMap(({ faults }) => faults)).toEqual([]);
      expect(sim.nodes().map(({ height }) => height)).toEqual([12, 12, 12, 12]);
    },
  );

  test("ends once the time is up that the heights left would have taken at the block time", () => {
    const sim = half("mute", 3);
    const began = sim.clock;
    while (sim.height === 5) sim.advance();
    // Rounds of 5, 6.5 and 8 seconds: the third ends later than the 15 seconds that three blocks
    // take.
    const [round] = sim.roundsOf(6).slice(-1);
    expect(round).toMatchObject({ round: 3, outcome: "decided" });
    expect((round?.startTime ?? 0n) - began).toBe((39n * SECOND) / 2n);
  });

  test("ends by its heights when they come, however long they take", () => {
    const sim = start();
    fault(sim, { node: "val-1", kind: "slow", at: 1, for: 8 });
    runTo(sim, 10);
    expect(sim.time).toBeGreaterThan(sim.spec.genesisTime + 45n * SECOND);
    expect([7, 8, 9, 10].map((height) => absentees(sim, height))).toEqual([1, 1, 0, 0]);
  });

  test("and is given while the chain stands still lasts from then on", () => {
    const sim = half("mute", 2);
    fault(sim, { node: "val-2", kind: "mute", for: 100 });
    runRounds(sim, 2);
    fault(sim, { node: "val-3", kind: "mute", for: 2 });
    const faulty = () => sim.nodes().filter(({ faults }) => faults.length > 0);
    sim.advance();
    expect(faulty().map(({ name }) => name)).toEqual(["val-2", "val-3"]);
    runTo(sim, 6, 10);
    expect(faulty().map(({ name }) => name)).toEqual(["val-2"]);
  });
});
