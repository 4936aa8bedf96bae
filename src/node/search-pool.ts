import { parentPort, type Worker } from "node:worker_threads";
import { errorText } from "../input/error-text.ts";
import type { Batch, BatchResult, CaseWorkers, Finding, ShrinkRequest } from "../search/search.ts";
import { SEARCH_THREAD, startThread } from "./threads.ts";

type Job = { readonly batch: Batch } | { readonly shrink: ShrinkRequest };
type Answer =
  | { readonly result: BatchResult }
  | { readonly finding: Finding }
  | { readonly failure: string };

/** Threads that do the work of a search. The caller gives no more of it at a time than there are threads. */
export class SearchPool implements CaseWorkers {
  readonly size: number;
  readonly #idle: Worker[];
  readonly #all = new Set<Worker>();
  readonly #program: URL;

  /** @param program the built command */
  constructor(program: URL, size: number) {
    this.size = size;
    this.#program = program;
    this.#idle = Array.from({ length: size }, () => this.#start());
  }

  async run(batch: Batch): Promise<BatchResult> {
    const answer = await this.#ask({ batch });
    if ("result" in answer) return answer.result;
    throw new Error("a thread answered what was not asked");
  }

  async shrink(shrink: ShrinkRequest): Promise<Finding> {
    const answer = await this.#ask({ shrink });
    if ("finding" in answer) return answer.finding;
    throw new Error("a thread answered what was not asked");
  }

  async close(): Promise<void> {
    for (const worker of this.#all) worker.removeAllListeners();
    await Promise.all([...this.#all].map((worker) => worker.terminate()));
  }

  #start(): Worker {
    const worker = startThread(this.#program, SEARCH_THREAD);
    this.#all.add(worker);
    return worker;
  }

  #ask(job: Job): Promise<Exclude<Answer, { readonly failure: string }>> {
    const worker = this.#idle.pop();
    if (!worker) throw new Error("more work at once than threads");
    return new Promise((resolve, reject) => {
      worker.removeAllListeners();
      worker.on("error", reject);
      worker.on("exit", () => {
        // Another takes its place: what comes next may well be done.
        this.#all.delete(worker);
        this.#idle.push(this.#start());
        reject(new Error("a thread of the search ended"));
      });
      worker.on("message", (answer: Answer) => {
        this.#idle.push(worker);
        if ("failure" in answer) reject(new Error(answer.failure));
        else resolve(answer);
      });
      worker.postMessage(job);
    });
  }
}

/** The thread's side: does what it is given until it is terminated. */
export function serveSearch(
  runBatch: (batch: Batch) => BatchResult,
  shrink: (request: ShrinkRequest) => Finding,
): void {
  const send = (answer: Answer): void => parentPort?.postMessage(answer);
  parentPort?.on("message", (job: Job) => {
    try {
      send("batch" in job ? { result: runBatch(job.batch) } : { finding: shrink(job.shrink) });
    } catch (error) {
      send({ failure: errorText(error) });
    }
  });
}
