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
      // A process that has done its work does not wait for storage that answered long ago.
      if (ms > 0) timer.unref();
    }),
  reportBug,
});

/** Timers, signals and the disk have their turn. */
export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
