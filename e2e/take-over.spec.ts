import { expect, LabPage, test } from "./helpers.ts";

test("when the first tab closes, the one that watches plays on with all that was done", async ({
  context,
  lab,
  page,
}) => {
  await lab.open();
  await lab.fullSpeed();
  await lab.reaches(30);
  await lab.pause();
  await lab.select("val-3");
  await lab.inspector.getByRole("button", { name: "Stop" }).click();
  await expect(lab.inspector).toContainText("stopped");
  await expect(page.getByTestId("saved")).toHaveText("Saved");
  const height = await lab.height();

  const second = new LabPage(await context.newPage());
  await second.open("#/network/node/val-3");
  await expect(second.page.getByTestId("watching")).toBeVisible();
  await second.page.keyboard.press("Space");
  await expect(second.page.getByRole("alert")).toContainText("Another tab plays this world");
  await page.close({ runBeforeUnload: true });

  await expect(second.page.getByTestId("watching")).toBeHidden();
  await expect(second.page.getByRole("alert")).toHaveCount(0);
  await expect(second.page.getByTestId("saved")).toHaveText("Saved");
  await expect(second.inspector).toContainText("stopped");
  await expect.poll(() => second.height()).toBe(height);
  await second.inspector.getByRole("button", { name: "Start with v1" }).click();
  await expect(second.inspector).toContainText("running");
  await second.page.keyboard.press("ArrowRight");
  await second.reaches(height + 1);
  await expect(second.page.getByTestId("saved")).toHaveText("Saved");

  // What this tab has done since is saved too.
  await second.page.reload();
  await second.reaches(height + 1);
  await expect(second.inspector).toContainText("running");
});

test("when the first tab crashes, the one that watches loses no action", async ({
  context,
  lab,
  page,
}) => {
  await lab.open();
  await lab.pause();
  const second = new LabPage(await context.newPage());
  await second.open("#/network/node/val-1");
  await lab.select("val-1");
  await lab.inspector.getByRole("button", { name: "Stop" }).click();
  await expect(page.getByText("val-1 is stopped.")).toBeVisible();
  const crashed = page.waitForEvent("crash");
  await page.goto("chrome://crash").catch(() => {});
  await crashed;
  await expect(second.page.getByTestId("watching")).toBeHidden();
  await expect(second.inspector).toContainText("stopped");
});

test("a third tab takes its turn after the second", async ({ context, lab, page }) => {
  await lab.open();
  await lab.fullSpeed();
  const second = new LabPage(await context.newPage());
  await second.open();
  const third = new LabPage(await context.newPage());
  await third.open();
  await page.close({ runBeforeUnload: true });
  await expect(second.page.getByTestId("watching")).toBeHidden();
  const height = await second.height();
  await third.reaches(height + 5);
  await expect(third.page.getByTestId("watching")).toBeVisible();
  await second.page.close({ runBeforeUnload: true });
  await expect(third.page.getByTestId("watching")).toBeHidden();
  await third.reaches(height + 10);
});
