import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toHex } from "../../base/bytes.ts";
import { propertyRuns } from "../../base/property.testing.ts";
import { type Duration, MILLISECOND, SECOND } from "../../base/time.ts";
import { FLAG_ABSENT, FLAG_COMMIT } from "../consensus/commit.ts";
import { weightedMedian } from "../consensus/time.ts";
import { verifiedCommit } from "./decided-blocks.ts";
import { Simulation } from "./simulation.ts";
import { runRounds, runTo, worldSpec } from "./testing.ts";

const HOUR = 3600n * SECOND;

const wrongClock = (sim: Simulation, node: string, by: Duration, at?: number, lasts?: number) => {
  sim.apply({
    type: "fault",
    node,
    kind: "clock",
    by,
    ...(at === undefined ? {} : { at }),
    ...(lasts === undefined ? {} : { for: lasts }),
  });
};

/** Block times up to a height, in nanoseconds since genesis. */
function times(sim: Simulation, height: number): bigint[] {
  runTo(sim, height);
  return Array.from({ length: height }, (_, i) => {
    return (sim.timeAt(i + 1) ?? 0n) - sim.spec.genesisTime;
  });
}

const seconds = (...list: readonly number[]): bigint[] => list.map((s) => BigInt(s) * SECOND);

describe("block time is the median of the last commit, weighted with power (rules/consensus 5.2)", () => {
  test("so one validator counts once, however often its clock is set wrong", () => {
    const sim = Simulation.create(worldSpec());
    for (let i = 0; i < 3; i++) wrongClock(sim, "val-3", HOUR);
    expect(times(sim, 4)).toEqual(seconds(0, 5, 10, 15));
  });

  test("and once when two nodes vote with its key", () => {
    const sim = Simulation.create(worldSpec({}, 3));
    sim.apply({ type: "node", node: "val-2", action: { kind: "twin" } });
    for (const node of ["val-2", "val-2-twin"]) wrongClock(sim, node, HOUR);
    expect(times(sim, 3)).toEqual(seconds(0, 5, 10));
  });

  test("with the clock of the validator's original node, not its twin's, while both vote", () => {
    const validators = [3n, 1n].map((share, i) => {
      return { name: `val-${i}`, stake: share * 100_000_000n, binary: "v1" };
    });
    const sim = Simulation.create(worldSpec({ validators }));
    sim.apply({ type: "node", node: "val-0", action: { kind: "twin" } });
    wrongClock(sim, "val-0-twin", HOUR);
    expect(times(sim, 3)).toEqual(seconds(0, 5, 10));
  });

  test("while less than half the power is wrong it does not move; with more it follows them", () => {
    const sim = Simulation.create(worldSpec({}, 5));
    for (const node of ["val-0", "val-1"]) wrongClock(sim, node, HOUR, 1, 9);
    wrongClock(sim, "val-2", HOUR, 5, 1);
    expect(times(sim, 6)).toEqual(seconds(0, 5, 10, 15, 20, 3625));
  });

  test("moves by a millisecond at least, until right clocks have caught up with a wrong time", () => {
    const sim = Simulation.create(worldSpec());
    for (const node of ["val-0", "val-1", "val-2"]) wrongClock(sim, node, 17n * SECOND, 3, 1);
    const first = 32n * SECOND;
    expect(times(sim, 9).slice(2)).toEqual([
      10n * SECOND,
      first,
      first + MILLISECOND,
      first + 2n * MILLISECOND,
      first + 3n * MILLISECOND,
      35n * SECOND,
      40n * SECOND,
    ]);
    expect(sim.clock).toBe(sim.spec.genesisTime + 45n * SECOND);
  });

  test("does not add up a wrong offset from block to block", () => {
    const sim = Simulation.create(worldSpec());
    for (const node of ["val-0", "val-1", "val-2"]) wrongClock(sim, node, HOUR);
    expect(times(sim, 4)).toEqual(seconds(0, 3605, 3610, 3615));
  });

  test("moves by a millisecond a block while most clocks are behind", () => {
    const sim = Simulation.create(worldSpec());
    for (const node of ["val-0", "val-1", "val-2"]) wrongClock(sim, node, -HOUR, 3);
    expect(times(sim, 5).slice(2)).toEqual(
      [10_000n, 10_001n, 10_002n].map((ms) => ms * MILLISECOND),
    );
  });
});

describe("a commit with real signatures", () => {
  const offset = fc.integer({ min: -20, max: 20 });

  test("carries each validator's own time, and the next header their median", () => {
    fc.assert(
      fc.property(fc.array(offset, { minLength: 5, maxLength: 5 }), (offsets) => {
        const validators = offsets.map((_, i) => {
          return { name: `val-${i}`, stake: BigInt(i + 1) * 100_000_000n, binary: "v1" };
        });
        const sim = Simulation.create(worldSpec({ commits: "full", validators }));
        offsets.forEach((by, i) => {
          if (by !== 0) wrongClock(sim, `val-${i}`, BigInt(by) * SECOND);
        });
        sim.apply({ type: "fault", node: "val-0", kind: "mute", at: 2, for: 1 });
        runRounds(sim, 5);
        const powers = sim.validators();
        for (let height = 1; height < sim.height; height++) {
          const commit = verifiedCommit(sim, height);
          expect(commit?.error).toBeNull();
          const cast = (commit?.signatures ?? []).flatMap(({ blockIdFlag, timestamp }, i) =>
            blockIdFlag === FLAG_ABSENT ? [] : [{ time: timestamp, power: powers[i]?.power ?? 0 }],
          );
          expect(cast).toHaveLength(height === 2 ? 4 : 5);
          expect(weightedMedian(cast)).toBe(sim.header(height + 1)?.time);
        }
      }),
      { numRuns: propertyRuns(10), seed: 11, examples: [[[20, -20, 0, 7, 0]]] },
    );
  });

  test("is signed with the times on it, exactly those of the voters' clocks", () => {
    for (const commits of ["full", "compact"] as const) {
      const sim = Simulation.create(worldSpec({ commits }));
      wrongClock(sim, "val-1", HOUR, 2, 1);
      wrongClock(sim, "val-2", -HOUR, 2, 1);
      runTo(sim, 4);
      const text = verifiedCommit(sim, 2)?.signatures.map(
        ({ blockIdFlag, validatorAddress, timestamp }) => {
          expect(blockIdFlag).toBe(FLAG_COMMIT);
          const who = sim
            .nodes()
            .find(({ consensusAddress }) => toHex(consensusAddress) === toHex(validatorAddress));
          return [who?.name, (timestamp - sim.spec.genesisTime) / MILLISECOND];
        },
      );
      expect(Object.fromEntries(text ?? [])).toEqual({
        "val-0": 10_000n,
        "val-1": 3_610_000n,
        "val-2": 5_001n,
        "val-3": 10_000n,
      });
      expect(verifiedCommit(sim, 2)?.error).toBeNull();
      expect(verifiedCommit(sim, 3)?.signatures.map(({ timestamp }) => timestamp)).toEqual(
        Array(4).fill(sim.timeAt(4)),
      );
    }
  });
});
