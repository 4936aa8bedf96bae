import type { Browser, Page } from "@playwright/test";

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds of the clock, and of the thread's own processor time. */
  readonly ts: number;
  readonly dur?: number;
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

export interface Task {
  /** Milliseconds of processor time, not the clock's: other programs on the host do not count. */
  readonly ms: number;
  /** The mark that was set last when it ended; empty if there was none. */
  readonly after: string;
}

/** Prefix of the names of marks. */
export const MARK = "begins: ";

/**
 * The tasks of the page's main thread while `action` ran, longest first.
 *
 * @param action is given what marks that something begins
 */
export async function mainThreadTasks(
  browser: Browser,
  page: Page,
  action: (mark: (what: string) => Promise<void>) => Promise<void>,
): Promise<Task[]> {
  const categories = ["toplevel", "__metadata", "blink.user_timing"];
  await browser.startTracing(page, { categories });
  await action((what) =>
    page.evaluate((name) => {
      performance.mark(name);
    }, MARK + what),
  );
  const trace = JSON.parse((await browser.stopTracing()).toString()) as {
    readonly traceEvents: readonly TraceEvent[];
  };
  const mainThreads = new Set(
    trace.traceEvents
      .filter((e) => e.name === "thread_name" && e.args?.name === "CrRendererMain")
      .map((e) => `${e.pid}/${e.tid}`),
  );
  const events = trace.traceEvents.filter((e) => mainThreads.has(`${e.pid}/${e.tid}`));
  const marks = events.filter(({ name }) => name.startsWith(MARK)).sort((a, b) => a.ts - b.ts);
  return events
    .filter((e) => e.ph === "X" && e.name.endsWith("RunTask"))
    .map(({ ts, dur = 0, tdur = dur }) => {
      const mark = marks.findLast((one) => one.ts <= ts + dur);
      return { ms: tdur / 1000, after: mark?.name.slice(MARK.length) ?? "" };
    })
    .sort((a, b) => b.ms - a.ms);
}
