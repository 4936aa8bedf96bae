/** Starts the worker and answers what only a page can: how much memory both of them use. */
import type { Plan, Result } from "../cases.ts";
import type { FromWorker, ToWorker } from "./messages.ts";

declare global {
  interface Performance {
    /** Chromium's, in pages that are isolated from other origins; collects garbage first. */
    measureUserAgentSpecificMemory?(): Promise<{ readonly bytes: number }>;
  }
  /** Called from the process that drives this browser. */
  var measureInWorker: (plan: Plan) => Promise<Result>;
}

globalThis.measureInWorker = (plan) =>
  new Promise((resolve, reject) => {
    const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
    const post = (message: ToWorker): void => worker.postMessage(message);
    worker.onerror = (event) => reject(new Error(event.message));
    worker.onmessage = async ({ data }: MessageEvent<FromWorker>) => {
      switch (data.type) {
        case "ready":
          post({ type: "measure", plan });
          break;
        case "progress":
          console.log(data.text);
          break;
        case "used-bytes":
          post({ type: "used-bytes", bytes: await usedBytes() });
          break;
        case "done":
          resolve(data.result);
          break;
        case "failed":
          reject(new Error(data.reason));
      }
    };
  });

async function usedBytes(): Promise<number | undefined> {
  const usage = await performance.measureUserAgentSpecificMemory?.();
  return usage?.bytes;
}
