import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Seconds that a thread has computed, as Linux counts them; undefined on another system, or where there is no such
 * thread.
 * @param thread the beginning of its name; the first thread of the process unless given
 */
export function cpuSeconds(pid: number, thread?: string): number | undefined {
  const tasks = `/proc/${pid}/task`;
  try {
    const found =
      thread === undefined
        ? [String(pid)]
        : readdirSync(tasks).filter((task) =>
            readFileSync(join(tasks, task, "comm"), "utf8").startsWith(thread),
          );
    const times = found.map((task) =>
      Number(readFileSync(join(tasks, task, "schedstat"), "utf8").split(" ", 1)[0]),
    );
    return times.length === 0 ? undefined : Math.max(...times) / 1e9;
  } catch {
    return undefined;
  }
}
