import { toBinary } from "@bufbuild/protobuf";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { concat, toHex } from "../../../base/bytes.ts";
import { crc32c } from "../../../base/crc32c.ts";
import { propertyRuns } from "../../../base/property.testing.ts";
import { sha256 } from "../../../base/sha256.ts";
import { ContinuationSchema } from "../../../gen/lab/v1/continuation_pb.ts";
import type { FaultCommand } from "../command.ts";
import { startBytes } from "../genesis/start.ts";
import type { WorldSpec } from "../genesis/world-spec.ts";
import { writeContinuation } from "../genesis/write-continuation.ts";
import { Simulation } from "../simulation.ts";
import { runRounds, worldSpec } from "../testing.ts";
import { answers } from "./answers.testing.ts";
import { difference } from "./difference.testing.ts";
import {
  KeyframeError,
  KeyframeWriter,
  readKeyframe,
  standingAs,
  writeKeyframe,
} from "./keyframe.ts";
import { readPack } from "./keyframe-pack.ts";
import { grown, perform, type WorldStep, worldOf, worldSteps } from "./worlds.testing.ts";

const u32be = (value: number): Uint8Array => {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value);
  return bytes;
};

/** Records the results of the world's commands from now on. */
function resultsOf(sim: Simulation): readonly unknown[] {
  const results: unknown[] = [];
  const apply = sim.apply.bind(sim);
  sim.apply = (command) => {
    try {
      const result = apply(command);
      results.push(result);
      return result;
    } catch (error) {
      results.push(String(error));
      throw error;
    }
  };
  return results;
}

describe("a world restored from a keyframe", () => {
  const holds = (before: readonly WorldStep[], after: readonly WorldStep[], spec = worldOf()) => {
    const straight = grown(spec, before);
    const bytes = writeKeyframe(straight);
    const restored = readKeyframe(spec, bytes);
    expect(toHex(sha256(writeKeyframe(restored)))).toBe(toHex(sha256(bytes)));
    const beside = standingAs(straight)();
    expect(toHex(sha256(writeKeyframe(beside)))).toBe(toHex(sha256(bytes)));
    const { length } = straight.journal;
    const results = [straight, restored].map(resultsOf);
    for (const doing of after) {
      perform(straight, doing);
      perform(restored, doing);
    }
    // A world that shares its trees stays unchanged while the other one continues.
    expect(toHex(sha256(writeKeyframe(beside)))).toBe(toHex(sha256(bytes)));
    for (const doing of after) perform(beside, doing);
    expect(difference(beside, straight)).toBeUndefined();
    expect(difference(restored, straight)).toBeUndefined();
    expect(results[1]).toEqual(results[0]);
    expect(restored.journalStart).toBe(length);
    expect(restored.journal).toEqual(straight.journal.slice(length));
    expect(answers(restored)).toEqual(answers(straight));
  };

  test("is from then on what a world is that ran straight", () => {
    fc.assert(
      fc.property(worldSteps, worldSteps, (before, after) => holds(before, after)),
      { numRuns: propertyRuns(30) },
    );
  });

  test("with full commits too", () => {
    const full = worldOf({ commits: "full" });
    fc.assert(
      fc.property(worldSteps, worldSteps, (before, after) => holds(before, after, full)),
      { numRuns: propertyRuns(5) },
    );
  });
});

/**
 * Grows a world, writes a keyframe after each round and command, and continues from each keyframe.
 */
function continuesFromEverywhere(spec: WorldSpec, steps: readonly WorldStep[]): Simulation {
  const sim = Simulation.create(spec);
  const keyframes: ReturnType<KeyframeWriter["write"]>[] = [];
  const writer = new KeyframeWriter();
  const single = steps.flatMap((doing) =>
    doing.do === "run" ? Array<WorldStep>(doing.blocks).fill({ ...doing, blocks: 1 }) : [doing],
  );
  for (const doing of single) {
    perform(sim, doing);
    keyframes.push(writer.write(sim));
  }
  const newest = writeKeyframe(sim);
  for (const { bytes, pack } of keyframes) {
    const restored = readKeyframe(spec, bytes, undefined, undefined, readPack(pack));
    for (const { at, command } of sim.journal.slice(restored.journalStart)) {
      runRounds(restored, at - restored.rounds);
      restored.apply(command);
    }
    runRounds(restored, sim.rounds - restored.rounds);
    expect(difference(restored, sim)).toBeUndefined();
  }
  expect(answers(readKeyframe(spec, newest))).toEqual(answers(sim));
  return sim;
}

const run = (blocks: number): WorldStep => ({ do: "run", blocks });

describe("a keyframe at any moment", () => {
  test("of forks that part, decide on both sides and meet again", () => {
    const sim = continuesFromEverywhere(worldOf({}, 5), [
      run(3),
      { do: "fork" },
      run(4),
      { do: "stake", who: "alice", from: "val-0", to: "val-1", how: "delegate", amount: 5n },
      run(3),
      { do: "command", command: { type: "heal" } },
      run(6),
    ]);
    expect(sim.haltsSince(0).map(({ cause }) => cause.kind)).toContain("wrong_last_block_id");
  });

  test("of an upgrade that sidecars shut down, wait, download and switch for", () => {
    const sim = continuesFromEverywhere(worldOf(), [
      run(1),
      { do: "guard" },
      { do: "plan", name: "v2", ahead: 6 },
      run(60),
    ]);
    expect(sim.nodes().map(({ binary }) => binary)).toContain("v2");
    expect(sim.state().storeNames).toContain("oracle");
  });

  test("of rounds that fail, of faults that end, of a chain that stops and comes back", () => {
    const stop = (who: string): WorldStep => ({ do: "stop", who });
    const fault = (command: Omit<FaultCommand, "type">): WorldStep => {
      return { do: "command", command: { type: "fault", ...command } as FaultCommand };
    };
    const sim = continuesFromEverywhere(worldOf(), [
      run(2),
      fault({ kind: "flaky", node: "val-0", probability: 0.5, for: 9 } as never),
      fault({ kind: "crash", node: "val-1", for: 3 } as never),
      fault({ kind: "lose_signer_state", node: "val-2", for: 4 } as never),
      run(5),
      stop("val-2"),
      stop("val-3"),
      fault({ kind: "twin", node: "val-0", for: 5 } as never),
      run(5),
      { do: "start", who: "val-2" },
      { do: "command", command: { type: "chaos", level: 5, for: 20 } },
      run(20),
    ]);
    expect(sim.height).toBeLessThan(sim.rounds);
  });

  test("of misbehavior: double signs, attacks on light clients, downtime", () => {
    const by = ["val-1", "val-2"];
    const sim = continuesFromEverywhere(worldOf({ commits: "full" }, 5), [
      run(8),
      { do: "command", command: { type: "light_client_attack", kind: "lunatic", by } },
      run(2),
      { do: "double sign", who: "val-0" },
      run(12),
    ]);
    const kinds = Array.from({ length: sim.height }, (_, i) => sim.block(i + 1)?.evidence ?? [])
      .flat()
      .map(({ kind }) => kind);
    expect(new Set(kinds)).toEqual(new Set(["light-client-attack", "duplicate-vote"]));
  });

  test("of a chain that continues an exported one", () => {
    const before = grown(worldOf(), [run(5), { do: "stop", who: "val-1" }, run(4)]);
    const exported = before.exportGenesis();
    const { app, messages, versions, time, height } = exported;
    const spec: WorldSpec = {
      ...before.spec,
      genesisTime: time,
      initialHeight: height + 1,
      start: {
        appState: startBytes(app.modules, messages),
        versions: Object.fromEntries(versions),
        continuation: toBinary(ContinuationSchema, writeContinuation(exported)),
        keySeed: before.spec.seed,
      },
    };
    const sim = continuesFromEverywhere(spec, [run(3), { do: "unjail", who: "val-1" }, run(4)]);
    expect(sim.height).toBeGreaterThan(height + 5);
  });
});

describe("keyframes that share a pack", () => {
  const spec = worldSpec();
  const pay = (sim: Simulation, i: number): void => {
    sim.apply({ type: "tx", signer: "alice", messages: [], memo: `${i}` });
    runRounds(sim, 1);
  };
  const delegate = (sim: Simulation): void => {
    const how = { from: "val-0", to: "val-0", how: "delegate", amount: 5n } as const;
    perform(sim, { do: "stake", who: "alice", ...how });
    runRounds(sim, 1);
  };

  test("are no more than 64 while nothing is written: another pack would hold the same", () => {
    const sim = Simulation.create(spec);
    const writer = new KeyframeWriter();
    // The first blocks write the first validators' records.
    runRounds(sim, 3);
    const quiet = Array.from({ length: 100 }, () => {
      runRounds(sim, 1);
      return writer.write(sim).isNew;
    });
    expect(quiet.flatMap((isNew, i) => (isNew ? [i] : []))).toEqual([0, 64]);
    // It already serves 36 keyframes: after the next change a new pack is written.
    delegate(sim);
    expect([writer.write(sim).isNew, writer.write(sim).isNew]).toEqual([false, true]);
  });

  test("are each small, and no more than sixteen: what is lost with it is bounded", () => {
    const sim = Simulation.create(spec);
    const writer = new KeyframeWriter();
    runRounds(sim, 3);
    const source = Array.from({ length: 40 }, (_, i) => {
      // One delegation per pack, so that it has content.
      if (i % 16 === 1) delegate(sim);
      else runRounds(sim, 1);
      return writer.write(sim);
    });
    const packs = source.flatMap(({ isNew }, i) => (isNew ? [i] : []));
    expect(packs).toEqual([0, 16, 32]);
    const alone = writeKeyframe(sim).length;
    for (const { bytes, pack } of source) {
      expect(bytes.length).toBeLessThan(alone);
      expect(() => readKeyframe(spec, bytes)).toThrow("another pack");
      expect(readKeyframe(spec, bytes, {}, undefined, readPack(pack)).height).toBeGreaterThan(0);
    }
  });

  test("are read with no other, and a pack that is damaged is none", () => {
    const sim = Simulation.create(spec);
    const first = new KeyframeWriter().write(sim);
    pay(sim, 1);
    const second = new KeyframeWriter().write(sim);
    const read = (bytes: Uint8Array, pack: Uint8Array): Simulation =>
      readKeyframe(spec, bytes, {}, undefined, readPack(pack));
    expect(() => read(first.bytes, second.pack)).toThrow(KeyframeError);
    expect(() =>
      readKeyframe(spec, writeKeyframe(sim), {}, undefined, readPack(first.pack)),
    ).toThrow(KeyframeError);
    fc.assert(
      fc.property(fc.nat(first.pack.length - 1), fc.integer({ min: 1, max: 255 }), (at, by) => {
        const damaged = first.pack.slice();
        damaged[at] = (first.pack[at] as number) ^ by;
        expect(() => read(first.bytes, damaged)).toThrow();
      }),
    );
  });

  test("get a new one when much of the trees is another", () => {
    const sim = Simulation.create(spec);
    const writer = new KeyframeWriter();
    const isNew = Array.from({ length: 8 }, () => {
      for (const { name } of sim.nodes())
        perform(sim, {
          do: "stake",
          who: "alice",
          from: name,
          to: name,
          how: "delegate",
          amount: 5n,
        });
      runRounds(sim, 3);
      return writer.write(sim).isNew;
    });
    const packs = isNew.filter(Boolean).length;
    expect(packs).toBeGreaterThan(1);
    expect(packs).toBeLessThan(8);
  });
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
      { numRuns: propertyRuns(500) },
    );
  });

  /** Prepends the matching hash. */
  const sealed = (body: Uint8Array): Uint8Array =>
    concat(bytes.slice(0, HEAD - 4), u32be(crc32c(body)), body);
  const HEAD = 44;

  test("whose hash fits garbage is refused, or gives a world", () => {
    expect(readKeyframe(spec, sealed(bytes.slice(HEAD))).height).toBe(3);
    fc.assert(
      fc.property(fc.nat(bytes.length - HEAD - 1), fc.nat(255), fc.boolean(), (at, by, cut) => {
        const body = bytes.slice(HEAD, cut ? HEAD + at : undefined);
        if (!cut) body[at] = by;
        try {
          expect(readKeyframe(spec, sealed(body)).appHash).toHaveLength(32);
        } catch (error) {
          expect(error).toBeInstanceOf(KeyframeError);
        }
      }),
      { numRuns: propertyRuns(500) },
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2000 }), (body) => {
        expect(() => readKeyframe(spec, sealed(body))).toThrow(KeyframeError);
      }),
    );
  });

  test("counts commands that the journal has let go of", () => {
    const world = Simulation.create(spec);
    for (const node of ["val-0", "val-1", "val-2"]) {
      world.apply({ type: "node", node, action: { kind: "stop" } });
    }
    world.releaseJournal(2);
    world.releaseJournal(1);
    const restored = readKeyframe(spec, writeKeyframe(world));
    expect([world.journal.length, world.journalStart, world.journalLength]).toEqual([1, 2, 3]);
    expect([restored.journal.length, restored.journalStart]).toEqual([0, 3]);
    restored.apply({ type: "heal" });
    expect([restored.journal.length, restored.journalLength]).toEqual([1, 4]);
  });

  test("of another world is refused", () => {
    expect(() => readKeyframe(worldSpec({ seed: 8 }), bytes)).toThrow(/another world/);
    expect(readKeyframe({ ...spec }, bytes).height).toBe(3);
  });
});
