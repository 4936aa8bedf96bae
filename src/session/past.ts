/** Brings parts of a world's past that are not in memory, without holding up what else is to be done. */
import { CommandError } from "../engine/framework/errors.ts";
import type { JournalEntry } from "../engine/simulation/command.ts";
import { readKeyframe } from "../engine/simulation/keyframe/keyframe.ts";
import { PastNeeded } from "../engine/simulation/past-needed.ts";
import { Simulation } from "../engine/simulation/simulation.ts";
import { type Residence, USUAL_RESIDENCE } from "../engine/simulation/world-pages.ts";
import type { FoundBlock, PastNeed } from "../engine/simulation/world-past.ts";
import type { EntryFeed } from "./history/entry-feed.ts";
import type { History } from "./history/history.ts";
import type { Host } from "./history/storage.ts";
import { type EntrySource, Replay, roundsTo } from "./replay.ts";
import type { RunningWorld } from "./running-world.ts";

/** Works for so long before something else has its turn. */
const SLICE_MS = 8;
/** Rounds after which the clock is looked at. */
const ROUNDS_AT_ONCE = 32;
/** Pages that are read at once while a block is searched by its hash. */
const SEARCHED_AT_ONCE = 8;

const { blocks, results, states } = USUAL_RESIDENCE;
/** A world that is led through the past is read where it stands, and keeps little of what lies behind it. */
const PASSING: Residence = {
  blocks: { ...blocks, residentBytes: 4 << 20 },
  results: { ...results, residentBytes: 4 << 20 },
  states: { ...states, count: 8, bytes: 8 << 20 },
};

/** The world whose past it is, and where that is kept. */
export interface Kept {
  readonly live: RunningWorld;
  /** Undefined where nothing is kept. */
  readonly history: History | undefined;
  /** Whether what is brought is still waited for. */
  wanted(): boolean;
  /** Called with how much of a replay is done, 0 to 1. */
  progress(done: number): void;
}

/** A second world on its way through the past of a first one. */
interface Passing {
  readonly of: RunningWorld;
  readonly sim: Simulation;
  readonly entries: PastEntries;
  readonly replay: Replay;
}

/** Brings what is needed one after the other; the world that met one need continues to the next. */
export class PastReader {
  readonly #host: Host;
  #passing: Passing | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  constructor(host: Host) {
    this.#host = host;
  }

  /** Rejects with an Error that says why if it does not come back. */
  bring(kept: Kept, need: PastNeed): Promise<object> {
    this.#waiting += 1;
    const brought = this.#last.then(() => this.#bring(kept, kept.live.sim, need));
    this.#last = brought
      .catch(() => {})
      .then(() => {
        this.#waiting -= 1;
      });
    return brought;
  }

  /** Lets go of the world that was led to what was needed, unless more is waited for. */
  rest(): void {
    if (this.#waiting === 0) this.#passing = undefined;
  }

  async #bring(kept: Kept, sim: Simulation, need: PastNeed): Promise<object> {
    if (need.hash !== undefined) return this.#search(kept, sim, need.hash);
    const stored = need.page && (await this.#stored(kept, sim, need.page));
    return stored ?? this.#replayed(kept, sim, need);
  }

  /** A page from where it is kept. */
  async #stored({ history }: Kept, sim: Simulation, page: NonNullable<PastNeed["page"]>) {
    if (sim.pages.resident(page) === undefined) {
      // What cannot be read is made again.
      await history?.pages.load(sim.pages, [page], this.#host.build).catch(() => {});
    }
    return sim.pages.resident(page);
  }

  /** The height of a block on the pages that are kept, which do not stay in memory. */
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

  /** Leads a second world there, in slices. */
  async #replayed(kept: Kept, sim: Simulation, need: PastNeed): Promise<object> {
    const { live, wanted, progress } = kept;
    const before = this.#passing;
    const near = sim === live.sim && before?.of === live && isBelow(before.sim, need);
    const passing = near && before ? before : await this.#start(kept, sim, need);
    if (sim === live.sim) this.#passing = passing;
    const from = passing.sim.rounds;
    const all = Math.max(roundsTo(sim, need.height) - from, 1);
    let end = this.#host.clock() + SLICE_MS;
    for (let i = 1; ; i++) {
      const taken = need.take(passing.sim);
      if (taken === "gone") throw new CommandError(`the past begins above height ${need.height}`);
      if (taken !== "later") return taken;
      if (passing.sim.rounds > sim.rounds) {
        throw new CommandError(`the past has no height ${need.height}`);
      }
      await this.#step(kept, passing);
      if (i % ROUNDS_AT_ONCE > 0 || this.#host.clock() < end) continue;
      progress(Math.min((passing.sim.rounds - from) / all, 1));
      await this.#host.delay(0);
      if (!wanted()) throw new CommandError("it is not waited for any more");
      end = this.#host.clock() + SLICE_MS;
    }
  }

  /** One command or one round, which may need what is older still. */
  async #step(kept: Kept, { sim, entries, replay }: Passing): Promise<void> {
    const brought = new Map<string, object>();
    for (;;) {
      await entries.ready();
      try {
        sim.ask(() => replay.step(), brought);
        return;
      } catch (error) {
        if (!(error instanceof PastNeeded)) throw error;
        brought.set(error.need.key, await this.#bring(kept, sim, error.need));
      }
    }
  }

  /** The nearest world below a height: of a keyframe in memory or in storage, or the beginning. */
  async #start({ live, history }: Kept, sim: Simulation, need: PastNeed): Promise<Passing> {
    const { past } = live;
    const { spec } = sim;
    const make = (simulation: Uint8Array): Simulation | undefined => {
      const made = readKeyframe(spec, simulation, past, PASSING);
      return isBelow(made, need) ? made : undefined;
    };
    const at = { rounds: roundsTo(sim, need.height), entries: Number.MAX_SAFE_INTEGER };
    const entriesFrom = (from: number): Iterable<JournalEntry> =>
      past.journal?.(from) ?? live.sim.journal.slice(from - live.sim.journalStart);
    const passing = (made: Simulation, feed?: EntryFeed): Passing => {
      const entries = new PastEntries(made.journalLength, entriesFrom, feed);
      return { of: live, sim: made, entries, replay: new Replay(made, entries, () => sim.rounds) };
    };
    const recent = history?.recent.below(at.rounds, make);
    const start = await history
      ?.seek(at, this.#host.build, (one) => make(one.simulation))
      .catch(() => undefined);
    const stored = start?.at?.made;
    if (recent && recent.rounds >= (stored?.rounds ?? 0)) return passing(recent);
    if (start && stored) return passing(stored, start.feed);
    return passing(Simulation.create(spec, past, PASSING), start?.feed);
  }
}

/** Whether a world comes to something, or is there. */
const isBelow = (sim: Simulation, need: PastNeed): boolean =>
  need.page === undefined ? sim.height <= need.height : need.take(sim) !== "gone";

/** A journal from one entry on: as it is stored, and what is in memory beyond that. */
class PastEntries implements EntrySource {
  onReady: () => void = () => {};
  readonly #feed: EntryFeed | undefined;
  readonly #entriesFrom: (from: number) => Iterable<JournalEntry>;
  #taken: number;
  #rest: Iterator<JournalEntry> | undefined;
  #next: JournalEntry | undefined;

  constructor(
    first: number,
    entriesFrom: (from: number) => Iterable<JournalEntry>,
    feed: EntryFeed | undefined,
  ) {
    this.#taken = first;
    this.#entriesFrom = entriesFrom;
    this.#feed = feed;
  }

  get waiting(): boolean {
    return this.#feed?.waiting ?? false;
  }

  get next(): JournalEntry | undefined {
    const stored = this.#feed?.next;
    if (stored !== undefined || this.waiting) return stored;
    if (this.#rest === undefined) {
      this.#rest = this.#entriesFrom(this.#taken)[Symbol.iterator]();
      this.#next = this.#rest.next().value;
    }
    return this.#next;
  }

  take(): void {
    this.#taken += 1;
    if (this.#feed?.next !== undefined) this.#feed.take();
    else this.#next = this.#rest?.next().value;
  }

  async ready(): Promise<void> {
    if (this.waiting) await this.#feed?.ready();
  }
}
