import { expect, test } from "./helpers.ts";

test("a reload brings the world back where it was, and the place in the page", async ({
  lab,
  page,
}) => {
  await lab.open();
  await lab.pause();
  await page.keyboard.press("Shift+ArrowRight");
  await lab.reaches(11);
  await lab.select("val-3");
  await lab.inspector.getByRole("button", { name: "Stop" }).click();
  await expect(lab.inspector).toContainText("stopped");
  await page.keyboard.press("ArrowRight");
  await lab.reaches(12);
  const height = await lab.height();
  const hash = await appHash(lab.page);

  await page.reload();
  await lab.reaches(height);
  await expect(lab.inspector).toContainText("val-3");
  await expect(lab.inspector).toContainText("stopped");
  expect(await appHash(lab.page)).toBe(hash);
});

test("Back returns to what was looked at before", async ({ lab, page }) => {
  await lab.open();
  await lab.select("val-1");
  await lab.view("Governance");
  await page.goBack();
  await expect(page).toHaveURL(/#\/network\/node\/val-1$/);
  await page.goBack();
  await expect(lab.inspector).toContainText("The chain");
});

/** The app hash of block 5, as the inspector shows it; a past block never changes. */
async function appHash(page: import("@playwright/test").Page): Promise<string> {
  const place = page.url();
  await page.evaluate(() => {
    location.hash = "#/network/block/5";
  });
  const button = page.getByRole("button", { name: "Copy app hash" });
  await expect(button).toBeVisible();
  const hash = (await button.getAttribute("title")) ?? "";
  await page.evaluate((url) => {
    location.hash = new URL(url).hash;
  }, place);
  return hash;
}
