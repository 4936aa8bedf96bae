import type { JobName, JobRequest, JobResult } from "../../scenario/search/jobs.ts";
import type { CaseWorkers } from "../../scenario/search/search.ts";

/** Workers that do any job of a search. */
export interface SearchWorkers extends CaseWorkers {
  /** Rejects with the job's error, or once the workers are closed. */
  do<N extends JobName>(does: N, request: JobRequest<N>): Promise<JobResult<N>>;
}
