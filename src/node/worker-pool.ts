import { parentPort, type Worker } from "node:worker_threads";
import { errorText } from "../base/error-text.ts";
import type { ScenarioJob, ScenarioPool, ScenarioReport } from "../cli/context.ts";
import { SCENARIO_THREAD, startThread } from "./threads.ts";

/*
 * Our own threads instead of tinypool or piscina: both start a file of their package next to the
 * running one, but the `chainlab` command is a bundle. Here its first file is started again as a
 * thread.
 */

/**
 * Messages of a worker: a step has ended, the scenario has ended, or it could not be run at all.
 */
type Answer =
  | { readonly step: true }
  | { readonly report: ScenarioReport }
  | { readonly failure: string };

/** Callbacks for the answers of a thread. */
interface Work {
  readonly file: string;
  readonly onStep: () => void;
  readonly resolve: (report: ScenarioReport) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Threads that run scenarios. The caller never submits more jobs at a time than there are threads.
 */
export class WorkerPool implements ScenarioPool {
  readonly #program: URL;
  readonly #size: number;
  readonly #idle: Set<Worker>;
  /** Busy threads, each with its callbacks. */
  readonly #busy = new Map<Worker, Work>();

  /** @param program the built command */
  constructor(program: URL, size: number) {
    this.#program = program;
    this.#size = size;
    this.#idle = new Set(Array.from({ length: size }, () => this.#start()));
  }

  run(job: ScenarioJob, onStep: () => void): Promise<ScenarioReport> {
    if (this.#busy.size === this.#size) throw new Error("more scenarios at once than workers");
    // A thread that has ended is replaced when there is new work: otherwise one that fails at its
    // start would be restarted forever.
    const worker = this.#idle.values().next().value ?? this.#start();
    this.#idle.delete(worker);
    return new Promise<ScenarioReport>((resolve, reject) => {
      this.#busy.set(worker, { file: job.file, onStep, resolve, reject });
      worker.postMessage(job);
    });
  }

  async close(): Promise<void> {
    const workers = [...this.#idle, ...this.#busy.keys()];
    for (const worker of workers) worker.removeAllListeners();
    await Promise.all(workers.map((worker) => worker.terminate()));
  }

  #start(): Worker {
    const worker = startThread(this.#program, SCENARIO_THREAD);
    worker.on("error", (error) => this.#end(worker, error));
    worker.on("exit", () => this.#end(worker));
    worker.on("message", (answer: Answer) => {
      const work = this.#busy.get(worker);
      if (work === undefined) return;
      if ("step" in answer) return work.onStep();
      this.#busy.delete(worker);
      this.#idle.add(worker);
      if ("report" in answer) work.resolve(answer.report);
      else work.reject(new Error(answer.failure));
    });
    return worker;
  }

  /** Removes a thread, and rejects its work. */
  #end(worker: Worker, error?: Error): void {
    const work = this.#busy.get(worker);
    this.#busy.delete(worker);
    this.#idle.delete(worker);
    work?.reject(error ?? new Error(`the worker of ${work.file} ended`));
  }
}

/** The worker's side: runs jobs until the thread is terminated. */
export function serveJobs(runJob: (job: ScenarioJob, onStep: () => void) => ScenarioReport): void {
  const send = (answer: Answer): void => parentPort?.postMessage(answer);
  parentPort?.on("message", (job: ScenarioJob) => {
    try {
      send({ report: runJob(job, () => send({ step: true })) });
    } catch (error) {
      send({ failure: errorText(error) });
    }
  });
}
