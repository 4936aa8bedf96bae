import { describe, expect, test } from "vitest";
import type { JournalEntry } from "../engine/simulation/command.ts";
import { Simulation } from "../engine/simulation/simulation.ts";
import { runRounds, worldSpec } from "../engine/simulation/testing.ts";
import { type EntrySource, Replay } from "./replay.ts";

/** Eight rounds, with commands before the first, twice in the middle, and after the last. */
function played(): Simulation {
  const sim = Simulation.create(worldSpec());
  const act = (kind: "stop" | "start") =>
    sim.apply({ type: "node", node: "val-3", action: { kind } });
  act("stop");
  runRounds(sim, 4);
  act("start");
  act("stop");
  runRounds(sim, 4);
  act("start");
  return sim;
}

/** A source whose entries are all loaded. */
function sourceOf(journal: readonly JournalEntry[]): EntrySource {
  let taken = 0;
  return {
    get next() {
      return journal[taken];
    },
    waiting: false,
    onReady() {},
    advance() {
      taken += 1;
    },
  };
}

function replayed({ spec, journal, rounds }: Simulation) {
  const sim = Simulation.create(spec);
  return { sim, replay: new Replay(sim, sourceOf(journal), () => rounds) };
}

const drain = (replay: Replay): number => {
  let steps = 0;
  for (; !replay.done; steps++) replay.step();
  return steps;
};

describe("a replay", () => {
  test("comes to the same state, one command or round a step", () => {
    const old = played();
    const { sim, replay } = replayed(old);
    expect(drain(replay)).toBe(8 + 4);
    expect([sim.rounds, sim.height, sim.appHash]).toEqual([old.rounds, old.height, old.appHash]);
    expect(sim.journal).toEqual(old.journal);
    expect(sim.node("val-3")?.process).toBe("running");
  });

  test("comes to the same state after a command that failed by a bug of the simulator", () => {
    const old = Simulation.create(worldSpec());
    const get = () => {
      throw new TypeError("a bug");
    };
    const messages = Object.defineProperty([], 0, { get });
    const broken = { type: "tx" as const, signer: "val-0", messages };
    const tx = { type: "tx" as const, signer: "val-0", messages: [] };
    expect(() => old.apply(broken)).toThrow("a bug");
    old.apply(tx);
    runRounds(old, 2);
    const { sim, replay } = replayed(old);
    drain(replay);
    expect(sim.journal).toEqual(old.journal);
    expect(sim.apply(tx)).toEqual(old.apply(tx));
  });

  test("gives each command in the round that it was given in", () => {
    const { sim, replay } = replayed(played());
    replay.step();
    expect([sim.rounds, sim.node("val-3")?.process]).toEqual([0, "stopped"]);
    for (let i = 0; i < 5; i++) replay.step();
    expect([sim.rounds, sim.node("val-3")?.process]).toEqual([4, "running"]);
  });

  test("says how far it is, and is done only after the last command", () => {
    const { replay } = replayed(played());
    expect([replay.progress, replay.done]).toEqual([0, false]);
    for (let i = 0; i < 11; i++) replay.step();
    expect([replay.progress, replay.done]).toEqual([1, false]);
    replay.step();
    expect(replay.done).toBe(true);
  });

  test("of no round is done at once", () => {
    const { replay } = replayed(Simulation.create(worldSpec()));
    expect([replay.progress, replay.done]).toEqual([1, true]);
  });

  test("goes as far as its last entry, and refuses a journal that is not in order", () => {
    const entry = (at: number): JournalEntry => ({ at, command: { type: "heal" } });
    const sim = Simulation.create(worldSpec());
    drain(new Replay(sim, sourceOf([entry(3)]), () => 2));
    expect([sim.rounds, sim.journal]).toEqual([3, [entry(3)]]);
    const journal = sourceOf([entry(2), entry(1)]);
    const mixed = new Replay(Simulation.create(worldSpec()), journal, () => 5);
    expect(() => drain(mixed)).toThrow("the journal is not in order");
  });

  test("refuses an entry that makes no sense", () => {
    const source = sourceOf([{ at: 0, command: { type: "double_sign", node: "nobody" } }]);
    const { sim } = replayed(Simulation.create(worldSpec()));
    expect(() => new Replay(sim, source, () => 5).step()).toThrow("nobody");
  });
});
