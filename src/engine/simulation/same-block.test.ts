import fc from "fast-check";
import { afterEach, describe, expect, test, vi } from "vitest";
import { toHex } from "../../base/bytes.ts";
import { propertyRuns } from "../../base/property.testing.ts";
import { HeaderHasher } from "../consensus/header.ts";
import { hashesOf } from "../network/chain/same-block.ts";
import { writeKeyframe } from "./keyframe/keyframe.ts";
import { grown, worldOf, worldSteps } from "./keyframe/worlds.testing.ts";
import { Simulation } from "./simulation.ts";
import { runRounds, worldSpec } from "./testing.ts";
import { replayOf } from "./world-invariants.testing.ts";

afterEach(() => vi.restoreAllMocks());

/** Replays the world, reusing hashes from another one. */
function followed(sim: Simulation, other = sim): Simulation {
  const again = Simulation.create(sim.spec);
  again.network.hashLookup = hashesOf(other.network);
  return replayOf(sim, again);
}

const blockHashes = (sim: Simulation): string[] =>
  Array.from({ length: sim.height }, (_, i) => toHex(sim.block(i + 1)?.hash ?? new Uint8Array()));

describe("hashes that another world knows", () => {
  test("give after any journal the world that makes all of them itself", () => {
    fc.assert(
      fc.property(worldSteps, (steps) => {
        const sim = grown(worldOf(), steps);
        const again = followed(sim);
        const bytes = writeKeyframe(replayOf(sim));
        expect(toHex(writeKeyframe(again)) === toHex(bytes)).toBe(true);
      }),
      { numRuns: propertyRuns(60) },
    );
  });

  test("save the making of those of quiet blocks", () => {
    const sim = Simulation.create(worldSpec());
    runRounds(sim, 3);
    sim.apply({ type: "fault", kind: "mute", node: "val-2", for: 2 });
    runRounds(sim, 20);
    const made = vi.spyOn(HeaderHasher.prototype, "hash");
    expect(blockHashes(followed(sim))).toEqual(blockHashes(sim));
    // Nothing precedes the first block.
    expect(made).toHaveBeenCalledTimes(1);
  });

  test("are not taken for a block that differs, nor for any that follows", () => {
    const quiet = Simulation.create(worldSpec());
    runRounds(quiet, 30);
    const other = Simulation.create(worldSpec());
    runRounds(other, 10);
    other.apply({ type: "node", node: "val-3", action: { kind: "stop" } });
    runRounds(other, 20);
    const again = followed(other, quiet);
    expect(blockHashes(again)).toEqual(blockHashes(other));
    expect(blockHashes(again)[9]).toBe(blockHashes(quiet)[9]);
    expect(blockHashes(again)[12]).not.toBe(blockHashes(quiet)[12]);
  });

  test("are not taken where the other went on with the blocks of a fork", () => {
    const sim = Simulation.create(worldSpec());
    runRounds(sim, 5);
    for (const node of ["val-2", "val-3"]) {
      sim.apply({ type: "node", node, action: { kind: "twin" } });
    }
    sim.apply({
      type: "partition",
      groups: [
        ["val-0", "val-2", "val-3"],
        ["val-1", "val-2-twin", "val-3-twin"],
      ],
    });
    runRounds(sim, 8);
    sim.apply({ type: "partition", groups: [] });
    runRounds(sim, 3);
    expect(toHex(writeKeyframe(followed(sim)))).toBe(toHex(writeKeyframe(replayOf(sim))));
  });
});
