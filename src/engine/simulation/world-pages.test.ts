import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { toHex } from "../primitives/bytes.ts";
import { answers } from "./keyframe/answers.testing.ts";
import { difference } from "./keyframe/difference.testing.ts";
import { readKeyframe, writeKeyframe } from "./keyframe/keyframe.ts";
import { perform, type WorldStep, worldOf, worldSteps } from "./keyframe/worlds.testing.ts";
import { type PastSource, Simulation } from "./simulation.ts";
import { runRounds } from "./testing.ts";
import {
  keepingAllPages,
  type PageKey,
  type Residence,
  USUAL_RESIDENCE,
  type WorldPages,
} from "./world-pages.ts";

/** Pages of a few blocks, and next to nothing in memory. */
const TINY: Residence = {
  blocks: { pageBlocks: 4, pageBytes: 500, residentBytes: 1 },
  results: { pageBytes: 500, residentBytes: 1 },
  states: { count: 2, bytes: 1, inKeyframe: 1 },
};

/** The same pages, all in memory. */
const ROOMY = keepingAllPages({ ...TINY, states: USUAL_RESIDENCE.states });

const spec = worldOf();

/** A world that lets nearly all go, and finds it again in one that lets nothing go. */
const forgetful = (): Simulation =>
  Simulation.create(spec, { below: () => Simulation.create(spec, undefined, ROOMY) }, TINY);

const hashOf = (sim: Simulation) => toHex(sim.appHash);

const keysOf = ({ sealed }: WorldPages): PageKey[] =>
  (["blocks", "results"] as const).flatMap((kind) =>
    Array.from({ length: sealed[kind] }, (_, index) => ({ kind, index })),
  );

describe("a world that keeps next to nothing in memory", () => {
  test("is the same as one that keeps everything, forks and all that is asked of it included", () => {
    fc.assert(
      fc.property(worldSteps, worldSteps, (before, after) => {
        const whole = Simulation.create(spec);
        const little = forgetful();
        const both = (doing: WorldStep): void => {
          for (const sim of [whole, little]) perform(sim, doing);
          expect(hashOf(little)).toBe(hashOf(whole));
        };
        for (const doing of before) both(doing);
        expect(answers(little)).toEqual(answers(whole));
        for (const doing of after) both(doing);
        expect(answers(little)).toEqual(answers(whole));
      }),
      { numRuns: 15 },
    );
  }, 240_000);

  test("finds its past again by itself, from its spec and journal", () => {
    fc.assert(
      fc.property(worldSteps, (steps) => {
        const whole = Simulation.create(spec);
        const little = Simulation.create(spec, {}, TINY);
        for (const doing of steps) for (const sim of [whole, little]) perform(sim, doing);
        const heights = [0, 0.3, 0.6].map((part) => Math.floor(part * whole.height));
        for (const height of heights) {
          expect(little.block(height)).toEqual(whole.block(height));
          expect(little.header(height)).toEqual(whole.header(height));
          expect(toHex(little.state(height).appHash)).toBe(toHex(whole.state(height).appHash));
        }
      }),
      { numRuns: 10 },
    );
  }, 240_000);

  test("reads the journal that was released from where its host keeps it", () => {
    const whole = Simulation.create(spec);
    const little = Simulation.create(spec, { journal: (from) => whole.journal.slice(from) }, TINY);
    for (const sim of [whole, little]) {
      for (let i = 0; i < 10; i++) {
        sim.apply({
          type: "node",
          node: "val-0",
          action: { kind: i % 2 === 0 ? "stop" : "start" },
        });
        runRounds(sim, 3);
      }
    }
    little.releaseJournal(little.journalLength);
    expect(little.block(5)).toEqual(whole.block(5));
    const alone = Simulation.create(spec, {}, TINY);
    alone.apply({ type: "node", node: "val-0", action: { kind: "stop" } });
    runRounds(alone, 30);
    alone.releaseJournal(1);
    expect(() => alone.block(3)).toThrow("what lies so far back is not in memory");
  });
});

describe("a keyframe", () => {
  const holds = (
    residence: Residence,
    source: PastSource | undefined,
    restoredBy: (sim: Simulation) => PastSource | undefined,
  ): void =>
    fc.assert(
      fc.property(worldSteps, worldSteps, (before, after) => {
        const straight = Simulation.create(spec, source, residence);
        for (const doing of before) perform(straight, doing);
        const bytes = writeKeyframe(straight);
        const restored = readKeyframe(spec, bytes, restoredBy(straight), residence);
        for (const doing of after) for (const sim of [straight, restored]) perform(sim, doing);
        expect(hashOf(restored)).toBe(hashOf(straight));
        for (let height = 1; height <= straight.height; height += 3) {
          expect(restored.block(height)).toEqual(straight.block(height));
          expect(restored.header(height)).toEqual(straight.header(height));
        }
        expect(difference(restored, straight)).toBeUndefined();
      }),
      { numRuns: 15 },
    );

  test("holds all pages of a world that could not find them again", () => {
    holds({ ...TINY, states: USUAL_RESIDENCE.states }, undefined, () => undefined);
  }, 240_000);

  test("leaves out the pages that its world finds again", () => {
    const below = (): Simulation => Simulation.create(spec, undefined, ROOMY);
    holds(TINY, { below }, (sim) => ({ below, journal: (from) => sim.journal.slice(from) }));
  }, 240_000);
});

describe("the pages of a world", () => {
  test("are loaded from bytes, and are then read without the past", () => {
    fc.assert(
      fc.property(worldSteps, (steps) => {
        const whole = Simulation.create(spec, undefined, ROOMY);
        const below = vi.fn(() => Simulation.create(spec, undefined, ROOMY));
        // Room for the few pages that one block is read from.
        const blocks = { ...TINY.blocks, residentBytes: 20_000 };
        const little = Simulation.create(
          spec,
          { below },
          { ...ROOMY, blocks, results: TINY.results },
        );
        for (const doing of steps) for (const sim of [whole, little]) perform(sim, doing);
        below.mockClear();
        expect(keysOf(little.pages)).toEqual(keysOf(whole.pages));
        for (let height = 1; height <= whole.height; height++) {
          for (const key of little.pages.missing(height, height)) {
            little.pages.load(key, whole.pages.bytes(key) as Uint8Array);
          }
          expect(little.block(height)).toEqual(whole.block(height));
          expect(little.header(height)).toEqual(whole.header(height));
          const hash = whole.block(height)?.txs[0]?.hash;
          if (hash === undefined) continue;
          for (const key of little.pages.missingTx(hash)) {
            little.pages.load(key, whole.pages.bytes(key) as Uint8Array);
          }
          expect(little.tx(hash)).toEqual(whole.tx(hash));
        }
        expect(below).not.toHaveBeenCalled();
      }),
      { numRuns: 15 },
    );
  }, 240_000);
});
