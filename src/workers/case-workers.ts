/**
 * Workers that run the cases of a search: the engine's script, started again under another name.
 */
import type { JobName, JobRequest, JobResult } from "../scenario/search/jobs.ts";
import type { SearchWorkers } from "../session/searching/search-workers.ts";
import type { JobAnswer, PostedJob } from "./cases.ts";
import { CASES } from "./worker-name.ts";

/** A job that waits for its answer. */
interface Waiting {
  readonly jobRequest: PostedJob;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

export class CasePool implements SearchWorkers {
  readonly size: number;
  readonly #all: readonly Worker[];
  readonly #idle: Worker[] = [];
  readonly #waiting: Waiting[] = [];
  readonly #underWay = new Map<Worker, Waiting>();
  #jobs = 0;
  #problem: Error | undefined;

  /** @param most maximum number of workers; by default one for each core but the page's own */
  constructor(most = Number.POSITIVE_INFINITY) {
    this.size = Math.max(1, Math.min(most, navigator.hardwareConcurrency - 1));
    this.#all = Array.from({ length: this.size }, () => this.#start());
  }

  run = (request: JobRequest<"run">) => this.do("run", request);
  shrink = (request: JobRequest<"shrink">) => this.do("shrink", request);

  do<N extends JobName>(does: N, request: JobRequest<N>): Promise<JobResult<N>> {
    if (this.#problem) return Promise.reject(this.#problem);
    return new Promise((resolve, reject) => {
      this.#jobs += 1;
      const requested = { id: this.#jobs, job: { does, request } } as PostedJob;
      this.#waiting.push({ jobRequest: requested, resolve: resolve as Waiting["resolve"], reject });
      this.#next();
    });
  }

  async close(): Promise<void> {
    this.#fail(new Error("the search was given up"));
  }

  #start(): Worker {
    const worker = new Worker(ownScript(location.href), { type: "module", name: CASES });
    worker.addEventListener("message", ({ data }: MessageEvent<JobAnswer>) => {
      if (!("ready" in data)) this.#answered(worker, data);
      this.#idle.push(worker);
      this.#next();
    });
    worker.addEventListener("error", ({ message }) => {
      this.#fail(new Error(message || "a worker of the search could not be started"));
    });
    return worker;
  }

  #next(): void {
    while (this.#waiting.length > 0) {
      const worker = this.#idle.pop();
      if (worker === undefined) return;
      const waiting = this.#waiting.shift() as Waiting;
      this.#underWay.set(worker, waiting);
      worker.postMessage(waiting.jobRequest);
    }
  }

  #answered(worker: Worker, answer: Exclude<JobAnswer, { ready: true }>): void {
    const waiting = this.#underWay.get(worker);
    this.#underWay.delete(worker);
    if (waiting === undefined || waiting.jobRequest.id !== answer.id) return;
    if ("result" in answer) waiting.resolve(answer.result);
    else waiting.reject(new Error(answer.failure));
  }

  /** Ends all workers; pending jobs are rejected. */
  #fail(problem: Error): void {
    this.#problem ??= problem;
    for (const worker of this.#all) worker.terminate();
    for (const { reject } of [...this.#underWay.values(), ...this.#waiting]) reject(this.#problem);
    this.#underWay.clear();
    this.#waiting.length = 0;
  }
}

/** The used part of the platform's Trusted Types, which TypeScript's library lacks so far. */
interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL(address: string): string },
  ): { createScriptURL(address: string): string };
}

/** Accepts only the address of this worker's own script. */
const rules = {
  createScriptURL(address: string): string {
    if (address !== location.href) throw new TypeError(`foreign: ${address}`);
    return address;
  },
};

let policy: typeof rules | undefined;

/**
 * The address in the form that the page's security policy accepts; see ui/store/own-scripts.ts for
 * that of the page.
 */
function ownScript(address: string): string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  policy ??= trustedTypes?.createPolicy("chainlab", rules) ?? rules;
  return policy.createScriptURL(address);
}
