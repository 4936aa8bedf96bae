/**
 * Queries of the lab in addition to its search: each runs on its own workers until it is stopped.
 */
import { STATUS, StatusError } from "../../engine/framework/errors.ts";
import type { SearchWorkers } from "./search-workers.ts";

/** A query, as seen by its work. */
export interface Question {
  readonly workers: SearchWorkers;
  /** Completed and total parts; undefined for a query without parts. */
  progress: { readonly done: number; readonly of: number } | undefined;
  /** True once no further part of it should begin. */
  readonly isStopped: boolean;
}

interface UnderWay extends Question {
  /** Chosen by the caller; empty if it has none. */
  readonly name: string;
  isStopped: boolean;
}

export class Questions {
  readonly #workers: (most: number) => SearchWorkers;
  readonly #underWay = new Set<UnderWay>();

  /** @param workers starts workers, which end when they are closed */
  constructor(workers: (most: number) => SearchWorkers) {
    this.#workers = workers;
  }

  /** Runs work on up to `most` workers. Rejects with a StatusError if it is cancelled. */
  async run<T>(name: string, most: number, work: (question: Question) => Promise<T>): Promise<T> {
    const workers = this.#workers(most);
    const question: UnderWay = { name, workers, progress: undefined, isStopped: false };
    this.#underWay.add(question);
    try {
      return await work(question);
    } catch (error) {
      if (this.#underWay.has(question)) throw error;
      throw new StatusError(STATUS.cancelled, "it was stopped before its end");
    } finally {
      this.#underWay.delete(question);
      await workers.close();
    }
  }

  /** Progress of the work under a name. */
  progress(name: string): NonNullable<Question["progress"]> {
    return this.#named(name)[0]?.progress ?? { done: 0, of: 0 };
  }

  /**
   * Starts no further part of the query with a name. A second call, or a query without parts,
   * cancels it.
   */
  async stop(name: string): Promise<void> {
    const named = this.#named(name);
    const ended = named.filter(({ isStopped, progress }) => isStopped || progress === undefined);
    for (const question of named) question.isStopped = true;
    await this.#abort(ended);
  }

  /** Cancels all of them. */
  close(): Promise<void> {
    return this.#abort([...this.#underWay]);
  }

  #named(name: string): readonly UnderWay[] {
    return [...this.#underWay].filter((one) => name !== "" && one.name === name);
  }

  async #abort(questions: readonly UnderWay[]): Promise<void> {
    for (const question of questions) this.#underWay.delete(question);
    await Promise.all(questions.map(({ workers }) => workers.close()));
  }
}
