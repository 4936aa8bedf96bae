import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { concat, toHex } from "../../primitives/bytes.ts";
import { sha256 } from "../../primitives/sha256.ts";
import { Simulation } from "../simulation.ts";
import { runRounds, worldSpec } from "../testing.ts";
import { difference } from "./difference.testing.ts";
import { KeyframeError, readKeyframe, writeKeyframe } from "./keyframe.ts";
import { grown, perform, type WorldStep, worldOf, worldSteps } from "./worlds.testing.ts";

/** Everything that can be asked of a world. */
function answers(sim: Simulation): unknown {
  const heights = Array.from({ length: sim.height + 1 }, (_, i) => i);
  return {
    counts: [sim.rounds, sim.revision, sim.journalLength, sim.height, sim.decidedHeight, sim.round],
    times: [sim.time, sim.clock, sim.nextTime],
    status: sim.chainStatus(),
    faults: sim.faults(),
    forks: sim.forks(),
    nodes: sim.nodes(),
    files: sim.nodes().map(({ name }) => sim.files(name)),
    logs: [sim.logSince(0), ...sim.nodes().map(({ name }) => sim.log(name))],
    halts: sim.haltsSince(0),
    blocks: heights.map((height) => sim.block(height)),
    headers: heights.map((height) => sim.header(height)),
    sizes: heights.map((height) => sim.blockSize(height)),
    rounds: [...heights, sim.height + 1].map((height) => sim.roundsOf(height)),
    states: heights.map((height) => toHex(sim.state(height).appHash)),
    commit: sim.commit(sim.height),
    genesis: [sim.height, Math.max(sim.height - 3, 0)].map((height) => {
      const { app: _, ...exported } = sim.exportGenesis(height);
      return exported;
    }),
    validators: sim.validators(),
    proposer: sim.proposer(),
    binaries: sim.binaries(),
  };
}

describe("a world restored from a keyframe", () => {
  const holds = (before: readonly WorldStep[], after: readonly WorldStep[], spec = worldOf()) => {
    const straight = grown(spec, before);
    const bytes = writeKeyframe(straight);
    const restored = readKeyframe(spec, bytes);
    expect(toHex(sha256(writeKeyframe(restored)))).toBe(toHex(sha256(bytes)));
    const { length } = straight.journal;
    for (const doing of after) {
      perform(straight, doing);
      perform(restored, doing);
    }
    expect(difference(restored, straight)).toBeUndefined();
    expect(restored.journalStart).toBe(length);
    expect(restored.journal).toEqual(straight.journal.slice(length));
    expect(answers(restored)).toEqual(answers(straight));
  };

  test("is from then on what a world is that ran straight", () => {
    fc.assert(
      fc.property(worldSteps, worldSteps, (before, after) => holds(before, after)),
      { numRuns: 60 },
    );
  }, 240_000);

  test("with full commits too", () => {
    const full = worldOf({ commits: "full" });
    fc.assert(
      fc.property(worldSteps, worldSteps, (before, after) => holds(before, after, full)),
      { numRuns: 5 },
    );
  }, 240_000);
});

describe("a keyframe", () => {
  const spec = worldSpec();
  const sim = Simulation.create(spec);
  runRounds(sim, 3);
  const bytes = writeKeyframe(sim);

  test("that is cut off anywhere is refused", () => {
    for (let length = 0; length < bytes.length; length += 37) {
      expect(() => readKeyframe(spec, bytes.slice(0, length))).toThrow(KeyframeError);
    }
  });

  test("in which any byte is another is refused", () => {
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, by) => {
        const damaged = bytes.slice();
        damaged[at] = (bytes[at] as number) ^ by;
        expect(() => readKeyframe(spec, damaged)).toThrow(KeyframeError);
      }),
      { numRuns: 500 },
    );
  });

  /** With the hash that goes with it. */
  const sealed = (body: Uint8Array): Uint8Array =>
    concat(bytes.slice(0, HEAD - 32), sha256(body), body);
  const HEAD = 72;

  test("whose hash fits garbage is refused, or gives a world with the same app hash", () => {
    expect(readKeyframe(spec, sealed(bytes.slice(HEAD))).height).toBe(3);
    fc.assert(
      fc.property(fc.nat(bytes.length - HEAD - 1), fc.nat(255), fc.boolean(), (at, by, cut) => {
        const body = bytes.slice(HEAD, cut ? HEAD + at : undefined);
        if (!cut) body[at] = by;
        try {
          expect(readKeyframe(spec, sealed(body)).appHash).toEqual(sim.appHash);
        } catch (error) {
          expect(error).toBeInstanceOf(KeyframeError);
        }
      }),
      { numRuns: 2000 },
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2000 }), (body) => {
        expect(() => readKeyframe(spec, sealed(body))).toThrow(KeyframeError);
      }),
    );
  }, 120_000);

  test("of another world is refused", () => {
    expect(() => readKeyframe(worldSpec({ seed: 8 }), bytes)).toThrow(/another world/);
    expect(readKeyframe({ ...spec }, bytes).height).toBe(3);
  });
});
