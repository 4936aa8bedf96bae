/**
 * Jobs that have lost their workers more than once: one of their cases may have ended the workers.
 */
import { isMap } from "../../scenario/fields.ts";
import type { CaseWorkers } from "../../scenario/search/search.ts";
import { doWork, type Work } from "./jobs.ts";

/** Number of lost workers after which a job runs alone. */
export const LOST_BESIDE = 2;
/** Number of times a case may end a worker that has no other job. */
const LOST_ALONE = 2;

/** Progress of a job: the case started last, in case that it ends the worker. */
interface JobProgress {
  readonly number: number;
  /** Number of times in a row that it was the last one started. */
  readonly times: number;
}

/** The queue's record of a job. */
interface LostJob {
  readonly stalledCounter: number;
  readonly progress: unknown;
  updateProgress(progress: JobProgress | Record<string, never>): Promise<void>;
}

/**
 * Finds the case of a job that ends its workers; undefined unless one was started last as often as
 * allowed.
 */
export function deadlyCase({ data }: Work, { progress, stalledCounter }: LostJob) {
  const read = readProgress(progress);
  if (read === undefined || read.times < LOST_ALONE) return undefined;
  return `case ${read.number} of seed ${data.seed} ends the worker that runs it: ${stalledCounter} were lost`;
}

/** Runs a job case by case, recording each before it starts, and then as a whole. */
export async function doNoted(local: CaseWorkers, work: Work, job: LostJob) {
  const last = readProgress(job.progress);
  const begin = (number: number): Promise<void> =>
    job.updateProgress({ number, times: last?.number === number ? last.times + 1 : 1 });
  if (work.kind === "shrink") await begin(work.data.found.number);
  else {
    const { first, count, untilFirst } = work.data;
    for (let number = first; number < first + count; number++) {
      await begin(number);
      const { violated } = await local.run({ ...work.data, first: number, count: 1 });
      // The whole job ends here too: no later case can have ended the worker.
      if (untilFirst && violated.length > 0) break;
    }
    await job.updateProgress({});
  }
  return doWork(local, work);
}

/** Parses a job's progress; undefined for anything else, such as the initial 0. */
function readProgress(value: unknown): JobProgress | undefined {
  if (!isMap(value)) return undefined;
  const { number, times } = value;
  const isSound = Number.isSafeInteger(number) && Number.isSafeInteger(times);
  return isSound ? { number: Number(number), times: Number(times) } : undefined;
}

/** Runs jobs concurrently, or alone. */
export class Turns {
  /** Settles when all exclusive jobs are done. */
  #alone: Promise<unknown> = Promise.resolve();
  readonly #beside = new Set<Promise<unknown>>();

  async beside<T>(work: () => Promise<T>): Promise<T> {
    for (let seen: unknown; seen !== this.#alone; ) {
      seen = this.#alone;
      await this.#alone;
    }
    const doing = work();
    this.#beside.add(doing);
    return doing.finally(() => this.#beside.delete(doing));
  }

  alone<T>(work: () => Promise<T>): Promise<T> {
    const before = this.#alone;
    const doing = before.then(async () => {
      await Promise.allSettled(this.#beside);
      return work();
    });
    this.#alone = doing.catch(() => {});
    return doing;
  }
}
