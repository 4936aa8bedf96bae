/** Starts the worker, hands calls on to it, and answers what only a page can: how much memory both of them use. */
import type { SideAnswer, SideCall } from "../side.ts";
import type { FromWorker, ToWorker } from "./messages.ts";

declare global {
  interface Performance {
    /** Chromium's, in pages that are isolated from other origins; collects garbage first. */
    measureUserAgentSpecificMemory?(): Promise<{ readonly bytes: number }>;
  }
  /** Called from the process that drives this browser, one call after another. */
  var callSide: (requested: SideCall) => Promise<SideAnswer>;
  var usedBytes: () => Promise<number | undefined>;
}

const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
const told = (): Promise<FromWorker> =>
  new Promise((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => resolve(data);
    worker.onerror = (event) => reject(new Error(event.message));
  });
const ready = told();

globalThis.callSide = async (requested) => {
  await ready;
  const answered = told();
  worker.postMessage(requested satisfies ToWorker);
  return (await answered) as SideAnswer;
};

globalThis.usedBytes = async () => (await performance.measureUserAgentSpecificMemory?.())?.bytes;
