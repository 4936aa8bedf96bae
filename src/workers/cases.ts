/** The worker's other side: runs cases of a search until it is terminated. */
import { errorText } from "../engine/framework/errors.ts";
import { JOBS, type Job } from "../scenario/search/jobs.ts";

/**
 * Job of a case worker, which first reports that it is ready, and then answers with a result or a
 * failure.
 */
export interface PostedJob {
  readonly id: number;
  readonly job: Job;
}
export type JobAnswer =
  | { readonly ready: true }
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly failure: string };

/** Answers jobs in sequence. */
export function serveCases(): void {
  const send = (answer: JobAnswer): void => postMessage(answer);
  addEventListener("message", ({ data: { id, job } }: MessageEvent<PostedJob>) => {
    try {
      send({ id, result: JOBS[job.does](job.request as never) });
    } catch (error) {
      send({ id, failure: errorText(error) });
    }
  });
  send({ ready: true });
}
