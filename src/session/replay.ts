import { CommandError } from "../engine/framework/errors.ts";
import type { JournalEntry } from "../engine/simulation/command.ts";
import type { Simulation } from "../engine/simulation/simulation.ts";

/** Restores a world by replaying its journal: the same commands at the same rounds. */
export class Replay {
  readonly #sim: Simulation;
  readonly #journal: readonly JournalEntry[];
  readonly #rounds: number;
  #next = 0;

  /** @param sim as it began; @param rounds to run in all */
  constructor(sim: Simulation, journal: readonly JournalEntry[], rounds: number) {
    this.#sim = sim;
    this.#journal = journal;
    this.#rounds = rounds;
  }

  get done(): boolean {
    return this.#next === this.#journal.length && this.#sim.rounds >= this.#rounds;
  }

  /** 0 to 1. */
  get progress(): number {
    return this.#rounds === 0 ? 1 : this.#sim.rounds / this.#rounds;
  }

  /** One command or one round. Throws if the journal does not belong to this world. */
  step(): void {
    const entry = this.#journal[this.#next];
    if (entry === undefined || entry.at > this.#sim.rounds) {
      if (this.#sim.rounds >= this.#rounds)
        throw new Error("the journal goes beyond the world's end");
      this.#sim.advance();
      return;
    }
    if (entry.at < this.#sim.rounds) throw new Error("the journal is not in order");
    this.#next += 1;
    try {
      this.#sim.apply(entry.command);
    } catch (error) {
      // What failed by a bug of the simulator fails again, and leaves the world as it did.
      if (error instanceof CommandError) throw error;
    }
  }
}
