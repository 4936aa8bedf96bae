import { randomUUID } from "node:crypto";
import type { Queue } from "bullmq";
import type { Redis } from "ioredis";
import { errorText } from "../../base/error-text.ts";
import type {
  Batch,
  BatchResult,
  CaseWorkers,
  Finding,
  ShrinkRequest,
} from "../../scenario/search/search.ts";
import {
  ATTEMPTS,
  casesOf,
  isNoJson,
  MAX_LOST,
  queueName,
  RESULT_SECONDS,
  readOutcome,
  type Work,
} from "./jobs.ts";
import {
  connect,
  DELAYS,
  isRefusal,
  loadQueue,
  type QueueDelays,
  QueueError,
  readRedisUrl,
  TRIES,
  troubleOf,
} from "./redis.ts";

/** Minimum and maximum number of concurrent jobs in the queue. */
const UNDER_WAY = { least: 8, most: 512 };

export interface QueueSettings {
  readonly url: string;
  /** Identifies the build by its content. */
  readonly build: string;
  /** Called with messages about the queue. */
  readonly log: (line: string) => void;
  /** Maximum number of attempts to reach a Redis that does not answer. */
  readonly tries?: number;
  /** Timeout in ms for a search without a worker; by default it waits forever. */
  readonly waitMs?: number;
  readonly delays?: QueueDelays;
}

interface Task {
  readonly id: string;
  readonly work: Work;
  /** True if it was added to the queue, as far as known. */
  isQueued: boolean;
  /** Number of unusable results. */
  refused: number;
  readonly resolve: (result: BatchResult | Finding) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Workers of other processes and machines, reached through a queue. A task stays here until its
 * result arrives: a job that the queue has lost is added again under its old name, so it is never
 * counted twice.
 */
export class QueuedWorkers implements CaseWorkers {
  /**
   * Twice the observed concurrency of the workers: none has to wait, and an early end leaves little
   * behind.
   */
  size = UNDER_WAY.least;
  readonly #search = randomUUID();
  readonly #tasks = new Map<string, Task>();
  readonly #url: URL;
  readonly #tries: number;
  readonly #delays: QueueDelays;
  readonly #log: (line: string) => void;
  readonly #queue: Queue;
  readonly #disconnect: () => void;
  #requests = 0;
  /** Number of consecutive failures of the Redis. */
  #failed = 0;
  /** Number of consecutive checks without a worker, and the time of the first. */
  #withoutWorker = 0;
  #aloneSince = 0;
  readonly #waitMs: number;
  /** Names of the jobs that were pending at the end. */
  #pendingJobs: readonly string[] = [];
  #ended: Error | undefined;
  #closed: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  private constructor(
    url: URL,
    { tries, waitMs, log, delays = DELAYS }: QueueSettings,
    queue: Queue,
    disconnect: () => void,
  ) {
    this.#url = url;
    this.#tries = tries ?? TRIES;
    this.#delays = delays;
    this.#waitMs = waitMs ?? Number.POSITIVE_INFINITY;
    this.#log = log;
    this.#queue = queue;
    this.#disconnect = disconnect;
    this.#lookIn(this.#delays.lookMs);
  }

  /** Rejects with a QueueError if there is no Redis, or it cannot be used. */
  static async open(settings: QueueSettings): Promise<QueuedWorkers> {
    const url = readRedisUrl(settings.url);
    const { retryMs } = settings.delays ?? DELAYS;
    const parts = await loadQueue();
    const opened: Redis[] = [];
    const open = async (waits: boolean): Promise<Redis> => {
      // Commands are retried here, with a message; the connection itself never gives up earlier.
      const redis = await connect(parts, url, { waits, tries: Number.POSITIVE_INFINITY, retryMs });
      opened.push(redis);
      return redis;
    };
    const name = queueName(settings.build);
    const queue = new parts.Queue(name, { connection: await open(false) });
    const events = new parts.QueueEvents(name, { connection: await open(true) });
    const workers = new QueuedWorkers(url, settings, queue, () => {
      for (const redis of opened) redis.disconnect();
      // If the Redis is down they wait for it; without connections they do not block the exit.
      void Promise.allSettled([events.close(), queue.close()]);
    });
    // The next check finds and reports a failed connection.
    queue.on("error", () => {});
    events.on("error", () => {});
    events.on("completed", ({ jobId }) => void workers.#hear(jobId));
    events.on("failed", ({ jobId }) => void workers.#hear(jobId));
    return workers;
  }

  run(batch: Batch): Promise<BatchResult> {
    return this.#request({ kind: "batch", data: batch }) as Promise<BatchResult>;
  }

  shrink(request: ShrinkRequest): Promise<Finding> {
    return this.#request({ kind: "shrink", data: request }) as Promise<Finding>;
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#end(new QueueError("the search was ended"));
    // Jobs that a worker has started cannot be removed; their results expire.
    if (this.#failed === 0) {
      await Promise.allSettled(this.#pendingJobs.map((id) => this.#queue.remove(id)));
    }
    this.#disconnect();
  }

  #request(work: Work): Promise<BatchResult | Finding> {
    return new Promise((resolve, reject) => {
      if (this.#ended) return reject(this.#ended);
      this.#requests += 1;
      const id = `${this.#search}-${this.#requests}`;
      const task: Task = { id, work, isQueued: false, refused: 0, resolve, reject };
      this.#tasks.set(id, task);
      // While the Redis fails, the next check adds it.
      if (this.#failed === 0) this.#look(task).catch(() => this.#lookIn(0));
    });
  }

  async #hear(id: string): Promise<void> {
    const task = this.#tasks.get(id);
    if (task) await this.#look(task).catch(() => this.#lookIn(0));
  }

  #lookIn(ms: number): void {
    clearTimeout(this.#timer);
    if (!this.#ended) this.#timer = setTimeout(() => void this.#lookAtAll(), ms);
  }

  async #lookAtAll(): Promise<void> {
    try {
      for (const task of [...this.#tasks.values()]) await this.#look(task);
      if (this.#tasks.size > 0) {
        await this.#lookForWorkers();
        const { least, most } = UNDER_WAY;
        this.size = Math.min(most, Math.max(least, 2 * (await this.#queue.getActiveCount())));
      }
      if (this.#tasks.size === 0) await this.#queue.getJobState(this.#search);
      if (this.#failed > 0) this.#log(`the Redis answers again; ${this.#tasks.size} jobs go on`);
      this.#failed = 0;
      this.#lookIn(this.#delays.lookMs);
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Records a failure of the Redis, and retries up to a limit. */
  #fail(error: unknown): void {
    if (this.#ended) return;
    const trouble = troubleOf(error, this.#url);
    this.#failed += 1;
    if (this.#failed >= this.#tries || isRefusal(error)) {
      this.#end(new QueueError(`${trouble}; it was given up after ${this.#failed} tries`));
      return;
    }
    if (this.#failed === 1) {
      const seconds = Math.ceil((this.#tries * this.#delays.retryMs) / 1_000);
      this.#log(`${trouble}; what is done is kept, and it is tried again for ${seconds} s`);
    }
    this.#lookIn(this.#delays.retryMs);
  }

  #end(error: Error): void {
    this.#ended ??= error;
    this.#pendingJobs = [...this.#pendingJobs, ...this.#tasks.keys()];
    for (const { reject } of this.#tasks.values()) reject(error);
    this.#tasks.clear();
  }

  /** Adds a task to the queue unless it is there, or fetches its result. */
  async #look(task: Task): Promise<void> {
    if (!task.isQueued) return this.#enqueue(task);
    const state = await this.#queue.getJobState(task.id);
    // A concurrent check has already removed the job.
    if (!this.#tasks.has(task.id)) return;
    if (state === "unknown") return this.#enqueue(task);
    if (state !== "completed" && state !== "failed") return;
    const job = await this.#queue.getJob(task.id).catch((error: unknown) => {
      if (isNoJson(error)) return null;
      throw error;
    });
    if (!this.#tasks.has(task.id)) return;
    if (job === undefined) return this.#enqueue(task);
    if (job === null) this.#refuse(task, "it is not JSON");
    else if (state === "failed") {
      const { stalledCounter: lost, failedReason } = job;
      const why =
        lost > MAX_LOST ? `${casesOf(task.work)} lost the worker ${lost} times` : failedReason;
      this.#settle(task, ({ reject }) => reject(new QueueError(why)));
    } else this.#settleWith(task, job.returnvalue);
    await this.#queue.remove(task.id);
    if (this.#tasks.has(task.id)) await this.#enqueue(task);
  }

  #settleWith(task: Task, value: unknown): void {
    try {
      const result = readOutcome(task.work, value);
      this.#settle(task, ({ resolve }) => resolve(result));
    } catch (error) {
      this.#refuse(task, errorText(error));
    }
  }

  /** Retries a task without a usable result, up to a limit. */
  #refuse(task: Task, why: string): void {
    task.refused += 1;
    const what = `the queue gave no result that can be used: ${why}`;
    if (task.refused < ATTEMPTS) this.#log(`${what}; it is done again`);
    else this.#settle(task, ({ reject }) => reject(new QueueError(what)));
  }

  #settle(task: Task, how: (task: Task) => void): void {
    if (this.#tasks.delete(task.id)) how(task);
  }

  async #enqueue(task: Task): Promise<void> {
    const { kind, data } = task.work;
    // An existing job with this name stays unchanged.
    await this.#queue.add(kind, data, {
      jobId: task.id,
      attempts: ATTEMPTS,
      removeOnComplete: { age: RESULT_SECONDS },
      removeOnFail: { age: RESULT_SECONDS },
      // A person is waiting for a found case.
      ...(kind === "shrink" && { lifo: true }),
    });
    task.isQueued = true;
  }

  /**
   * Reports that there is no worker, after a while: one may be starting at the same time. Ends the
   * search after the timeout.
   */
  async #lookForWorkers(): Promise<void> {
    if ((await this.#queue.getWorkersCount()) > 0) {
      this.#withoutWorker = 0;
      return;
    }
    if (this.#withoutWorker === 0) this.#aloneSince = performance.now();
    this.#withoutWorker += 1;
    const none = "no worker of this build serves the queue";
    if (performance.now() - this.#aloneSince >= this.#waitMs) {
      const seconds = Math.round(this.#waitMs / 1_000);
      this.#end(new QueueError(`${none}, and none came within ${seconds} s`));
    } else if (this.#withoutWorker === 2) {
      this.#log(`${none}; start some: chainlab worker --queue URL`);
    }
  }
}
