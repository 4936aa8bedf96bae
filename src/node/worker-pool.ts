import { parentPort, type Worker } from "node:worker_threads";
import type { ScenarioJob, ScenarioPool, ScenarioReport } from "../cli/context.ts";
import { errorText } from "../input/error-text.ts";
import { SCENARIO_THREAD, startThread } from "./threads.ts";

/*
 * Threads of our own instead of tinypool or piscina: both start a file of their package that lies
 * beside the one they run from, and the `chainlab` command is a bundle. Here its first file is started again
 * as a thread.
 */

/** What a worker sends: a step has ended, the scenario has ended, or it could not be run at all. */
type Answer =
  | { readonly step: true }
  | { readonly report: ScenarioReport }
  | { readonly failure: string };

/** Threads that run scenarios. The caller gives no more jobs at a time than there are threads. */
export class WorkerPool implements ScenarioPool {
  readonly #idle: Worker[];
  readonly #all: readonly Worker[];

  /** @param program the built command */
  constructor(program: URL, size: number) {
    this.#all = Array.from({ length: size }, () => startThread(program, SCENARIO_THREAD));
    this.#idle = [...this.#all];
  }

  run(job: ScenarioJob, onStep: () => void): Promise<ScenarioReport> {
    const worker = this.#idle.pop();
    if (!worker) throw new Error("more scenarios at once than workers");
    return new Promise<ScenarioReport>((resolve, reject) => {
      worker.removeAllListeners();
      worker.on("error", reject);
      worker.on("exit", () => reject(new Error(`the worker of ${job.file} ended`)));
      worker.on("message", (answer: Answer) => {
        if ("step" in answer) return onStep();
        this.#idle.push(worker);
        if ("report" in answer) resolve(answer.report);
        else reject(new Error(answer.failure));
      });
      worker.postMessage(job);
    });
  }

  async close(): Promise<void> {
    for (const worker of this.#all) worker.removeAllListeners();
    await Promise.all(this.#all.map((worker) => worker.terminate()));
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
