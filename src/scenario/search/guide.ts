/**
 * State of a coverage-guided search. Its cases form generations: those of one are mutations of the
 * corpus at the start of the previous generation. So one generation can start while the last cases
 * of the other are still running, and no case depends on the number of workers.
 */
import { ancestorsOf, MOST_ANCESTORS } from "./lineage.ts";
import type { Ancestors, BatchResult } from "./search.ts";

/** Consecutive cases, and the corpus that they mutate. */
export interface Generation {
  /** Number of the first case, and of the first of the next generation. */
  readonly first: number;
  readonly end: number;
  readonly corpus: readonly Ancestors[];
}

/** Coverage of the cases, as stored in reports. */
export interface SearchCoverage {
  /** Number of the first case by feature. */
  readonly features: Readonly<Record<string, number>>;
  /** The cases with a new feature, each as its ancestors and its own number. */
  readonly corpus: readonly Ancestors[];
  /** Number of completed generations, and of those at the end without a new feature. */
  readonly generations: number;
  readonly quiet: number;
}

export interface GuideProgress extends Pick<SearchCoverage, "generations" | "quiet"> {
  readonly features: number;
  readonly corpus: number;
}

/** Maximum cases of the corpus: each is sent with every batch. */
const MAX_CASES = 1_000;
/** A generation is a tenth of the previous cases, within these bounds. */
const GENERATION = { least: 100, most: 2_000 };

export class Guide {
  readonly #seed: number;
  /** The generation being counted, and the next, which can run concurrently. */
  #current: Generation;
  #next: Generation;
  /** Number of completed generations, and of the latest ones in a row without a new feature. */
  #over = 0;
  #quiet = 0;
  readonly #features = new Map<string, number>();
  #corpus: readonly Ancestors[] = [];
  /** Features first reached by the current generation. */
  readonly #fresh = new Map<string, number>();

  constructor(seed: number) {
    this.#seed = seed;
    this.#current = this.#from(0);
    this.#next = this.#from(this.#current.end);
  }

  /** The generation of a case; undefined if it cannot be known yet. */
  generationOf(number: number): Generation | undefined {
    return [this.#current, this.#next].find(({ end }) => number < end);
  }

  /** The ancestors of the case that is counted next. */
  ancestorsOf(number: number): Ancestors {
    return ancestorsOf(this.#seed, number, this.#current.corpus);
  }

  /**
   * Adds results of cases, in the order of their numbers.
   * @param next number of the first uncounted case
   * @returns true if this completes a generation
   */
  add({ features = {} }: BatchResult, next: number): boolean {
    for (const [name, first] of Object.entries(features)) {
      if (!this.#features.has(name) && !this.#fresh.has(name)) this.#fresh.set(name, first);
    }
    if (next < this.#current.end) return false;
    this.#end();
    return true;
  }

  get progress(): GuideProgress {
    return {
      features: this.#features.size + this.#fresh.size,
      corpus: this.#corpus.length,
      generations: this.#over,
      quiet: this.#quiet,
    };
  }

  get coverage(): SearchCoverage {
    const features = [...this.#features, ...this.#fresh].sort(([a], [b]) => (a < b ? -1 : 1));
    return {
      features: Object.fromEntries(features),
      corpus: this.#corpus,
      generations: this.#over,
      quiet: this.#quiet,
    };
  }

  #end(): void {
    const numbers = [...new Set(this.#fresh.values())].sort((a, b) => a - b);
    const reached = numbers
      .map((number) => [...this.ancestorsOf(number), number])
      .filter(({ length }) => length <= MOST_ANCESTORS);
    this.#corpus = [...this.#corpus, ...reached].slice(-MAX_CASES);
    for (const [name, first] of this.#fresh) this.#features.set(name, first);
    this.#fresh.clear();
    this.#over += 1;
    this.#quiet = numbers.length === 0 ? this.#quiet + 1 : 0;
    this.#current = this.#next;
    this.#next = this.#from(this.#current.end);
  }

  /** The generation that starts with a case, derived from the current results. */
  #from(first: number): Generation {
    const { least, most } = GENERATION;
    const size = Math.min(most, Math.max(least, Math.floor(first / 10)));
    return { first, end: first + size, corpus: this.#corpus };
  }
}
