/**
 * The first screen of a visit with nothing kept: how long from the navigation to the first block painted.
 *
 *     const { origin, close } = await servePage(scratch);            // ../durable/page.ts
 *     for (const circumstances of CIRCUMSTANCES)
 *       rows.push({ ...circumstances, ...(await firstBlock(browser, origin, circumstances)) });
 *
 * One call is one visit, in a browser context of its own. Take the median of several; to compare two builds serve both
 * and visit them in turns, so that what else the machine does falls on both.
 */
import type { Browser, Page } from "@playwright/test";
import { type Line, slowHost } from "./slow-host.ts";

export interface Circumstances {
  readonly name: string;
  /** Slowdown factor of the page's main thread; the worker runs at full speed. */
  readonly cpu: number;
  /** Absent: the machine's own. */
  readonly line?: Line;
  /** Maximum time to the first block, relative to an engine started by the page's script. */
  readonly share: number;
}

export const CIRCUMSTANCES: readonly Circumstances[] = [
  { name: "plain", cpu: 1, share: 0.85 },
  { name: "CPU 4 times slower", cpu: 4, share: 0.85 },
  {
    name: "CPU 6 times slower, 1.6 Mbit/s, 150 ms",
    cpu: 6,
    line: { bitsPerSecond: 1_600_000, roundTripMs: 150 },
    share: 0.78,
  },
];

export interface FirstScreen {
  /** Milliseconds from the start of the navigation until a block stands painted on the page. */
  readonly firstBlock: number;
  /** Milliseconds until the largest thing of the first screen was painted. */
  readonly largestPaint: number;
  /** Cumulative layout shift, until a second after the first block. */
  readonly layoutShift: number;
}

/** Visits the page at `address` once, under such circumstances. */
export async function firstBlock(
  browser: Browser,
  address: string,
  { cpu, line }: Circumstances,
): Promise<FirstScreen> {
  const host = line && (await slowHost(new URL("/", address).href, line));
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 } });
  try {
    const page = await context.newPage();
    await slowDown(page, cpu);
    // tsx wraps functions in a `__name` helper, which the page does not have.
    await page.addInitScript("globalThis.__name = (named) => named");
    await page.addInitScript(observe);
    const { pathname, search, hash } = new URL(address);
    const visited = host ? new URL(pathname + search + hash, host.origin).href : address;
    await page.goto(visited, { waitUntil: "domcontentloaded" });
    return await page.evaluate(() => (window as unknown as Observed).firstScreen);
  } finally {
    await context.close();
    await host?.close();
  }
}

/** Slows the page's main thread down from here on, navigations included. */
async function slowDown(page: Page, times: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: times });
}

interface Observed {
  firstScreen: Promise<FirstScreen>;
}

/** Runs in the page ahead of its own scripts. */
function observe(): void {
  let largestPaint = 0;
  let layoutShift = 0;
  const watch = (type: string, take: (entry: PerformanceEntry) => void): void =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({
      type,
      buffered: true,
    });
  watch("largest-contentful-paint", ({ startTime }) => {
    largestPaint = startTime;
  });
  watch("layout-shift", (entry) => {
    layoutShift += (entry as unknown as { value: number }).value;
  });

  const hasBlock = (): boolean => {
    const text = document.querySelector("[data-testid=height]")?.textContent ?? "";
    return Number(text.replaceAll(",", "")) >= 1;
  };
  (window as unknown as Observed).firstScreen = new Promise((resolve) => {
    const painted = (): void => {
      const firstBlock = performance.now();
      setTimeout(() => resolve({ firstBlock, largestPaint, layoutShift }), 1000);
    };
    const observer = new MutationObserver(() => {
      if (!hasBlock()) return;
      observer.disconnect();
      // The task after the frame's own: what changed is painted by then.
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = painted;
        port2.postMessage(0);
      });
    });
    observer.observe(document, { subtree: true, childList: true, characterData: true });
  });
}
