import { CommandError } from "../engine/framework/errors.ts";
import type { JournalEntry } from "../engine/simulation/command.ts";
import type { HistoryRanges } from "../engine/simulation/history-range.ts";
import type { Simulation } from "../engine/simulation/simulation.ts";

/** Entries of a journal in order, some of which may still be loading. */
export interface EntrySource {
  /** The next entry; undefined if there is none, or none yet. */
  readonly next: JournalEntry | undefined;
  /** True while the next entry, if there is one, is still being read. */
  readonly waiting: boolean;
  /** Called when `waiting` is no longer true. */
  onReady: () => void;
  advance(): void;
}

/** Restores a world from its journal: the same commands at the same rounds. */
export class Replay {
  readonly #sim: Simulation;
  readonly #source: EntrySource;
  readonly #rounds: () => number;
  readonly #from: number;

  /**
   * @param sim in its state before the first entry of the source, or earlier
   * @param rounds returns the total rounds to run; called once all entries were read
   */
  constructor(sim: Simulation, source: EntrySource, rounds: () => number) {
    this.#sim = sim;
    this.#source = source;
    this.#rounds = rounds;
    this.#from = sim.rounds;
  }

  /** True while the replay waits for more of the journal. */
  get waiting(): boolean {
    return this.#source.waiting;
  }

  get done(): boolean {
    const { next, waiting } = this.#source;
    return next === undefined && !waiting && this.#sim.rounds >= this.#rounds();
  }

  /** Progress, 0 to 1. */
  get progress(): number {
    const all = this.#rounds() - this.#from;
    return all <= 0 ? 1 : Math.min((this.#sim.rounds - this.#from) / all, 1);
  }

  /** Calls a function when it no longer waits. */
  onReady(ready: () => void): void {
    this.#source.onReady = ready;
  }

  /** Ranges that `step` reads. */
  reads(): HistoryRanges {
    const { next } = this.#source;
    return this.#sim.readBy(next?.at === this.#sim.rounds ? next.command : undefined);
  }

  /**
   * Replays one command or one round. A step that failed by a bug of the simulator fails again, and
   * leaves the world in the same state.
   */
  step(): void {
    const entry = this.#source.next;
    if (entry === undefined || entry.at > this.#sim.rounds) {
      orBug(() => this.#sim.advance());
      return;
    }
    if (entry.at < this.#sim.rounds) throw new Error("the journal is not in order");
    orBug(() => this.#sim.apply(entry.command));
    this.#source.advance();
  }
}

/**
 * The last round in which a world may have reached a height: one round per block, plus all rounds
 * without a block.
 */
export const roundsTo = (
  { rounds, height: top, initialHeight }: Simulation,
  height: number,
): number =>
  Math.max(height - initialHeight + 1, 0) + Math.max(rounds - (top - initialHeight + 1), 0);

/** Repeats an action of the original run. Throws if it is refused now, which it was not then. */
function orBug(act: () => unknown): void {
  try {
    act();
  } catch (error) {
    if (error instanceof CommandError) throw error;
  }
}
