/** Replays a second world through the history of a first one. */

import { hashesOf } from "../engine/network/chain/same-block.ts";
import type { JournalEntry } from "../engine/simulation/command.ts";
import { readKeyframe, standingAs } from "../engine/simulation/keyframe/keyframe.ts";
import { type HistorySource, Simulation } from "../engine/simulation/simulation.ts";
import { type PageKey, type Residence, USUAL_RESIDENCE } from "../engine/simulation/world-pages.ts";
import type { ObserverState } from "../view/lab/frame/observer.ts";
import type { EntryFeed } from "./history/entry-feed.ts";
import type { History } from "./history/history.ts";
import type { CompleteKeyframe } from "./history/keyframes.ts";
import { HistoryEntries } from "./history-entries.ts";
import { observerBytes, observerState } from "./observer-bytes.ts";
import { type LoadPart, OpenHistory } from "./open-history.ts";
import { Replay } from "./replay.ts";
import { RunningWorld } from "./running-world.ts";

const { blocks, results, states } = USUAL_RESIDENCE;
/** A replayed world is only read where it is, and stores little of its own history. */
const CHAIN_ONLY: Residence = {
  blocks: { ...blocks, residentBytes: 4 << 20 },
  results: { ...results, residentBytes: 4 << 20 },
  states: { ...states, count: 8, bytes: 8 << 20 },
};

/** A world that is shown may be continued as a branch. */
const RECORDED: Residence = {
  blocks: { ...blocks, residentBytes: 8 << 20 },
  results: { ...results, residentBytes: 8 << 20 },
  states: { ...states, bytes: 16 << 20 },
};

/** The world whose history is replayed, and where that is stored. */
export interface ReplaySource {
  readonly live: RunningWorld;
  /** Undefined if nothing is stored. */
  readonly history: History | undefined;
  /** Returns true while the caller waits for the loaded history. */
  wanted(): boolean;
  /** Called with the progress of a replay, 0 to 1. */
  progress(done: number): void;
}

/** A second world that is replayed through the history of a first one. */
export class ReplayCursor {
  readonly of: RunningWorld;
  readonly sim: Simulation;
  /** The world with its recordings; undefined if only the chain is read. */
  readonly world: RunningWorld | undefined;
  readonly #entries: HistoryEntries;
  readonly #replay: Replay;

  constructor(of: RunningWorld, made: Made, entries: HistoryEntries) {
    this.of = of;
    this.sim = made.sim;
    this.world = made.world;
    this.#entries = entries;
    this.#replay = new Replay(made.sim, entries, () => of.sim.rounds);
    made.sim.network.hashLookup = hashesOf(of.sim.network);
  }

  /** Resolves when the next entry is known. */
  ready(): Promise<void> {
    return this.#entries.ready();
  }

  /** True if the next entry is a command, not a round. */
  get isCommandDue(): boolean {
    return this.#entries.next?.at === this.sim.rounds;
  }

  /** True while the next entry is not known yet. */
  get waiting(): boolean {
    return this.#entries.waiting;
  }

  /**
   * Runs one command or one round: usually at once, otherwise when it is known and the history that
   * it reads is open.
   */
  step(load: LoadPart): Promise<void> | undefined {
    if (this.waiting) return this.ready().then(() => this.step(load));
    const history = new OpenHistory(this.sim, load);
    const step = (): void => {
      history.with(() => this.#replay.step());
      this.world?.observer.observe();
    };
    const opening = history.openAll(this.#replay.reads());
    if (opening !== undefined) return opening.then(step);
    step();
    return undefined;
  }

  /** Records the current moment. */
  mark(): Mark {
    const { sim, world, of } = this;
    const stand = standingAs(sim);
    const observer = world && observerBytes(world.observer);
    this.#entries.mark();
    return {
      back: () => {
        this.#entries.rewind();
        return new ReplayCursor(of, madeOf(of, stand, observer), this.#entries);
      },
      forget: () => this.#entries.forget(),
    };
  }
}

/** A moment to which a world can be rewound. */
export interface Mark {
  /** Creates a world at that moment, in place of the one that went further. */
  back(): ReplayCursor;
  /** Releases the mark, after which it can no longer be used. */
  forget(): void;
}

/** Creates a world at one moment. */
type CreateWorld = (past: HistorySource, residence: Residence) => Simulation;

/** A world in the history of another. */
interface Made {
  readonly sim: Simulation;
  readonly world: RunningWorld | undefined;
}

/** @param observer absent if only the chain is read */
function madeOf(of: RunningWorld, stand: CreateWorld, observer: Uint8Array | undefined): Made {
  if (observer === undefined) return { sim: stand(of.historySource, CHAIN_ONLY), world: undefined };
  const past = historySourceOf(of);
  const sim = stand(past, RECORDED);
  return { sim, world: observed(of, sim, past, observerState(observer)) };
}

/**
 * A replayed world reads its history from the source of the original, until it is played itself.
 */
function historySourceOf(of: RunningWorld): HistorySource {
  return {
    journal: (from) => of.historySource.journal?.(from) ?? of.sim.entriesInMemory(from),
    below: (height) => of.historySource.below?.(height),
  };
}

const observed = (
  of: RunningWorld,
  sim: Simulation,
  past: HistorySource,
  state?: ObserverState,
): RunningWorld => new RunningWorld(of.origin, new Map(), { sim, historySource: past, state, of });

/** Creates an independent world in the state of another. */
export function copyOf(of: RunningWorld): RunningWorld {
  return madeOf(of, standingAs(of.sim), observerBytes(of.observer)).world as RunningWorld;
}

/** Rounds that take as long as reading a keyframe. */
const ROUNDS_OF_A_KEYFRAME = 128;

/** True if no keyframe leads to a round in less time than a world below it. */
export const isNearest = (
  { sim }: ReplayCursor,
  { history }: Pick<ReplaySource, "history">,
  rounds: number,
): boolean => sim.rounds + ROUNDS_OF_A_KEYFRAME >= (history?.keyframeBelow(rounds) ?? 0);

/** Start of a replay; `recorded` is true if an observer records it. */
export interface ReplayStart {
  /** Maximum rounds of the world at the start. */
  readonly rounds: number;
  readonly recorded: boolean;
  /** True if the replay can start from a keyframe's world. */
  usable(sim: Simulation): boolean;
}

/** Finds the nearest world up to a round: of a keyframe in memory or in storage, or the genesis. */
export async function startReplay(
  { live, history }: ReplaySource,
  build: string,
  { rounds, recorded, usable }: ReplayStart,
): Promise<ReplayCursor> {
  const of = live.of ?? live;
  const { spec } = of.sim;
  const make = ({ simulation, observer, pack }: CompleteKeyframe): Made | undefined => {
    const stand: CreateWorld = (past, residence) =>
      readKeyframe(spec, simulation, past, residence, pack);
    const made = madeOf(of, stand, recorded ? observer : undefined);
    return usable(made.sim) ? made : undefined;
  };
  const past = historySourceOf(of);
  const entriesFrom = (from: number): Iterable<JournalEntry> => past.journal?.(from) ?? [];
  const cursor = (made: Made, feed?: EntryFeed): ReplayCursor =>
    new ReplayCursor(
      of,
      made,
      new HistoryEntries(made.sim.journalLength, entriesFrom, length, feed),
    );
  const length = (): number => of.sim.journalLength;
  const inMemory = (): ReplayCursor | undefined => {
    const made = history?.recent.below(rounds, make);
    return made && cursor(made);
  };
  const near = history?.recent.newest(rounds) ?? 0;
  const recent = near > 0 && near >= (history?.keyframeBelow(rounds) ?? 0) && inMemory();
  if (recent) return recent;
  const at = { rounds, entries: Number.MAX_SAFE_INTEGER };
  const start = await history?.seek(at, build, make).catch(() => undefined);
  if (history && start?.at) await loadBlocks(of.sim, history, build, start.at.made.sim, rounds);
  if (start?.at && start.at.made.sim.rounds >= near) return cursor(start.at.made, start.feed);
  const other = inMemory();
  if (other) return other;
  if (start?.at) return cursor(start.at.made, start.feed);
  const sim = Simulation.create(spec, past, recorded ? RECORDED : CHAIN_ONLY);
  return cursor({ sim, world: recorded ? observed(of, sim, past) : undefined }, start?.feed);
}

/**
 * Maximum pages that a replay covers, as long as keyframes are no more rounds apart than a page has
 * blocks.
 */
const PASSED = 2;

/** Loads pages from storage; those that cannot be read are recomputed. */
export async function loadPages(
  { pages }: Simulation,
  history: History | undefined,
  build: string,
  wanted: readonly PageKey[],
): Promise<void> {
  const load = (page: PageKey, bytes: Uint8Array): void => pages.load(page, bytes);
  await history?.pages.read(wanted, build, load).catch(() => {});
}

/** Loads the blocks that a replay would make again: it reuses the loaded ones. */
async function loadBlocks(
  sim: Simulation,
  history: History,
  build: string,
  { height, rounds: from }: Simulation,
  rounds: number,
): Promise<void> {
  const passed = sim.missingPages({ kind: "blocks", from: height, to: height + rounds - from });
  if (passed.length > 0) await loadPages(sim, history, build, passed.slice(0, PASSED));
}
