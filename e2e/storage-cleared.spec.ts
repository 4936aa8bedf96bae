import type { Page } from "@playwright/test";
import { leave } from "./database.ts";
import { expect, LabPage, test } from "./helpers.ts";

const CLEARED = [
  {
    by: "the page's own origin",
    clear: (page: Page) =>
      page.evaluate(
        () =>
          new Promise<void>((resolve, reject) => {
            const request = indexedDB.deleteDatabase("chainlab");
            request.onsuccess = () => resolve();
            request.onerror = () => reject(request.error);
          }),
      ),
  },
  {
    by: "a script that leaves an empty database there",
    clear: (page: Page) =>
      page.evaluate(async () => {
        const settled = <T>(request: IDBRequest<T>): Promise<T> =>
          new Promise((resolve, reject) => {
            request.onsuccess = () => resolve(request.result);
            request.onerror = () => reject(request.error);
          });
        await settled(indexedDB.deleteDatabase("chainlab"));
        (await settled(indexedDB.open("chainlab"))).close();
      }),
  },
  {
    by: "the browser",
    clear: async (page: Page) => {
      const cdp = await page.context().newCDPSession(page);
      const { origin } = new URL(page.url());
      await cdp.send("Storage.clearDataForOrigin", { origin, storageTypes: "indexeddb" });
    },
  },
];

test("a storage that is cleared is noticed at the next save, said, and written again in full; one that is gone is no first visit", async ({
  lab,
  page,
}) => {
  await lab.open();
  const notice = page.getByTestId("notice");
  await expect(notice).toBeHidden();
  await lab.select("val-1");
  await lab.inspector.getByRole("button", { name: "Stop" }).click();
  await expect(lab.inspector).toContainText("stopped");
  await lab.fullSpeed();
  await lab.reaches(300);
  await lab.pause();
  for (const { by, clear } of CLEARED) {
    await test.step(`cleared by ${by}`, async () => {
      await expect(page.getByTestId("saved")).toHaveText("Saved");
      const height = (await lab.height()) + 1;
      await clear(page);
      await page.keyboard.press("ArrowRight");
      await lab.reaches(height);
      await expect(notice).toContainText("cleared");
      await expect(page.getByTestId("saved")).toHaveText("Saved");
      await notice.getByRole("button", { name: "OK" }).click();
      await expect(notice).toBeHidden();

      await page.reload();
      await lab.reaches(height);
      expect(await lab.height()).toBe(height);
      await expect(lab.inspector).toContainText("stopped");
    });
  }

  await test.step("a database that is gone while no page is open is said to be gone, once", async () => {
    await expect(page.getByTestId("saved")).toHaveText("Saved");
    await expect(page.getByTestId("notice")).toBeHidden();
    // The record that worlds were saved is written after the world.
    await expect.poll(() => page.evaluate(filesOf)).toContain("chainlab-written");
    await leave(page);
    await CLEARED[0]?.clear(page);
    await lab.open();
    await expect(notice).toContainText(
      "The storage of this page is empty, though worlds were saved",
    );
    await notice.getByRole("button", { name: "OK" }).click();
    await expect(notice).toBeHidden();
    await expect(page.getByTestId("saved")).toHaveText("Saved");
    await page.reload();
    await lab.reaches(2);
    await expect(page.getByTestId("saved")).toHaveText("Saved");
    await expect(notice).toBeHidden();
  });
});

test("a storage that does not answer is spoken of, and a new world begins beside what is saved", async ({
  context,
  page,
}) => {
  // Another page of this origin asks for a later version of the database, and does not let go of the one that is there.
  const holder = await context.newPage();
  await holder.goto("/scenarios/index.json");
  await holder.evaluate(
    () =>
      new Promise<void>((resolve) => {
        const first = indexedDB.open("chainlab");
        first.onupgradeneeded = () => first.result.createObjectStore("session");
        first.onsuccess = () => {
          Object.assign(globalThis, { held: first.result });
          indexedDB.open("chainlab", 50).onblocked = () => resolve();
        };
      }),
  );
  const lab = new LabPage(page);
  await page.route(ENGINE, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: `(${holdLongWaits})();${await response.text()}` });
  });
  await page.goto("/");
  await expect.poll(() => inEngine(page, "isAwaited", 7_000)).toBe(true);
  await expect.poll(() => inEngine(page, "isAwaited", 30_000)).toBe(true);
  await inEngine(page, "passTime", 7_000);
  const text = page.getByRole("alert").filter({ hasText: "has not given the saved worlds yet" });
  await expect(text).toContainText("close the others, or start the browser again");
  expect(await lab.height()).toBe(0);
  await inEngine(page, "passTime", 30_000);
  await expect(text).toBeHidden();
  await lab.reaches(2);
  const notice = page.getByTestId("notice");
  await expect(notice).toContainText("The saved world could not be opened: the storage does not");
  await expect(page.getByTestId("saved")).not.toHaveText("Saved");
  await holder.close();
  await expect(page.getByTestId("saved")).toHaveText("Saved");
});

/** The script of the engine's worker, whose waits the clock of Playwright does not reach. */
const ENGINE = /\/assets\/engine\.worker-[^/]*\.js$/;

/** Has what a worker does after seconds wait until a test lets that time pass. */
function holdLongWaits(): void {
  const own = setTimeout;
  let now = 0;
  let waits: { readonly at: number; readonly work: () => void }[] = [];
  const held = (work: () => void, ms = 0, ...given: unknown[]): number => {
    if (ms < 5_000) return Number(own(work, ms, ...given));
    waits.push({ at: now + ms, work });
    return 0;
  };
  const isAwaited = (ms: number): boolean => waits.some(({ at }) => at === now + ms);
  const passTime = (ms: number): void => {
    now += ms;
    const over = waits.filter(({ at }) => at <= now);
    waits = waits.filter(({ at }) => at > now);
    for (const { work } of over) work();
  };
  Object.assign(globalThis, { setTimeout: held, isAwaited, passTime });
}

/** Lets time pass in the engine's worker, or says whether it waits for so long. */
const inEngine = async (page: Page, what: "isAwaited" | "passTime", ms: number): Promise<unknown> =>
  page
    .workers()[0]
    ?.evaluate(
      ([name, by]) =>
        (globalThis as unknown as Record<string, (ms: number) => unknown>)[name]?.(by),
      [what, ms] as const,
    );

/** Names of the files that this origin keeps beside its databases. */
async function filesOf(): Promise<string[]> {
  const names: string[] = [];
  for await (const name of (await navigator.storage.getDirectory()).keys()) names.push(name);
  return names;
}
