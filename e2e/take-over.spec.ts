import { expect, LabPage, test } from "./helpers.ts";

test("when the tab that plays closes or crashes, the next of those that watch plays on with all that was done", async ({
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
  const third = new LabPage(await context.newPage());
  await third.open("#/network/node/val-1");
  await expect(third.page.getByTestId("watching")).toBeVisible();
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

  // The third waits its turn.
  await third.reaches(height + 1);
  await expect(third.page.getByTestId("watching")).toBeVisible();
  await second.select("val-1");
  await second.inspector.getByRole("button", { name: "Stop" }).click();
  await expect(second.page.getByText("val-1 is stopped.")).toBeVisible();
  const crashed = second.page.waitForEvent("crash");
  await second.page.goto("chrome://crash").catch(() => {});
  await crashed;
  await expect(third.page.getByTestId("watching")).toBeHidden();
  await expect(third.inspector).toContainText("stopped");
  await third.page.getByRole("button", { name: "Play", exact: true }).click();
  await third.reaches(height + 10);
  await third.pause();
  await expect(third.page.getByTestId("saved")).toHaveText("Saved");

  // Later changes by the second tab and by the third are saved too.
  await third.page.reload();
  await third.reaches(height + 10);
  await expect(third.inspector).toContainText("stopped");
  await third.page.goto("#/network/node/val-3");
  await expect(third.inspector).toContainText("running");
});
