import { expect, test } from "./helpers.ts";

test("a full storage is said in words while the chain runs on, and all is written when there is room", async ({
  context,
  lab,
  page,
}) => {
  await lab.open();
  await lab.pause();
  await expect(page.getByTestId("saved")).toHaveText("Saved");
  const cdp = await context.newCDPSession(page);
  const origin = new URL(page.url()).origin;
  await cdp.send("Storage.overrideQuotaForOrigin", { origin, quotaSize: 1 });

  await lab.select("val-2");
  await lab.inspector.getByRole("button", { name: "Stop" }).click();
  await expect(lab.inspector).toContainText("stopped");
  await expect(page.getByTestId("saved")).toContainText("Not saved: storage is full");
  const notice = page.getByTestId("notice");
  await expect(notice).toContainText("The storage is full");
  await page.keyboard.press("Shift+ArrowRight");
  const height = await lab.height();
  await lab.reaches(height);

  // It can be taken away as a file meanwhile.
  const download = page.waitForEvent("download");
  await notice.getByRole("button", { name: "Export to a file" }).click();
  expect((await download).suggestedFilename()).toMatch(/\.chainlab$/);
  await notice.getByRole("button", { name: "Make room…" }).click();
  await expect(lab.dialog("Worlds")).toContainText("at most 1 B");
  await page.keyboard.press("Escape");

  await cdp.send("Storage.overrideQuotaForOrigin", { origin });
  await notice.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByTestId("saved")).toHaveText("Saved");
  await expect(notice).toBeHidden();
  const reached = await lab.height();
  await page.reload();
  await lab.reaches(reached);
  await expect(lab.inspector).toContainText("stopped");
});
