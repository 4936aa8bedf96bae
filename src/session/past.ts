/** Loads parts of a world's history that are not in memory, without blocking other work. */
import { CommandError } from "../engine/framework/errors.ts";
import type { Simulation } from "../engine/simulation/simulation.ts";
import type { FoundBlock, HistoryPart } from "../engine/simulation/world-past.ts";
import type { Host } from "./history/storage.ts";
import { isNearest, type Kept, type Passing, startPassing } from "./passing.ts";
import { roundsTo } from "./replay.ts";

/** Time slice per iteration, in ms. */
const SLICE_MS = 8;
/** Rounds between two checks of the clock. */
const ROUNDS_AT_ONCE = 32;
/** Pages that are read at once while a block is searched by its hash. */
const SEARCHED_AT_ONCE = 8;

/** Loads one part after the other; the world replayed for one part continues to the next. */
export class PastReader {
  readonly #host: Host;
  #passing: Passing | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  constructor(host: Host) {
    this.#host = host;
  }

  /** Rejects with an Error that says why if it cannot be loaded. */
  load(kept: Kept, part: HistoryPart): Promise<object> {
    this.#waiting += 1;
    const loading = this.#last.then(() => this.#load(kept, kept.live.sim, part));
    this.#last = loading
      .catch(() => {})
      .then(() => {
        this.#waiting -= 1;
      });
    return loading;
  }

  /** Releases the replayed world, unless more loads are pending. */
  rest(): void {
    if (this.#waiting === 0) this.#passing = undefined;
  }

  async #load(kept: Kept, sim: Simulation, part: HistoryPart): Promise<object> {
    if (part.hash !== undefined) return this.#search(kept, sim, part.hash);
    const stored = part.page && (await this.#stored(kept, sim, part.page));
    return stored ?? this.#replayed(kept, sim, part);
  }

  /** Reads a page from the storage. */
  async #stored({ history }: Kept, sim: Simulation, page: NonNullable<HistoryPart["page"]>) {
    if (sim.pages.resident(page) === undefined) {
      // Pages that cannot be read are recomputed.
      await history?.pages.load(sim.pages, [page], this.#host.build).catch(() => {});
    }
    return sim.pages.resident(page);
  }

  /** Searches the stored pages, which do not stay in memory, for the height of a block. */
  async #search({ history }: Kept, sim: Simulation, hash: Uint8Array): Promise<FoundBlock> {
    const missing = history === undefined ? [] : sim.pages.missingBlocks();
    for (let i = 0; i < missing.length; i += SEARCHED_AT_ONCE) {
      let height: number | undefined;
      const look = {
        sealed: sim.pages.sealed,
        bytes: () => undefined,
        load: (_: unknown, bytes: Uint8Array) => {
          height ??= sim.pages.heightIn(bytes, hash);
        },
      };
      const some = missing.slice(i, i + SEARCHED_AT_ONCE);
      await history?.pages.load(look, some, this.#host.build);
      if (height !== undefined) return { height };
    }
    return { height: undefined };
  }

  /** Replays a second world to the part, in slices. */
  async #replayed(kept: Kept, sim: Simulation, part: HistoryPart): Promise<object> {
    const { live, history, wanted, progress } = kept;
    const before = sim === live.sim ? this.#passing : undefined;
    const near =
      before?.of === (live.of ?? live) &&
      isBelow(before.sim, part) &&
      isNearest(before, history, roundsTo(sim, part.height));
    const passing = near ? before : await this.#start(kept, sim, part);
    if (sim === live.sim) this.#passing = passing;
    const from = passing.sim.rounds;
    const all = Math.max(roundsTo(sim, part.height) - from, 1);
    let end = this.#host.clock() + SLICE_MS;
    for (let i = 1; ; i++) {
      const taken = part.take(passing.sim);
      if (taken === "gone") throw new CommandError(`the past begins above height ${part.height}`);
      if (taken !== "later") return taken;
      if (passing.sim.rounds > sim.rounds) {
        throw new CommandError(`the past has no height ${part.height}`);
      }
      const going = this.advance(kept, passing);
      if (going !== undefined) await going;
      if (i % ROUNDS_AT_ONCE > 0 || this.#host.clock() < end) continue;
      progress(Math.min((passing.sim.rounds - from) / all, 1));
      await this.#host.delay(0);
      if (!wanted()) throw new CommandError("it is not waited for any more");
      end = this.#host.clock() + SLICE_MS;
    }
  }

  /** Runs one command or one round: usually at once, otherwise after loading even older history. */
  advance(kept: Kept, passing: Passing): Promise<void> | undefined {
    return passing.step((part) => this.#load(kept, passing.sim, part));
  }

  #start(kept: Kept, sim: Simulation, part: HistoryPart): Promise<Passing> {
    const rounds = roundsTo(sim, part.height);
    const usable = (made: Simulation): boolean => isBelow(made, part);
    return startPassing(kept, this.#host.build, { rounds, recorded: false, usable });
  }
}

/** True if a world will still reach the part, or contains it. */
const isBelow = (sim: Simulation, part: HistoryPart): boolean =>
  part.page === undefined ? sim.height <= part.height : part.take(sim) !== "gone";
