/** Converts the rounds between two commands of a recorded world to steps. */
import type { Simulation } from "../engine/simulation/simulation.ts";
import type { SourceStep } from "./format-command.ts";
import { MAX_ROUNDS } from "./rounds.ts";

/** Rounds without a block after which no step waits for a block. */
export const WAITS = MAX_ROUNDS - 100;

/** Rounds between two commands. */
export class Run {
  rounds = 0;
  #height: number;
  readonly #from: number;
  /** Rounds up to the last block. */
  #toBlock = 0;
  #idle = 0;
  #plain = true;

  constructor({ height }: Simulation) {
    this.#from = height;
    this.#height = height;
  }

  note(height: number): void {
    this.rounds += 1;
    if (height < this.#height) this.#plain = false;
    else if (height > this.#height) {
      if (this.#idle > WAITS) this.#plain = false;
      this.#toBlock = this.rounds;
      this.#idle = 0;
    } else this.#idle += 1;
    this.#height = height;
  }

  /** Runs to the last block by height, then some rounds without a block. */
  *steps(): Generator<SourceStep> {
    if (this.rounds === 0) return;
    if (!this.#plain) {
      yield { run: { rounds: this.rounds } };
      return;
    }
    if (this.#height > this.#from) yield { run: { to: this.#height } };
    const rest = this.rounds - this.#toBlock;
    if (rest > 0) yield { run: { rounds: rest } };
  }
}
