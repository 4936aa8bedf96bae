/** A person at the page: opens every view and every dialog in turn while the chain runs at full speed. */
import type { Browser, CDPSession, Page } from "@playwright/test";
import { mainThreadTasks } from "../../tools/main-thread.ts";
import { beginWorld, heightOf, reaches } from "../durable/page.ts";

const DIALOG_KEYS = ["d", "f", "u", "r", "s", "w", "?"];
/** How many new heights the page shows while a view or a dialog is looked at: ten a second at most. */
const LOOK = 6;
const MEGABYTE = 1024 * 1024;

export interface SessionResult {
  /** Milliseconds of processor time of the longest task of the page's main thread. */
  readonly longestTask: number;
  /** Milliseconds from the slowest key or click to what was painted for it. */
  readonly slowestInteraction: number;
  /** Milliseconds between two frames, exceeded by one of twenty. */
  readonly frameGap: number;
  /** Megabytes that the page's heap grew in each 100 000 blocks. */
  readonly heapSlope: number;
  readonly blocks: number;
}

/** @param slowdown how many times slower the processor is made */
export async function sessionOf(
  browser: Browser,
  origin: string,
  validators: number,
  slowdown: number,
): Promise<SessionResult> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 } });
  try {
    const page = await context.newPage();
    await page.goto(origin);
    await reaches(page, 1);
    await beginWorld(page, validators);
    // Every part is loaded once: what is measured is a running page, not a starting one.
    await visitAll(page);
    const devtools = await context.newCDPSession(page);
    await devtools.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
    await page.evaluate(OBSERVE);
    const before = [await heightOf(page), await heapOf(devtools)] as const;
    const tasks = await mainThreadTasks(browser, page, () => visitAll(page));
    const seen = await observed(page);
    const after = [await heightOf(page), await heapOf(devtools)] as const;
    const blocks = after[0] - before[0];
    return {
      longestTask: tasks[0] ?? 0,
      ...seen,
      heapSlope: ((after[1] - before[1]) / MEGABYTE / Math.max(1, blocks)) * 100_000,
      blocks,
    };
  } finally {
    await context.close();
  }
}

async function visitAll(page: Page): Promise<void> {
  const links = page.getByRole("navigation", { name: "Views" }).getByRole("link");
  for (const link of await links.all()) {
    await link.click();
    await page.waitForFunction(IS_DRAWN, await link.getAttribute("href"));
    await page.evaluate(SHOWS, LOOK);
  }
  for (const key of DIALOG_KEYS) {
    await page.keyboard.press(key);
    const dialog = page.getByRole("dialog");
    await dialog.waitFor();
    await page.evaluate(SHOWS, LOOK);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
  }
}

/** Whether the view of an address is there, and each of its charts, which draw one after another. */
const IS_DRAWN = `(href) => {
  const view = document.getElementById("view");
  const link = document.querySelector("nav [aria-current=page]");
  const charts = [...view.querySelectorAll("section:has(> header):not([data-empty])")];
  return link?.getAttribute("href") === href && link.firstChild.textContent === view.ariaLabel &&
    view.querySelector(".card, article, table, h2") !== null &&
    charts.every((chart) => chart.querySelector("svg path, canvas") !== null);
}`;

/** Resolves when the page has shown so many more heights. */
const SHOWS = `(heights) => new Promise((resolve) => {
  let left = heights;
  const observer = new MutationObserver(() => {
    left -= 1;
    if (left > 0) return;
    observer.disconnect();
    resolve();
  });
  const height = document.querySelector("[data-testid=height]");
  observer.observe(height, { characterData: true, childList: true, subtree: true });
})`;

interface Seen {
  readonly slowest: number;
  readonly gaps: number[];
}

/** Notes how long interactions take, and the time between frames; a text, since tsx writes helpers into functions. */
const OBSERVE = `{
  const seen = { slowest: 0, last: performance.now(), gaps: [] };
  window.seen = seen;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
      if (entry.interactionId > 0) seen.slowest = Math.max(seen.slowest, entry.duration);
  }).observe({ type: "event", durationThreshold: 16 });
  requestAnimationFrame(function frame(time) {
    seen.gaps.push(time - seen.last);
    seen.last = time;
    requestAnimationFrame(frame);
  });
}`;

async function observed(page: Page) {
  const { slowest, gaps } = await page.evaluate(() => (window as unknown as { seen: Seen }).seen);
  const sorted = gaps.toSorted((a, b) => a - b);
  const frameGap = sorted[Math.floor(sorted.length * 0.95)] ?? 0;
  // Those below are not listed.
  return { slowestInteraction: Math.max(16, slowest), frameGap };
}

async function heapOf(devtools: CDPSession): Promise<number> {
  await devtools.send("HeapProfiler.collectGarbage");
  const { usedSize } = await devtools.send("Runtime.getHeapUsage");
  return usedSize;
}
