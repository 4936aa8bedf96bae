import { expect, LabPage, test, violationsOf } from "./helpers.ts";

test("a second tab watches the world of the first: the same blocks, nothing to press, and why", async ({
  context,
  lab,
}) => {
  await lab.open();
  await lab.fullSpeed();
  await lab.reaches(20);
  const second = await openTab(context);
  await expect(second.page.getByTestId("watching")).toContainText("Another tab plays this world");
  await expect(second.page.getByTestId("saved")).toHaveText("Watching");
  const seen = await second.height();
  await second.reaches(seen + 20);
  for (const name of ["Pause", "One block", "Ten blocks", "Run until…", "Double sign…", "Upgrade…"])
    await expect(second.page.getByRole("button", { name, exact: true })).toBeDisabled();
  await expect(second.page.getByLabel("Speed")).toBeDisabled();

  // Keys have no button to be grey: they say the same.
  await second.page.keyboard.press("Space");
  await expect(second.page.getByRole("alert")).toContainText("Another tab plays this world");
  await expect(lab.status).toHaveText("Live");

  // Queries about the chain are answered by the other tab.
  // A page behind another one draws rarely, and a click waits until it has drawn.
  await lab.page.bringToFront();
  await lab.pause();
  await second.page.bringToFront();
  await second.page.goto("/#/network/block/3");
  await expect(second.inspector).toContainText("Block 3");
  await second.page.goto("/#/network/node/val-1");
  await expect(second.inspector).toContainText("val-1");
  await expect(second.inspector.getByRole("button", { name: "Stop" })).toBeDisabled();
  await expect.poll(() => second.height()).toBe(await lab.height());
  expect(await violationsOf(second.page)).toEqual([]);

  await test.step("what the first tab does is seen in the second", async () => {
    await lab.page.bringToFront();
    await lab.select("val-2");
    await lab.inspector.getByRole("button", { name: "Stop" }).click();
    await second.page.goto("/#/network/node/val-2");
    await expect(second.inspector).toContainText("stopped");
  });

  await test.step("a second tab may begin a world of its own, and both are saved", async () => {
    // Full speed takes a core for itself.
    await lab.page.getByLabel("Speed").selectOption("1");
    await lab.page.getByRole("button", { name: "Play", exact: true }).click();
    const first = await lab.height();
    await second.page.bringToFront();
    await second.page.getByRole("button", { name: "Open another world" }).click();
    const worlds = second.dialog("Worlds");
    await worlds.getByRole("button", { name: "New world" }).click();
    await expect(second.page.getByTestId("watching")).toBeHidden();
    await second.fullSpeed();
    await second.reaches(60);
    await second.pause();
    const own = await second.height();
    await expect(lab.status).toHaveText("Live");
    await lab.page.bringToFront();
    await lab.pause();
    const other = await lab.height();
    expect(other).toBeGreaterThanOrEqual(first);

    // Each tab has its own world again after a reload.
    await second.page.reload();
    await second.reaches(own);
    await expect(second.status).toHaveText("Paused");
    expect(await second.height()).toBe(own);
    await lab.page.reload();
    await lab.reaches(other);
    expect(await lab.height()).toBe(other);

    // The list of one tab knows what the other has open.
    await lab.page.keyboard.press("w");
    const list = lab.dialog("Worlds").getByRole("list", { name: "Worlds" });
    await expect(list.getByRole("listitem")).toHaveCount(2);
    await expect(list.getByText("on screen")).toHaveCount(1);
    await list.getByRole("button", { name: /^Watch / }).click();
    await expect(lab.page.getByTestId("watching")).toBeVisible();
    await expect.poll(() => lab.height()).toBe(own);
  });
});

test("a world that the first tab deletes stays deleted, and the second says so and how it comes back", async ({
  context,
  lab,
}) => {
  await lab.open();
  await expect(lab.page.getByTestId("saved")).toHaveText("Saved");
  const second = await openTab(context);
  await expect(second.page.getByTestId("watching")).toBeVisible();
  await lab.page.bringToFront();
  await lab.page.keyboard.press("w");
  const worlds = lab.dialog("Worlds");
  await worlds.getByRole("button", { name: "Delete" }).click();
  await expect(second.page.getByTestId("watching")).toBeHidden();
  const notice = second.page.getByTestId("notice");
  await expect(notice).toContainText("The world that was on screen was deleted in another tab");
  await expect(notice).toContainText("it can be restored in the list of worlds (W)");
  await second.reaches(2);
  await second.page.reload();
  await second.reaches(3);

  // Both tabs now have worlds of their own, and the deleted one is unchanged.
  const deleted = worlds.getByRole("listitem").filter({ hasText: "is deleted" });
  await expect(deleted).toHaveCount(1);
  await expect(worlds.getByRole("listitem")).toHaveCount(3);
  await second.page.bringToFront();
  await second.page.keyboard.press("w");
  await second.dialog("Worlds").getByRole("button", { name: "Restore" }).click();
  await expect(deleted).toHaveCount(0);
});

async function openTab(context: import("@playwright/test").BrowserContext): Promise<LabPage> {
  const tab = new LabPage(await context.newPage());
  await tab.open();
  return tab;
}
