/**
 * A worker of a queue that never ends a batch, as a process for a test to kill. Reports when it has
 * one.
 */
import { BUILD, NotedCases } from "./cases.testing.ts";
import { DELAYS } from "./redis.ts";
import { serveQueue } from "./serve-queue.ts";

class StuckCases extends NotedCases {
  override run(): Promise<never> {
    process.stdout.write("has a batch\n");
    return new Promise(() => {});
  }
}

const [, , url = "", lockMs] = process.argv;
await serveQueue(
  { url, build: BUILD, log: () => {}, delays: { ...DELAYS, lockMs: Number(lockMs) } },
  new StuckCases(1),
  new AbortController().signal,
);
