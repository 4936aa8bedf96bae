import { expect, test } from "./helpers.ts";

const WATCHED_MS = 5000;

test("at full speed no task holds the page for 50 ms and a click is answered within 100 ms", async ({
  lab,
  page,
}) => {
  await lab.open();
  await lab.fullSpeed();
  // Let every lazy part be loaded once: what is measured is a running page, not a starting one.
  for (const view of ["Evidence", "Upgrades", "Governance", "Charts", "Network"])
    await lab.view(view);
  await page.evaluate(() => {
    const seen: Record<string, number[]> = { longtask: [], event: [] };
    Object.assign(window, { seen });
    for (const type of ["longtask", "event"]) {
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) seen[type]?.push(entry.duration);
      }).observe({ type, durationThreshold: 16 } as PerformanceObserverInit);
    }
  });

  const start = await page.evaluate(() => performance.now());
  const from = await lab.height();
  do {
    for (const view of ["Evidence", "Upgrades", "Governance", "Network"]) await lab.view(view);
  } while ((await page.evaluate(() => performance.now())) < start + WATCHED_MS);

  const { longtask, event } = await page.evaluate(
    () => (window as unknown as { seen: Record<"longtask" | "event", number[]> }).seen,
  );
  expect((await lab.height()) - from).toBeGreaterThan(500);
  expect(longtask, "tasks over 50 ms").toEqual([]);
  expect(Math.max(0, ...event), "slowest input").toBeLessThan(100);
});
