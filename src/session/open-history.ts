import type { HistoryRange, HistoryRanges } from "../engine/simulation/history-range.ts";
import type { Simulation } from "../engine/simulation/simulation.ts";
import { type HistoryPart, missingParts } from "../engine/simulation/world-history.ts";
import { type Elsewhere, isReading, type Reading } from "../view/lab/reading.ts";
import { type Caller, checkThere, QUERIES_ONLY } from "./caller.ts";
import type { RunningWorld } from "./running-world.ts";

/**
 * Loads a part of a world's history that is not in memory. Rejects with an Error that says why it
 * cannot.
 */
export type LoadPart = (part: HistoryPart) => Promise<object>;

/** A world's history as opened by one reader: open parts stay open until that reader is done. */
export class OpenHistory {
  readonly #sim: Simulation;
  readonly #load: LoadPart | undefined;
  readonly #parts = new Map<string, object>();

  /** @param load if absent, everything is replayed at once */
  constructor(sim: Simulation, load: LoadPart | undefined) {
    this.#sim = sim;
    this.#load = load;
  }

  /** True if nothing was opened yet. */
  get isEmpty(): boolean {
    return this.#parts.size === 0;
  }

  /**
   * Opens a range; undefined if it is open. Rejects with an Error that says why it cannot be
   * loaded.
   */
  open(range: HistoryRange): Promise<void> | undefined {
    const missing = missingParts(this.#sim.partsOf(range), this.#parts);
    return this.#load && missing.length > 0 ? this.#loadAll(missing, this.#load) : undefined;
  }

  async #loadAll(missing: readonly HistoryPart[], load: LoadPart): Promise<void> {
    for (const part of missing) this.#parts.set(part.key, await load(part));
  }

  /**
   * Opens ranges one after the other, each of which may depend on those before it; undefined if all
   * are open.
   */
  openAll(ranges: HistoryRanges): Promise<void> | undefined {
    return this.with(() => {
      for (let step = ranges.next(); !step.done; step = ranges.next()) {
        const opening = this.open(step.value);
        if (opening !== undefined) return opening.then(() => this.openAll(ranges));
      }
      return undefined;
    });
  }

  /** Runs a function with access to the open parts. */
  with<T>(act: () => T): T {
    return this.#sim.with(this.#parts, act);
  }

  /**
   * Runs a reading to its answer. The world may continue while it waits; the reads after its last
   * wait are of one moment.
   * @param elsewhere answers queries that this world cannot
   */
  async read<T>(
    answer: () => T | Reading<T>,
    elsewhere: (need: Elsewhere) => Promise<unknown> = async ({ refusal }) => {
      throw refusal;
    },
    caller: Caller = QUERIES_ONLY,
  ): Promise<T> {
    checkThere(caller);
    const reading = this.with(answer);
    if (!isReading(reading)) return reading;
    let resume: () => IteratorResult<HistoryRange | Elsewhere, T> = () => reading.next();
    for (;;) {
      const step = this.with(resume);
      if (step.done) return step.value;
      const need = step.value;
      try {
        const opening = "refusal" in need ? elsewhere(need) : this.open(need);
        const input = opening && (await opening);
        if (opening) {
          await caller.resume?.();
          checkThere(caller);
        }
        resume = () => reading.next(input);
      } catch (error) {
        // The query handles a refusal, and reports it in its own form.
        resume = () => reading.throw(error);
      }
    }
  }
}

/** Loads a part of the history of a world. */
export type LoadPartOf = (live: RunningWorld, part: HistoryPart) => Promise<object>;

/** Opens the history of a world for one reader. */
export const openHistory = (
  { loadPart }: { readonly loadPart: LoadPartOf | undefined },
  world: RunningWorld,
): OpenHistory => new OpenHistory(world.sim, loadPart && ((part) => loadPart(world, part)));
