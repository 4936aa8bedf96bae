/** Loads parts of a world's history that are not in memory, without blocking other work. */
import { CommandError } from "../engine/framework/errors.ts";
import type { Simulation } from "../engine/simulation/simulation.ts";
import type { FoundBlock, HistoryPart } from "../engine/simulation/world-history.ts";
import type { Host } from "./history/storage.ts";
import { roundsTo } from "./replay.ts";
import {
  isNearest,
  loadPages,
  type ReplayCursor,
  type ReplaySource,
  startReplay,
} from "./replay-cursor.ts";
import type { RunningWorld } from "./running-world.ts";

/** Time slice per iteration, in ms. */
const SLICE_MS = 8;
/** Rounds between two checks of the clock. */
const ROUNDS_AT_ONCE = 32;
/** Pages that are read at once while a block is searched by its hash. */
const SEARCHED_AT_ONCE = 8;

/** Loads one part after the other; the world replayed for one part continues to the next. */
export class HistoryLoader {
  readonly #host: Host;
  /** The last replayed world in the history of a played one. */
  readonly #cursors = new WeakMap<RunningWorld, ReplayCursor>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(host: Host) {
    this.#host = host;
  }

  /** Rejects with an Error that says why if it cannot be loaded. */
  load(source: ReplaySource, part: HistoryPart): Promise<object> {
    const loading = this.#last.then(() => this.#load(source, source.live.sim, part));
    this.#last = loading.catch(() => {});
    return loading;
  }

  async #load(source: ReplaySource, sim: Simulation, part: HistoryPart): Promise<object> {
    if (part.hash !== undefined) return this.#search(source, sim, part.hash);
    if (part.page !== undefined && part.resident() === undefined) {
      await loadPages(sim, source.history, this.#host.build, [part.page]);
    }
    return (part.page && part.resident()) ?? this.#replayed(source, sim, part);
  }

  /** Searches the stored pages, which do not stay in memory, for the height of a block. */
  async #search({ history }: ReplaySource, sim: Simulation, hash: Uint8Array): Promise<FoundBlock> {
    const missing = history === undefined ? [] : sim.pages.missingBlocks();
    for (let i = 0; i < missing.length; i += SEARCHED_AT_ONCE) {
      let height: number | undefined;
      const some = missing.slice(i, i + SEARCHED_AT_ONCE);
      await history?.pages.read(some, this.#host.build, (_, bytes) => {
        height ??= sim.pages.heightIn(bytes, hash);
      });
      if (height !== undefined) return { height };
    }
    return { height: undefined };
  }

  /** Replays a second world to the part, in slices. */
  async #replayed(source: ReplaySource, sim: Simulation, part: HistoryPart): Promise<object> {
    const { live, wanted, progress } = source;
    const rounds = roundsTo(sim, part.height);
    const usable = (made: Simulation): boolean => isBelow(made, part);
    // A world that is led to one part is not led away to another meanwhile.
    const before = sim === live.sim ? this.#cursors.get(live.of ?? live) : undefined;
    const isNear = before && usable(before.sim) && isNearest(before, source, rounds);
    const begin = { rounds, recorded: false, usable };
    const cursor = isNear ? before : await startReplay(source, this.#host.build, begin);
    if (sim === live.sim) this.#cursors.set(live.of ?? live, cursor);
    const from = cursor.sim.rounds;
    const all = Math.max(rounds - from, 1);
    let end = this.#host.clock() + SLICE_MS;
    for (let i = 1; ; i++) {
      const taken = part.read(cursor.sim);
      if (taken === "gone") throw new CommandError(`the past begins above height ${part.height}`);
      if (taken !== "later") return taken;
      if (cursor.sim.rounds > sim.rounds) {
        throw new CommandError(`the past has no height ${part.height}`);
      }
      const going = this.advance(source, cursor);
      if (going !== undefined) await going;
      if (i % ROUNDS_AT_ONCE > 0 || this.#host.clock() < end) continue;
      progress(Math.min((cursor.sim.rounds - from) / all, 1));
      await this.#host.delay(0);
      if (!wanted()) throw new CommandError("it is not waited for any more");
      end = this.#host.clock() + SLICE_MS;
    }
  }

  /** Runs one command or one round: usually at once, otherwise after loading even older history. */
  advance(source: ReplaySource, cursor: ReplayCursor): Promise<void> | undefined {
    return cursor.step((part) => this.#load(source, cursor.sim, part));
  }
}

/** True if a world will still reach the part, or contains it. */
const isBelow = (sim: Simulation, part: HistoryPart): boolean =>
  part.page === undefined ? sim.height <= part.height : part.read(sim) !== "gone";
