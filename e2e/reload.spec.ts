import { expect, test } from "./helpers.ts";

test("a reload brings the world back where it was, and the place in the page", async ({
  lab,
  page,
}) => {
  await lab.open();

  await test.step("Back returns to what was looked at before", async () => {
    await lab.select("val-1");
    await lab.view("Governance");
    await page.goBack();
    await expect(page).toHaveURL(/#\/network\/node\/val-1(\?|$)/);
    await page.goBack();
    await expect(lab.inspector).toContainText("The chain");
  });

  await lab.pause();
  await page.keyboard.press("Shift+ArrowRight");
  await lab.reaches(11);
  await lab.select("val-3");
  await lab.inspector.getByRole("button", { name: "Stop" }).click();
  await expect(lab.inspector).toContainText("stopped");
  const stopped = await lab.height();
  await page.keyboard.press("ArrowRight");
  await lab.reaches(stopped + 1);
  await expect(page.getByTestId("saved")).toHaveText("Saved");
  const height = await lab.height();
  const hash = await appHash(lab.page);

  await page.reload();
  await lab.reaches(height);
  await expect(lab.inspector).toContainText("val-3");
  await expect(lab.inspector).toContainText("stopped");
  expect(await appHash(lab.page)).toBe(hash);
});

test("a step that was paused half-way is back where it was, and goes on only with Play", async ({
  lab,
  page,
}) => {
  await lab.open("#/governance");
  await lab.pause();
  await page.keyboard.press("u");
  const form = lab.dialog("Propose an upgrade");
  await form.getByRole("button", { name: "Propose, all vote yes" }).click();
  await expect(form).toBeHidden();
  await lab.pause();
  await lab.view("Governance");
  const proposal = page.getByRole("article", { name: "Proposal 1" });
  await expect(proposal).toContainText("voting");
  await expect(page.getByTestId("saved")).toHaveText("Saved");
  const height = await lab.height();
  const shown = await proposal.innerText();

  await page.reload();
  await expect(proposal).toContainText("voting");
  await expect(lab.status).toHaveText("Paused");
  await expect.poll(() => lab.height()).toBe(height);
  expect(await proposal.innerText()).toBe(shown);

  await lab.fullSpeed();
  await expect(page.getByTestId("saved")).toHaveText("Saved");
  await page.reload();
  await expect(proposal).toContainText("voting");
  await expect(lab.status).toHaveText("Paused");
  expect(await lab.height()).toBe(height);
  await page.getByRole("button", { name: "Play" }).click();
  await expect(proposal).toContainText("passed");
  await lab.reaches(height + 1);
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
