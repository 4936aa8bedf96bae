import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { FaultKind } from "../network/faults.ts";
import { toHex } from "../primitives/bytes.ts";
import { SECOND } from "../primitives/time.ts";
import type { FaultCommand } from "./command.ts";
import { Simulation } from "./simulation.ts";
import { runRounds, runTo, worldSpec } from "./testing.ts";

const start = (): Simulation => Simulation.create(worldSpec());
const fault = (sim: Simulation, command: Omit<FaultCommand, "type">): void => {
  sim.apply({ type: "fault", ...command });
};
const absentees = (sim: Simulation, height: number): number =>
  sim.block(height)?.absent.length ?? -1;

describe("a faulty machine", () => {
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
    expect(absentees(sim, 5)).toBe(1);
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

describe("chaos", () => {
  test("up to level 3 never takes a third of the power: blocks keep coming", () => {
    const sim = Simulation.create(worldSpec({}, 7));
    sim.apply({ type: "chaos", level: 3, for: 60 });
    runTo(sim, 60, 400);
    const disturbed = Array.from({ length: 60 }, (_, i) => sim.block(i + 1)).filter(
      (block) => (block?.absent.length ?? 0) + (block?.round ?? 0) > 0,
    );
    expect(disturbed.length).toBeGreaterThan(0);
  });

  test("with one seed is always the same", () => {
    const kind = fc.constantFrom<FaultKind[]>("mute", "slow", "flaky", "crash", "clock");
    fc.assert(
      fc.property(fc.nat(1000), fc.array(kind, { maxLength: 3 }), (seed, kinds) => {
        const run = (): string => {
          const sim = Simulation.create(worldSpec({ seed }, 5));
          kinds.forEach((kind, i) => {
            fault(sim, { node: `val-${i}`, kind, at: 2 + i, for: 5 });
          });
          sim.apply({ type: "chaos", level: 5, for: 15 });
          runRounds(sim, 25);
          return `${sim.height} ${toHex(sim.block(sim.height)?.hash ?? new Uint8Array())}`;
        };
        expect(run()).toBe(run());
      }),
      { numRuns: 15 },
    );
  });
});
