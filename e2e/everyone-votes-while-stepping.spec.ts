import { expect, test } from "./helpers.ts";

test("everyone votes while blocks are made by hand, and the page says so when it has happened", async ({
  lab,
  page,
}) => {
  await lab.open();
  await lab.pause();
  // Several blocks come by themselves between two that are made by hand.
  await page.getByLabel("Speed").selectOption("10 blocks/s");
  await page.keyboard.press("u");
  const form = lab.dialog("Propose an upgrade");
  await expect(form.getByTestId("paused")).toContainText("runs it until voting has ended");
  await form.getByRole("button", { name: "Propose, all vote yes" }).click();
  // It is said for a while only: it is looked for while the blocks are made.
  const text = expect(
    page.getByText(/^All four have voted yes; voting on proposal 1 ended with block \d+\.$/),
  ).toBeVisible();
  for (let presses = 0; presses < 20; presses++) await page.keyboard.press("ArrowRight");
  await text;
  await lab.view("Governance");
  await expect(page.getByRole("article", { name: "Proposal 1" })).toContainText("yes 100 %");
  await expect(page.getByRole("article", { name: "Proposal 1" })).toContainText("passed");
});
