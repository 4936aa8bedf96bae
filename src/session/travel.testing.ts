import type { JournalEntry } from "../engine/simulation/command.ts";
import { perform, type WorldStep, worldOf } from "../engine/simulation/keyframe/worlds.testing.ts";
import type { Simulation } from "../engine/simulation/simulation.ts";
import type { History } from "./history/history.ts";
import { observerBytes } from "./observer-bytes.ts";
import { type EntrySource, Replay } from "./replay.ts";
import { type Origin, RunningWorld } from "./running-world.ts";
import { MemoryStorage, testHost } from "./testing.ts";
import { type Played, Traveller } from "./travel.ts";
import { addEntries, beginHistory, writeWorld } from "./world-writer.ts";

export const originOf = (spec = worldOf()): Origin => ({
  scenario: { name: "", title: "", about: "", steps: [], spec },
  file: "",
  text: "",
});

/** Observes a world after every round and every command, as a player does. */
function observed(world: RunningWorld): RunningWorld {
  const { sim, observer } = world;
  const apply = sim.apply.bind(sim);
  const advance = sim.advance.bind(sim);
  const after = <T>(result: T): T => {
    observer.observe();
    return result;
  };
  sim.apply = (command) => after(apply(command));
  sim.advance = () => after(advance());
  return world;
}

/** A complete frame as text. */
const frameOf = ({ frames }: RunningWorld): string =>
  JSON.stringify(frames.build({ samples: true }));

/** A source whose entries are all loaded. */
export function entriesIn(journal: readonly JournalEntry[]): EntrySource {
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

/** The frame at the end of each height, of a world that is played from its genesis. */
export function framesOf(
  origin: Origin,
  journal: readonly JournalEntry[],
  rounds: number,
): Map<number, string> {
  const world = new RunningWorld(origin);
  const replay = new Replay(world.sim, entriesIn(journal), () => rounds);
  const frames = new Map<number, string>();
  const note = (): void => {
    frames.set(world.sim.height, frameOf(world));
  };
  note();
  while (!replay.done) {
    const { height } = world.sim;
    replay.step();
    world.observer.observe();
    // If one round committed many blocks, the ends of all but the last are before it.
    for (let h = height + 1; h < world.sim.height; h++) frames.set(h, frames.get(height) ?? "");
    note();
  }
  return frames;
}

/** A stored world, with a traveller in its history. */
export class KeptWorld {
  readonly live: RunningWorld;
  readonly history: History;
  readonly traveller: Traveller;
  readonly host = testHost();

  constructor(origin = originOf(), storage = new MemoryStorage()) {
    this.live = observed(new RunningWorld(origin));
    this.history = beginHistory(this.live, "mine", storage, this.host);
    this.live.historySource.journal = (from) => {
      addEntries(this);
      return this.history.entriesFrom(from);
    };
    const played = (): Played => ({ live: this.live, history: this.history, isThere: true });
    this.traveller = new Traveller(this.host, played);
  }

  perform(steps: readonly WorldStep[]): void {
    for (const doing of steps) perform(this.live.sim, doing);
  }

  /** Stores all of it, with a keyframe of this moment if requested. */
  async keep(keyframe = false): Promise<void> {
    const { sim, observer } = this.live;
    addEntries(this);
    if (keyframe) {
      this.history.plan(sim, this.host.build, observerBytes(observer));
    }
    const play = { playing: false, speed: 1, blocks: 0, held: false, results: [], steps: [] };
    await writeWorld(this, { ...play, rounds: sim.rounds }, this.host, () => {});
  }

  frameAt(height: number): Promise<string> {
    return this.traveller.query(height, async (world) => frameOf(world));
  }
}

/** The last heights of a world, each once. */
export const heightsOf = ({ height, initialHeight }: Simulation): number[] =>
  Array.from({ length: height - initialHeight + 2 }, (_, i) => initialHeight - 1 + i);
