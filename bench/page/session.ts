/** Response times of the page while its chain runs at full speed and a person uses it. */
import type { Browser, CDPSession, Page } from "@playwright/test";
import { MARK, mainThreadTasks, type Task } from "../../tools/main-thread.ts";
import { beginWorld, heightOf, reaches } from "../durable/page.ts";
import { type Tour, WITH_A_PROPOSAL } from "./tour.ts";

const MEGABYTE = 1024 * 1024;

/** The slope of the heap is seen over so many readings, each after so many milliseconds. */
const READINGS = 8;
const BETWEEN_MS = 2500;

const TIMEOUT_MS = 300_000;

export interface SessionResult {
  readonly slowdown: number;
  /** The longest task of each tour, by the processor time of the page's main thread. */
  readonly longest: readonly Task[];
  /** Interaction to next paint, ms: the slowest interaction, one of every fifty left out. */
  readonly inp: number;
  readonly interactions: number;
  /** The slowest interactions, slowest first. */
  readonly slowest: readonly Interaction[];
  /** Milliseconds between two frames, exceeded by one of twenty. */
  readonly frameGap: number;
  /** Growth of the page's heap; undefined unless measured. */
  readonly heap: HeapGrowth | undefined;
}

/** An interaction, and the time until it was painted. */
interface Interaction {
  /** The event that took longest, as `keydown`. */
  readonly name: string;
  /** Milliseconds until it was taken up, until all that listened to it was through, and until the next paint. */
  readonly parts: readonly [waiting: number, listening: number, painting: number];
  readonly ms: number;
  /** The mark that was set last when it began. */
  readonly after: string;
}

interface HeapGrowth {
  /** Megabytes in each 100 000 blocks. */
  readonly slope: number;
  /** Blocks over which it was looked at. */
  readonly blocks: number;
}

/**
 * One world of so many validators, toured with each slowdown in turn.
 *
 * @param slowdowns how many times slower the page's main thread is made
 * @param tours how many tours are measured with each
 * @param tour which ends at the newest block, where it begins
 * @param looksAtHeap whether the growth of the heap is measured too
 */
export async function sessionsOf(
  browser: Browser,
  origin: string,
  validators: number,
  slowdowns: readonly number[],
  tours: number,
  tour: Tour,
  looksAtHeap: boolean,
): Promise<SessionResult[]> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 } });
  try {
    const page = await context.newPage();
    // On a busy machine a click waits long for its turn, a thousand validators and a slow processor beside.
    page.setDefaultTimeout(TIMEOUT_MS);
    await page.goto(origin);
    await reaches(page, 1);
    await beginWorld(page, validators, WITH_A_PROPOSAL);
    // Every part is loaded once: what is measured is a running page, not a starting one.
    await tour(page, async () => {});
    const devtools = await context.newCDPSession(page);
    const results: SessionResult[] = [];
    for (const slowdown of slowdowns) {
      await devtools.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
      await page.evaluate(OBSERVE);
      const longest: Task[] = [];
      for (let one = 0; one < tours; one += 1) {
        const tasks = await mainThreadTasks(browser, page, (mark) => tour(page, mark));
        if (tasks[0]) longest.push(tasks[0]);
      }
      const seen = await page.evaluate<Seen>("window.seen()");
      const heap = looksAtHeap ? await heapGrowth(page, devtools) : undefined;
      results.push({ slowdown, longest, ...seen, heap });
    }
    return results;
  } finally {
    await context.close();
  }
}

type Seen = Pick<SessionResult, "inp" | "interactions" | "slowest" | "frameGap">;

/** As many of the slowest interactions are told. */
const TOLD = 5;

/**
 * Notes how long interactions take, and the time between frames, until they are asked for; a text, since what runs
 * TypeScript here writes helpers into functions.
 */
const OBSERVE = `{
  const slow = new Map();
  const gaps = [];
  const before = performance.interactionCount;
  let last = performance.now();
  let looking = true;
  const note = (list) => {
    for (const entry of list) {
      const { interactionId: id, duration } = entry;
      if (id > 0 && !(slow.get(id)?.duration >= duration)) slow.set(id, entry);
    }
  };
  const observer = new PerformanceObserver((list) => note(list.getEntries()));
  observer.observe({ type: "event", durationThreshold: 16 });
  requestAnimationFrame(function frame(time) {
    gaps.push(time - last);
    last = time;
    if (looking) requestAnimationFrame(frame);
  });
  window.seen = () => {
    looking = false;
    note(observer.takeRecords());
    observer.disconnect();
    const interactions = performance.interactionCount - before;
    const entries = [...slow.values()].sort((a, b) => b.duration - a.duration);
    const marks = performance.getEntriesByType("mark").filter(({ name }) => name.startsWith(${JSON.stringify(MARK)}));
    const told = ({ name, startTime, processingStart, processingEnd, duration }) => ({
      name,
      ms: duration,
      parts: [processingStart - startTime, processingEnd - processingStart, startTime + duration - processingEnd],
      after: marks.findLast((mark) => mark.startTime <= startTime)?.name.slice(${MARK.length}) ?? "",
    });
    gaps.sort((a, b) => a - b);
    return {
      interactions,
      // Those below are not listed.
      inp: entries[Math.floor(interactions / 50)]?.duration ?? 16,
      slowest: entries.slice(0, ${TOLD}).map(told),
      frameGap: gaps[Math.floor(gaps.length * 0.95)] ?? 0,
    };
  };
}`;

/** The median of the slopes between all pairs of readings, at the first view. */
async function heapGrowth(page: Page, devtools: CDPSession): Promise<HeapGrowth> {
  const readings: { readonly block: number; readonly megabytes: number }[] = [];
  for (let one = 0; one < READINGS; one += 1) {
    if (one > 0) await page.waitForTimeout(BETWEEN_MS);
    await devtools.send("HeapProfiler.collectGarbage");
    const { usedSize } = await devtools.send("Runtime.getHeapUsage");
    readings.push({ block: await heightOf(page), megabytes: usedSize / MEGABYTE });
  }
  const slopes = readings
    .flatMap((a, i) =>
      readings
        .slice(i + 1)
        .map((b) => (b.megabytes - a.megabytes) / Math.max(1, b.block - a.block)),
    )
    .sort((a, b) => a - b);
  const blocks = (readings.at(-1)?.block ?? 0) - (readings[0]?.block ?? 0);
  return { slope: 100_000 * (slopes[Math.floor(slopes.length / 2)] ?? 0), blocks };
}
