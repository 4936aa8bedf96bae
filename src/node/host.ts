import { randomUUID } from "node:crypto";
import type { Host } from "../session/history/storage.ts";
import { reportBug } from "./server/log.ts";

/** The Host of a saved session on Node. */
export const hostOf = (build: string): Host => ({
  now: Date.now,
  clock: () => performance.now(),
  id: randomUUID,
  build,
  delay: (ms) =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      // The timer must not keep a finished process alive.
      if (ms > 0) timer.unref();
    }),
  reportBug,
});

/** Yields to timers, signals and the disk. */
export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
