import type { Page } from "@playwright/test";
import { expect, test } from "./helpers.ts";

test("a full storage is said in words while the chain runs on, and all is written when there is room", async ({
  lab,
  page,
}) => {
  await lab.open();
  await lab.pause();
  await expect(page.getByTestId("saved")).toHaveText("Saved");
  await page.keyboard.press("w");
  const worlds = lab.dialog("Worlds");
  await worlds.getByRole("button", { name: "Duplicate" }).click();
  await expect(worlds.getByRole("listitem")).toHaveCount(2);
  await page.keyboard.press("Escape");
  await fillStorage(page);
  await lab.select("val-2");
  await lab.inspector.getByRole("button", { name: "Stop" }).click();
  await expect(lab.inspector).toContainText("stopped");
  await expect(page.getByTestId("saved")).toContainText("Not saved: storage is full");
  const notice = page.getByTestId("notice");
  await expect(notice).toContainText("The storage is full");
  const height = await lab.height();
  await page.keyboard.press("Shift+ArrowRight");
  await lab.reaches(height + 10);

  // It can be taken away as a file meanwhile.
  const download = page.waitForEvent("download");
  await notice.getByRole("button", { name: "Export to a file" }).click();
  expect((await download).suggestedFilename()).toMatch(/\.chainlab$/);
  await notice.getByRole("button", { name: "Make room…" }).click();
  await expect(worlds).toContainText("that the browser allows");
  // To note that a world was deleted takes room too.
  const copy = worlds.getByRole("listitem").filter({ hasText: "(copy)" });
  await copy.getByRole("button", { name: "Delete" }).click();
  await expect(copy).toContainText("The storage is full: it can only be deleted forever.");
  await copy.getByRole("button", { name: "Delete forever" }).click();
  await expect(worlds.getByRole("listitem")).toHaveCount(1);
  await page.keyboard.press("Escape");

  await notice.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByText("it could still not be saved")).toBeVisible();
  await expect(notice).toContainText("The storage is full");

  // Saving is tried again by itself.
  await makeRoom(page);
  await expect(page.getByTestId("saved")).toHaveText("Saved");
  await expect(notice).toBeHidden();
  const reached = await lab.height();
  await page.reload();
  await lab.reaches(reached);
  await expect(lab.inspector).toContainText("stopped");

  await test.step("the world on screen can be deleted where the storage is full, and does not come back", async () => {
    await expect(page.locator("html[data-keys]")).toBeAttached();
    await page.keyboard.press("w");
    await worlds.getByRole("button", { name: "Duplicate" }).click();
    await expect(worlds.getByRole("listitem")).toHaveCount(2);
    await fillStorage(page);
    const here = worlds.getByRole("listitem").filter({ hasText: "on screen" });
    await here.getByRole("button", { name: "Delete" }).click();
    await expect(here).toContainText("storage is full: it can only be deleted forever.");
    await here.getByRole("button", { name: "Delete forever" }).click();
    await expect(worlds.getByRole("listitem")).toHaveCount(1);
    await expect(here).toContainText("(copy)");
    await page.keyboard.press("Escape");
    await makeRoom(page);
    await expect(page.getByTestId("saved")).toHaveText("Saved");
    await page.reload();
    await expect(page.locator("html[data-keys]")).toBeAttached();
    await page.keyboard.press("w");
    await expect(worlds.getByRole("listitem")).toHaveCount(1);
    await expect(here).toContainText("(copy)");
  });
});

/**
 * Makes every write of the engine fail as it does in a full storage: the transaction is aborted. Browsers
 * that run for tests keep to no quota.
 */
const fillStorage = async (page: Page): Promise<void> =>
  page.workers()[0]?.evaluate(() => {
    const { put } = IDBObjectStore.prototype;
    IDBObjectStore.prototype.put = function (...args) {
      const { transaction } = this;
      const error = new DOMException("The quota has been exceeded.", "QuotaExceededError");
      Object.defineProperty(transaction, "error", { value: error, configurable: true });
      const request = put.apply(this, args);
      request.onsuccess = () => transaction.abort();
      return request;
    };
    Object.assign(globalThis, { put });
  });

const makeRoom = async (page: Page): Promise<void> =>
  page.workers()[0]?.evaluate(() => {
    IDBObjectStore.prototype.put = (globalThis as unknown as IDBObjectStore).put;
  });
