import { leave } from "./database.ts";
import { expect, LabPage, test } from "./helpers.ts";

const CLEARED = [
  {
    by: "the page's own origin",
    clear: (page: import("@playwright/test").Page) =>
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
    clear: (page: import("@playwright/test").Page) =>
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
    clear: async (page: import("@playwright/test").Page) => {
      const cdp = await page.context().newCDPSession(page);
      const { origin } = new URL(page.url());
      await cdp.send("Storage.clearDataForOrigin", { origin, storageTypes: "indexeddb" });
    },
  },
];

for (const { by, clear } of CLEARED) {
  test(`a storage that ${by} clears is noticed at the next save, said, and written again in full`, async ({
    lab,
    page,
  }) => {
    await lab.open();
    await lab.select("val-1");
    await lab.inspector.getByRole("button", { name: "Stop" }).click();
    await expect(lab.inspector).toContainText("stopped");
    await lab.fullSpeed();
    await lab.reaches(300);
    await lab.pause();
    await expect(page.getByTestId("saved")).toHaveText("Saved");
    const height = (await lab.height()) + 1;
    await clear(page);
    await page.keyboard.press("ArrowRight");
    await lab.reaches(height);
    const notice = page.getByTestId("notice");
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
  await page.goto("/");
  const said = page.getByRole("alert").filter({ hasText: "has not given the saved worlds yet" });
  await expect(said).toContainText("close the others, or start the browser again");
  expect(await lab.height()).toBe(0);
  await expect(said).toBeHidden({ timeout: 60_000 });
  await lab.reaches(2);
  const notice = page.getByTestId("notice");
  await expect(notice).toContainText("The saved world could not be opened: the storage does not");
  await expect(page.getByTestId("saved")).not.toHaveText("Saved");
  await holder.close();
  await expect(page.getByTestId("saved")).toHaveText("Saved", { timeout: 60_000 });
});

test("a database that is gone while no page is open is said to be gone, once: it is no first visit", async ({
  lab,
  page,
}) => {
  await lab.open();
  await expect(page.getByTestId("notice")).toBeHidden();
  await expect(page.getByTestId("saved")).toHaveText("Saved");
  // What says so is written behind the world.
  await expect.poll(() => page.evaluate(filesOf)).toContain("chainlab-written");
  await leave(page);
  await CLEARED[0]?.clear(page);
  await lab.open();
  const notice = page.getByTestId("notice");
  await expect(notice).toContainText("The storage of this page is empty, though worlds were saved");
  await notice.getByRole("button", { name: "OK" }).click();
  await expect(notice).toBeHidden();
  await expect(page.getByTestId("saved")).toHaveText("Saved");
  await page.reload();
  await lab.reaches(2);
  await expect(page.getByTestId("saved")).toHaveText("Saved");
  await expect(notice).toBeHidden();
});

/** Names of the files that this origin keeps beside its databases. */
async function filesOf(): Promise<string[]> {
  const names: string[] = [];
  for await (const name of (await navigator.storage.getDirectory()).keys()) names.push(name);
  return names;
}
