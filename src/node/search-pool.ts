import { parentPort, type Worker } from "node:worker_threads";
import { errorText } from "../input/error-text.ts";
import type { Job, JobName, JobRequest, JobResult, Jobs } from "../search/jobs.ts";
import type { Batch, BatchResult, Finding, ShrinkRequest } from "../search/search.ts";
import type { SearchWorkers } from "../session/searching/searching.ts";
import { SEARCH_THREAD, startThread } from "./threads.ts";

type Answer = { readonly result: unknown } | { readonly failure: string };

/** Threads that do the work of a search. The caller gives no more of it at a time than there are threads. */
export class SearchPool implements SearchWorkers {
  readonly size: number;
  readonly #idle: Worker[];
  readonly #all = new Set<Worker>();
  readonly #program: URL;
  /** Refuses what is under way. */
  readonly #refusals = new Set<(error: Error) => void>();

  /** @param program the built command */
  constructor(program: URL, size: number) {
    this.size = size;
    this.#program = program;
    this.#idle = Array.from({ length: size }, () => this.#start());
  }

  run(batch: Batch): Promise<BatchResult> {
    return this.do("run", batch);
  }

  shrink(request: ShrinkRequest): Promise<Finding> {
    return this.do("shrink", request);
  }

  do<N extends JobName>(does: N, request: JobRequest<N>): Promise<JobResult<N>> {
    const worker = this.#idle.pop();
    if (!worker) throw new Error("more work at once than threads");
    return new Promise((resolve, reject) => {
      this.#refusals.add(reject);
      worker.removeAllListeners();
      worker.on("error", reject);
      worker.on("exit", () => {
        // Another takes its place: what comes next may well be done.
        this.#all.delete(worker);
        this.#idle.push(this.#start());
        reject(new Error("a thread of the search ended"));
      });
      worker.on("message", (answer: Answer) => {
        this.#refusals.delete(reject);
        this.#idle.push(worker);
        if ("failure" in answer) reject(new Error(answer.failure));
        else resolve(answer.result as JobResult<N>);
      });
      worker.postMessage({ does, request } as Job);
    });
  }

  async close(): Promise<void> {
    for (const worker of this.#all) worker.removeAllListeners();
    for (const refuse of this.#refusals) refuse(new Error("the search was given up"));
    await Promise.all([...this.#all].map((worker) => worker.terminate()));
  }

  #start(): Worker {
    const worker = startThread(this.#program, SEARCH_THREAD);
    this.#all.add(worker);
    return worker;
  }
}

/** The thread's side: does what it is given until it is terminated. */
export function serveSearch(jobs: Jobs): void {
  const send = (answer: Answer): void => parentPort?.postMessage(answer);
  parentPort?.on("message", ({ does, request }: Job) => {
    try {
      send({ result: jobs[does](request as never) });
    } catch (error) {
      send({ failure: errorText(error) });
    }
  });
}
