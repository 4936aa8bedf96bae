import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { accAddress } from "../../base/bech32.ts";
import { toHex } from "../../base/bytes.ts";
import { propertyRuns } from "../../base/property.testing.ts";
import { MsgSendSchema } from "../../gen/chain/bank/v1beta1/tx_pb.ts";
import { packInit } from "../framework/codec.ts";
import { CommandError } from "../framework/errors.ts";
import type { Command } from "./command.ts";
import { verifiedCommit } from "./decided-blocks.ts";
import { accountOf } from "./genesis/world-spec.ts";
import type { HistoryRange } from "./history-range.ts";
import { answers } from "./keyframe/answers.testing.ts";
import { difference } from "./keyframe/difference.testing.ts";
import { readKeyframe, writeKeyframe } from "./keyframe/keyframe.ts";
import { perform, type WorldStep, worldOf, worldSteps } from "./keyframe/worlds.testing.ts";
import { type HistorySource, Simulation } from "./simulation.ts";
import { runRounds, worldSpec } from "./testing.ts";
import { type HistoryPart, missingParts } from "./world-history.ts";
import {
  type PageKey,
  type Residence,
  USUAL_RESIDENCE,
  type WorldPages,
  withAllPages,
} from "./world-pages.ts";

/** Pages of a few blocks, with next to nothing in memory. */
const TINY: Residence = {
  blocks: { pageBlocks: 4, pageBytes: 500, residentBytes: 1 },
  results: { pageBytes: 500, residentBytes: 1 },
  states: { count: 2, bytes: 1, inKeyframe: 1 },
};

/** The same pages, all in memory. */
const ROOMY = withAllPages({ ...TINY, states: USUAL_RESIDENCE.states });

const spec = worldOf();

/** A world that evicts nearly everything, and reloads it from one that evicts nothing. */
const forgetful = (): Simulation =>
  Simulation.create(spec, { below: () => Simulation.create(spec, undefined, ROOMY) }, TINY);

/**
 * The main chain follows a fork: one change adds several blocks, the first of which is queried
 * later.
 */
const HEALED: WorldStep[] = [
  { do: "run", blocks: 1 },
  { do: "command", command: { type: "fault", kind: "crash", node: "val-0", for: 1 } },
  { do: "fork" },
  { do: "run", blocks: 2 },
  { do: "fork" },
  { do: "stake", who: "val-0", from: "val-0", to: "val-0", how: "delegate", amount: 1n },
  { do: "run", blocks: 1 },
  { do: "create", who: "val-0", key: "val-0", amount: 1n },
  { do: "run", blocks: 1 },
];

const hashOf = (sim: Simulation) => toHex(sim.appHash);

const keysOf = ({ sealed }: WorldPages): PageKey[] =>
  (["blocks", "results"] as const).flatMap((kind) =>
    Array.from({ length: sealed[kind] }, (_, index) => ({ kind, index })),
  );

/** A world that opens the history needed before each change and query. */
function openingAll(sim: Simulation, open: (part: HistoryPart) => object) {
  const { apply, advance } = sim;
  const opening = <T>(ranges: Iterable<HistoryRange>, act: () => T): T => {
    const opened = new Map<string, object>();
    return sim.with(opened, () => {
      for (const range of ranges) {
        for (const part of missingParts(sim.partsOf(range), opened)) {
          opened.set(part.key, open(part));
        }
      }
      return act();
    });
  };
  return Object.assign(sim, {
    apply: (command: Command) => opening(sim.readBy(command), () => apply.call(sim, command)),
    advance: () => opening(sim.readBy(), () => advance.call(sim)),
    read: <T>(ranges: readonly HistoryRange[], read: (sim: Simulation) => T) =>
      opening(ranges, () => read(sim)),
  });
}

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
      { numRuns: propertyRuns(15) },
    );
  });

  test("is the same when what it reads is opened before anything happens, and replays next to nothing", () => {
    let replays = 0;
    let opened = 0;
    fc.assert(
      fc.property(worldSteps, worldSteps, (before, after) => {
        const whole = Simulation.create(spec, undefined, ROOMY);
        const below = () => {
          replays += 1;
          return Simulation.create(spec, undefined, ROOMY);
        };
        const little = Simulation.create(spec, { below }, TINY);
        const requested = openingAll(little, (part) => {
          opened += 1;
          return part.read(whole) as object;
        });
        for (const doing of [...before, ...after]) {
          for (const sim of [whole, requested]) perform(sim, doing);
          expect(hashOf(little)).toBe(hashOf(whole));
        }
        for (let height = 1; height <= whole.height; height += 3) {
          const hash = whole.block(height)?.hash as Uint8Array;
          const ranges: readonly HistoryRange[] = [
            { kind: "hash", hash },
            { kind: "blocks", from: height, to: height },
            { kind: "results", from: height, to: height },
            { kind: "state", height },
            { kind: "sets", height },
          ];
          const read = (sim: Simulation) => [
            sim.block(height),
            sim.header(height),
            verifiedCommit(sim, height),
            sim.heightOf(hash),
            toHex(sim.state(height).appHash),
            sim.exportGenesis(height).sets,
          ];
          expect(requested.read(ranges, read)).toEqual(read(whole));
        }
      }),
      { numRuns: propertyRuns(15) },
    );
    expect(replays).toBeLessThan(opened / 10);
  });

  test("has a node that is more pages behind than are opened ahead apply evidence of old offences", () => {
    const [first = "", second = "", ...others] = spec.validators.map(({ name }) => name);
    const last = others.at(-1) ?? "";
    const whole = Simulation.create(spec, undefined, ROOMY);
    const below = vi.fn(() => Simulation.create(spec, undefined, ROOMY));
    const little = Simulation.create(spec, { below }, TINY);
    const sims = [whole, openingAll(little, (part) => part.read(whole) as object)];
    const all = (command: Command): void => {
      for (const sim of sims) sim.apply(command);
    };
    const run = (rounds: number): void => {
      for (const sim of sims) runRounds(sim, rounds);
    };
    run(3);
    all({ type: "node", node: last, action: { kind: "stop" } });
    run(20);
    for (const height of [2, 20]) {
      all({ type: "misbehavior", kind: 1, validator: first, height });
      run(50);
    }
    all({ type: "double_sign", node: second });
    run(20);
    const { height } = whole;
    expect(height / TINY.blocks.pageBlocks).toBeGreaterThan(33);
    below.mockClear();
    all({ type: "node", node: last, action: { kind: "skip_upgrades", heights: [900] } });
    run(3);
    for (const sim of sims) {
      expect(sim.height).toBe(height + 3);
      expect(sim.node(last)).toMatchObject({ process: "running", height: sim.height });
      expect(sim.node(last)?.appHash).toEqual(whole.appHash);
    }
    // The blocks beyond those pages are replayed.
    expect(below).toHaveBeenCalledOnce();
  });

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
      { numRuns: propertyRuns(10), examples: [[HEALED]] },
    );
  });

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

describe("a round that needs blocks which cannot be read", () => {
  test("leaves the world standing before it, with its reason, and never half a round", () => {
    let readable = true;
    const journal = (from: number) => {
      if (!readable) throw new CommandError("the storage does not answer");
      return little.journal.slice(from);
    };
    const little = Simulation.create(spec, { journal }, TINY);
    const whole = Simulation.create(spec);
    for (const sim of [whole, little]) {
      sim.apply({ type: "fault", kind: "stop", node: "val-0", for: 20 });
      runRounds(sim, 20);
    }
    readable = false;
    const place = () => ({
      rounds: little.rounds,
      last: hashOf(little),
      at: little.lastBlock.height,
    });
    let before = place();
    expect(() => {
      for (let i = 0; i < 5; i++) {
        before = place();
        little.advance();
        whole.advance();
      }
    }).toThrow("the storage does not answer");
    const { rounds, lastBlock } = little;
    expect({ rounds, last: toHex(lastBlock.appHash), at: lastBlock.height }).toEqual(before);
    expect(little.isComplete).toBe(false);
    readable = true;
    for (const act of [
      () => little.advance(),
      () => little.apply({ type: "node", node: "val-1", action: { kind: "stop" } }),
    ]) {
      expect(act).toThrow("the world cannot continue, because old blocks cannot be read");
    }
    expect(little.journal).toHaveLength(1);
    // Replay from its journal continues normally.
    const again = Simulation.create(spec);
    for (const { command } of little.journal) again.apply(command);
    runRounds(again, little.rounds);
    expect(again.height).toBe(before.at);
    for (const sim of [whole, again]) runRounds(sim, 5);
    expect(hashOf(again)).toBe(hashOf(whole));
  });

  test("is not begun where that is known before", () => {
    let readable = true;
    const journal = (from: number) => {
      if (!readable) throw new CommandError("the storage does not answer");
      return little.journal.slice(from);
    };
    const little = Simulation.create(spec, { journal }, TINY);
    const whole = Simulation.create(spec);
    for (const sim of [whole, little]) {
      runRounds(sim, 30);
      const validator = "val-1";
      sim.apply({ type: "misbehavior", kind: 1, validator, height: 3 });
    }
    for (let height = 5; height < 25; height += 4) little.block(height);
    readable = false;
    expect(() => little.advance()).toThrow("the storage does not answer");
    expect(little.isComplete).toBe(true);
    readable = true;
    for (const sim of [whole, little]) runRounds(sim, 5);
    expect(hashOf(little)).toBe(hashOf(whole));
  });
});

describe("a keyframe", () => {
  const holds = (
    residence: Residence,
    source: HistorySource | undefined,
    restoredBy: (sim: Simulation) => HistorySource | undefined,
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
      { numRuns: propertyRuns(15) },
    );

  test("holds all pages of a world that could not find them again", () => {
    holds({ ...TINY, states: USUAL_RESIDENCE.states }, undefined, () => undefined);
  });

  test("does not grow with the transactions on pages that its world finds again", () => {
    const sim = Simulation.create(worldSpec(), {}, TINY);
    const [from, to] = ["alice", "val-0"].map((name) => accAddress(accountOf(name)));
    const amount = [{ denom: "stake", amount: "1" }];
    const send = packInit(MsgSendSchema, { fromAddress: from ?? "", toAddress: to ?? "", amount });
    const sizeAfter = (blocks: number): number => {
      for (let i = 0; i < blocks; i++) {
        for (let n = 0; n < 20; n++) sim.apply({ type: "tx", signer: "alice", messages: [send] });
        sim.advance();
      }
      return writeKeyframe(sim).length;
    };
    sizeAfter(40);
    const before = sizeAfter(5);
    const { results } = sim.pages.sealed;
    const after = sizeAfter(40);
    expect(sim.pages.sealed.results - results).toBe(40);
    // 40 pages of each kind have index entries; 800 transactions have none.
    expect(after - before).toBeLessThan(4 * 800);
  });

  test("leaves out the pages that its world finds again", () => {
    const below = (): Simulation => Simulation.create(spec, undefined, ROOMY);
    holds(TINY, { below }, (sim) => ({ below, journal: (from) => sim.journal.slice(from) }));
  });
});

describe("the pages of a world", () => {
  test("are loaded from bytes, and are then read without the past", () => {
    fc.assert(
      fc.property(worldSteps, (steps) => {
        const whole = Simulation.create(spec, undefined, ROOMY);
        const below = vi.fn(() => Simulation.create(spec, undefined, ROOMY));
        // Enough for the few pages needed to read one block.
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
          for (const kind of ["blocks", "results"] as const) {
            for (const key of little.missingPages({ kind, from: height, to: height })) {
              little.pages.load(key, whole.pages.bytes(key) as Uint8Array);
            }
          }
          expect(little.block(height)).toEqual(whole.block(height));
          expect(little.header(height)).toEqual(whole.header(height));
        }
        expect(little.tx(new Uint8Array(32), whole.height)).toBeUndefined();
        expect(below).not.toHaveBeenCalled();
      }),
      { numRuns: propertyRuns(15) },
    );
  });
});
