import { parentPort, type Worker } from "node:worker_threads";
import { errorText } from "../base/error-text.ts";
import type { Job, JobName, JobRequest, JobResult, Jobs } from "../scenario/search/jobs.ts";
import type { Batch, BatchResult, Finding, ShrinkRequest } from "../scenario/search/search.ts";
import type { SearchWorkers } from "../session/searching/search-workers.ts";
import { SEARCH_THREAD, startThread } from "./threads.ts";

/** A job; if an element of `ends` is not 0, no further case of a batch may start. */
type Message = Job & { readonly ends?: Int32Array<SharedArrayBuffer> };
type Answer = { readonly result: unknown } | { readonly failure: string };

/** Callbacks for the answer of a thread. */
interface Work {
  readonly answer: (result: unknown) => void;
  readonly refuse: (error: Error) => void;
}

/** Interval of checks whether a batch should end, in ms. */
const POLL_MS = 20;
const CANCELLED = "the search was given up";

/**
 * Threads that run the jobs of a search. The caller never submits more at a time than there are
 * threads.
 */
export class SearchPool implements SearchWorkers {
  readonly size: number;
  readonly #program: URL;
  readonly #idle: Set<Worker>;
  /** Busy threads, each with its callbacks. */
  readonly #busy = new Map<Worker, Work>();
  #isClosed = false;

  /** @param program the built command */
  constructor(program: URL, size: number) {
    this.size = size;
    this.#program = program;
    this.#idle = new Set(Array.from({ length: size }, () => this.#start()));
  }

  run(batch: Batch, isOver?: () => boolean): Promise<BatchResult> {
    if (isOver === undefined) return this.do("run", batch);
    // A busy thread receives no messages, but sees shared memory.
    const ends = new Int32Array(new SharedArrayBuffer(4));
    const running = this.do("run", batch, ends);
    const asking = setInterval(() => {
      if (!isOver()) return;
      Atomics.store(ends, 0, 1);
      clearInterval(asking);
    }, POLL_MS);
    return running.finally(() => clearInterval(asking));
  }

  shrink(request: ShrinkRequest): Promise<Finding> {
    return this.do("shrink", request);
  }

  do<N extends JobName>(
    does: N,
    request: JobRequest<N>,
    ends?: Int32Array<SharedArrayBuffer>,
  ): Promise<JobResult<N>> {
    if (this.#isClosed) return Promise.reject(new Error(CANCELLED));
    if (this.#busy.size === this.size) throw new Error("more work at once than threads");
    // A thread that has ended is replaced when there is new work: otherwise one that fails at its
    // start would be restarted forever.
    const worker = this.#idle.values().next().value ?? this.#start();
    this.#idle.delete(worker);
    return new Promise((resolve, reject) => {
      this.#busy.set(worker, {
        answer: (result) => resolve(result as JobResult<N>),
        refuse: reject,
      });
      worker.postMessage({ does, request, ends } as Message);
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const workers = [...this.#idle, ...this.#busy.keys()];
    for (const worker of workers) this.#end(worker, new Error(CANCELLED));
    await Promise.all(workers.map((worker) => worker.terminate()));
  }

  #start(): Worker {
    const worker = startThread(this.#program, SEARCH_THREAD);
    worker.on("error", (error) => this.#end(worker, error));
    worker.on("exit", () => this.#end(worker, new Error("a thread of the search ended")));
    worker.on("message", (answer: Answer) => {
      const work = this.#busy.get(worker);
      if (work === undefined) return;
      this.#busy.delete(worker);
      this.#idle.add(worker);
      if ("failure" in answer) work.refuse(new Error(answer.failure));
      else work.answer(answer.result);
    });
    return worker;
  }

  /** Removes a thread, and rejects its work. */
  #end(worker: Worker, error: Error): void {
    const work = this.#busy.get(worker);
    this.#busy.delete(worker);
    this.#idle.delete(worker);
    work?.refuse(error);
  }
}

/** The thread's side: runs jobs until it is terminated. */
export function serveSearch(jobs: Jobs): void {
  const send = (answer: Answer): void => parentPort?.postMessage(answer);
  parentPort?.on("message", ({ does, request, ends }: Message) => {
    const isOver = (): boolean => ends !== undefined && Atomics.load(ends, 0) === 1;
    try {
      send({ result: does === "run" ? jobs.run(request, isOver) : jobs[does](request as never) });
    } catch (error) {
      send({ failure: errorText(error) });
    }
  });
}
