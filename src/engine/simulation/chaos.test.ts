import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toHex } from "../../base/bytes.ts";
import { propertyRuns } from "../../base/property.testing.ts";
import { NODE_FAULTS, type NodeFaultKind } from "../network/faults/kinds.ts";
import { Simulation } from "./simulation.ts";
import { runRounds, worldSpec } from "./testing.ts";
import type { NodeView } from "./views.ts";

const equalStakes = (count: number, stake: bigint) =>
  Array.from({ length: count }, (_, i) => ({ name: `val-${i}`, stake, binary: "v1" }));

/**
 * Runs chaos of a level up to a height or for a number of rounds; calls `look` before every round.
 */
function chaos(
  sim: Simulation,
  level: number,
  heights: number,
  look: (nodes: readonly NodeView[]) => void,
): void {
  sim.apply({ type: "chaos", level, for: heights });
  for (let i = 0; sim.height < heights && i < 20 * heights; i++) {
    sim.advance();
    look(sim.nodes());
  }
}

const keysOf = (nodes: readonly NodeView[]): string[] => [
  ...new Set(nodes.map(({ consensusAddress }) => toHex(consensusAddress))),
];

describe("chaos up to level 3", () => {
  const drawn = (sim: Simulation, heights: number): ReadonlySet<string> => {
    const kinds = new Set<string>();
    chaos(sim, 3, heights, (nodes) => {
      const main = nodes.filter(({ partition }) => partition === 0);
      const ill = nodes.filter(
        ({ faults, process, partition }) =>
          faults.length > 0 ||
          process !== "running" ||
          (main.length * 2 > nodes.length ? partition !== 0 : partition === 0),
      );
      // With equal powers it is enough to count validators.
      expect(keysOf(ill).length * 3).toBeLessThan(keysOf(nodes).length);
      if (nodes.some(({ partition }) => partition > 0)) kinds.add("partition");
      for (const { faults } of nodes) for (const { kind } of faults) kinds.add(kind);
    });
    return kinds;
  };

  test("never takes a third of the power, and no validator double-signs: blocks keep coming", () => {
    const kinds = new Set<string>();
    for (let seed = 1; seed <= 8; seed++) {
      const sim = Simulation.create(worldSpec({ seed }, 7));
      for (const kind of drawn(sim, 60)) kinds.add(kind);
      expect(sim.height).toBe(60);
    }
    expect([...kinds].sort()).toEqual(
      ["clock", "crash", "flaky", "mute", "partition", "slow", "stop"].sort(),
    );
  });

  test("acts where every validator has a power of one, too", () => {
    const sim = Simulation.create(worldSpec({ validators: equalStakes(4, 1_000_000n) }));
    expect(sim.validators().map(({ power }) => power)).toEqual([1, 1, 1, 1]);
    expect(drawn(sim, 60).size).toBeGreaterThan(2);
  });

  test("takes no node where one is a third", () => {
    const sim = Simulation.create(worldSpec({ validators: equalStakes(3, 1_000_000n) }));
    expect([...drawn(sim, 60)]).toEqual([]);
  });
});

describe("chaos of level 5", () => {
  test("comes to its end, whatever it draws, and never splits the chain", () => {
    const kinds = new Set<string>();
    for (let seed = 1; seed <= 12; seed++) {
      const sim = Simulation.create(worldSpec({ seed }, seed % 2 === 0 ? 10 : 4));
      chaos(sim, 5, 60, (nodes) => {
        expect(sim.forks()).toEqual([]);
        if (nodes.some(({ partition }) => partition > 0)) kinds.add("partition");
        for (const { faults } of nodes) for (const { kind } of faults) kinds.add(kind);
      });
      expect(sim.height, `seed ${seed}`).toBe(60);
    }
    kinds.delete("signer");
    expect([...kinds].sort()).toEqual([...NODE_FAULTS, "partition"].sort());
  });

  test("with one seed is always the same", () => {
    const kind = fc.constantFrom<NodeFaultKind[]>(...NODE_FAULTS);
    fc.assert(
      fc.property(fc.nat(1000), fc.array(kind, { maxLength: 3 }), (seed, kinds) => {
        const run = (): string => {
          const sim = Simulation.create(worldSpec({ seed }, 5));
          kinds.forEach((kind, i) => {
            sim.apply({ type: "fault", node: `val-${i}`, kind, at: 2 + i, for: 5 });
          });
          sim.apply({ type: "chaos", level: 5, for: 15 });
          runRounds(sim, 25);
          return `${sim.height} ${toHex(sim.block(sim.height)?.hash ?? new Uint8Array())}`;
        };
        expect(run()).toBe(run());
      }),
      { numRuns: propertyRuns(12), seed: 3, examples: [[7, ["twin", "stop", "flaky"]]] },
    );
  });
});
