import { mainThreadTasks } from "../tools/main-thread.ts";
import { expect, test } from "./helpers.ts";

const ROUNDS = 4;
/**
 * The best of so many runs counts: other processes that share the cores and their caches add
 * processor time in some runs, the page itself in all.
 */
const RUNS = 3;
/** Twice the goal, which `npm run bench -- page` measures: processors differ. */
const LONGEST_MS = 100;

test("at full speed no task holds the page for 100 ms and a click is answered within 100 ms", async ({
  browser,
  lab,
  page,
}) => {
  await lab.open();
  await lab.fullSpeed();
  const visitAll = async (): Promise<void> => {
    for (const link of await lab.views.all()) {
      await link.click();
      const charts = (await link.textContent())?.startsWith("Charts");
      if (charts) await expect(page.locator(".recharts-surface")).toHaveCount(4);
    }
  };
  // Let every lazy part be loaded and drawn once: what is measured is a running page, not a starting one.
  await visitAll();
  await page.evaluate(() => {
    const clicks: number[] = [];
    Object.assign(window, { clicks });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        if (entry.name === "click") clicks.push(entry.duration);
    }).observe({ type: "event", durationThreshold: 16 } as PerformanceObserverInit);
  });

  const from = await lab.height();
  const longest: number[] = [];
  for (let run = 0; run < RUNS && Math.min(...longest) >= LONGEST_MS; run++) {
    const tasks = await mainThreadTasks(browser, page, async () => {
      for (let round = 0; round < ROUNDS; round++) await visitAll();
    });
    expect(tasks.length, "tasks seen").toBeGreaterThan(ROUNDS);
    longest.push(tasks[0]?.ms ?? Number.POSITIVE_INFINITY);
  }

  expect((await lab.height()) - from, "blocks made meanwhile").toBeGreaterThan(100);
  expect(Math.min(...longest), "longest task, ms of processor time").toBeLessThan(LONGEST_MS);
  const clicks = await page.evaluate(() =>
    (window as unknown as { clicks: number[] }).clicks.toSorted((a, b) => a - b),
  );
  // The browser lists clicks that took 16 ms or more; all others were quicker. The middle one of all
  // stands for them, so that one that another program held up does not.
  const all = longest.length * ROUNDS * (await lab.views.count());
  const slow = clicks.slice(-Math.ceil(all / 2));
  expect(slow.length < all / 2 ? 0 : slow[0], "click, ms").toBeLessThan(100);
});
