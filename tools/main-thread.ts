import type { Browser, Page } from "@playwright/test";

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds of the clock, and of the thread's own processor time. */
  readonly dur?: number;
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/**
 * How long each task of the page's main thread computed while `action` ran, in milliseconds, longest
 * first. Processor time, not the clock's: other programs on the host do not count.
 */
export async function mainThreadTasks(
  browser: Browser,
  page: Page,
  action: () => Promise<void>,
): Promise<number[]> {
  await browser.startTracing(page, { categories: ["toplevel", "__metadata"] });
  await action();
  const trace = JSON.parse((await browser.stopTracing()).toString()) as {
    readonly traceEvents: readonly TraceEvent[];
  };
  const mainThreads = new Set(
    trace.traceEvents
      .filter((e) => e.name === "thread_name" && e.args?.name === "CrRendererMain")
      .map((e) => `${e.pid}/${e.tid}`),
  );
  return trace.traceEvents
    .filter(
      (e) => e.ph === "X" && e.name.endsWith("RunTask") && mainThreads.has(`${e.pid}/${e.tid}`),
    )
    .map((e) => (e.tdur ?? e.dur ?? 0) / 1000)
    .sort((a, b) => b - a);
}
