/** What is asked of the lab beside its search: each question on workers of its own, until it is stopped. */
import { STATUS, StatusError } from "../../engine/framework/errors.ts";
import type { SearchWorkers } from "./search-workers.ts";

/** A question while it is worked on. */
interface Question {
  /** Chosen by the one who asks; empty if it has none. */
  readonly name: string;
  readonly workers: SearchWorkers;
}

export class Questions {
  readonly #workers: (most: number) => SearchWorkers;
  readonly #underWay = new Set<Question>();

  /** @param workers begins workers, which end when they are closed */
  constructor(workers: (most: number) => SearchWorkers) {
    this.#workers = workers;
  }

  /** What comes of work on at most so many workers. Rejects with a StatusError where it was stopped before its end. */
  async ask<T>(
    name: string,
    most: number,
    work: (workers: SearchWorkers) => Promise<T>,
  ): Promise<T> {
    const workers = this.#workers(most);
    const question: Question = { name, workers };
    this.#underWay.add(question);
    try {
      return await work(workers);
    } catch (error) {
      if (this.#underWay.has(question)) throw error;
      throw new StatusError(STATUS.cancelled, "it was stopped before its end");
    } finally {
      this.#underWay.delete(question);
      await workers.close();
    }
  }

  /** Gives up what was asked under a name. */
  stop(name: string): Promise<void> {
    return this.#giveUp([...this.#underWay].filter((one) => name !== "" && one.name === name));
  }

  /** Gives up all of them. */
  close(): Promise<void> {
    return this.#giveUp([...this.#underWay]);
  }

  async #giveUp(questions: readonly Question[]): Promise<void> {
    for (const question of questions) this.#underWay.delete(question);
    await Promise.all(questions.map(({ workers }) => workers.close()));
  }
}
