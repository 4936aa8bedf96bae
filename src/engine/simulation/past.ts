import { CommandError } from "../framework/errors.ts";
import type { JournalEntry } from "./command.ts";
import type { Simulation } from "./simulation.ts";

/**
 * Where a world finds its past again, of which it lets parts go: its commands, and a world that stands
 * nearer than its genesis. Only how long an answer takes depends on it.
 */
export interface PastSource {
  /** The commands from a number on; without it those that the journal still has. */
  journal?(from: number): Iterable<JournalEntry>;
  /** A world of the same spec and journal at or below a height; without it the genesis. */
  below?(height: number): Simulation;
}

/** A second world of the same spec and journal, which follows the first from behind. */
export class PastWorld {
  readonly sim: Simulation;
  readonly #entries: Iterator<JournalEntry>;
  #next: JournalEntry | undefined;

  /** @param entries commands from the one on that this world would be given next */
  constructor(sim: Simulation, entries: Iterable<JournalEntry>) {
    this.sim = sim;
    this.#entries = entries[Symbol.iterator]();
    this.#next = this.#entries.next().value;
  }

  /** One command or one round, as they were. */
  step(): void {
    const entry = this.#next;
    if (entry === undefined || entry.at > this.sim.rounds) {
      this.sim.advance();
      return;
    }
    this.#next = this.#entries.next().value;
    try {
      this.sim.apply(entry.command);
    } catch (error) {
      // What failed by a bug of the simulator fails again, and leaves the world as it did.
      if (error instanceof CommandError) throw error;
    }
  }
}
