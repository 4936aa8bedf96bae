import { errorText } from "../../base/error-text.ts";
import type { CaseWorkers } from "../../scenario/search/search.ts";
import { doWork, isNoJson, MAX_LOST, queueName, readWork, type Work } from "./jobs.ts";
import { deadlyCase, doNoted, LOST_BESIDE, Turns } from "./lost-jobs.ts";
import type { QueueSettings } from "./queued-workers.ts";
import {
  connect,
  DELAYS,
  loadQueue,
  QueueError,
  readRedisUrl,
  shownAddress,
  TRIES,
  troubleOf,
} from "./redis.ts";

/**
 * Runs jobs of a queue, as many at once as `local` allows, until it is stopped, when it ends the
 * running ones. Locks are renewed in this thread, so `local` must work in other threads. Rejects
 * with a QueueError if there is no Redis, or it stays unreachable.
 * @returns number of completed jobs
 */
export async function serveQueue(
  { url: text, build, log, tries = TRIES, delays = DELAYS }: QueueSettings,
  local: CaseWorkers,
  stopped: AbortSignal,
): Promise<number> {
  const url = readRedisUrl(text);
  const { retryMs, lockMs } = delays;
  const parts = await loadQueue();
  const redis = await connect(parts, url, { waits: true, tries, retryMs });
  log(`waiting for the cases of searches at ${shownAddress(url)}; threads: ${local.size}`);
  let done = 0;
  let isAway = false;
  let isBroken = false;
  const turns = new Turns();
  const worker = new parts.Worker(
    queueName(build),
    async (job) => {
      let work: Work;
      try {
        work = readWork(job.name, job.data);
      } catch (error) {
        // It would be invalid for every worker.
        throw new parts.UnrecoverableError(errorText(error));
      }
      if (job.stalledCounter < LOST_BESIDE) return turns.beside(() => doWork(local, work));
      const deadly = deadlyCase(work, job);
      if (deadly !== undefined) throw new parts.UnrecoverableError(deadly);
      // Jobs running beside a case that ends its worker would be lost with it, without being the
      // cause.
      return turns.alone(() => doNoted(local, work, job));
    },
    {
      connection: redis,
      concurrency: local.size,
      lockDuration: lockMs,
      stalledInterval: lockMs / 2,
      maxStalledCount: MAX_LOST,
      runRetryDelay: retryMs,
    },
  );
  worker.on("completed", () => {
    done += 1;
  });
  worker.on("failed", (job, error) => log(`job ${job?.id ?? "?"}: ${errorText(error)}`));
  worker.on("error", (error) => {
    if (isNoJson(error)) {
      // It is retried until it has been lost as often as allowed.
      if (!isBroken) log("a job of the queue is not JSON: it is not done");
      isBroken = true;
      return;
    }
    if (!isAway) log(`${troubleOf(error, url)}; it is tried again`);
    isAway = true;
  });
  worker.on("active", () => {
    if (isAway) log("the Redis answers again");
    isAway = false;
  });
  const lost = new Promise<never>((_, reject) => {
    redis.once("end", () =>
      reject(new QueueError(`${troubleOf(undefined, url)}; it was given up after ${tries} tries`)),
    );
  });
  const stopRequested = new Promise<void>((resolve) => {
    stopped.addEventListener("abort", () => resolve(), { once: true });
    if (stopped.aborted) resolve();
  });
  try {
    await Promise.race([stopRequested, lost]);
    await Promise.race([worker.close(), lost]);
  } finally {
    lost.catch(() => {});
    redis.disconnect();
    void worker.close(true).catch(() => {});
  }
  return done;
}
