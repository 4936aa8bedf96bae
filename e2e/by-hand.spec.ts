import { expect, test } from "./helpers.ts";

test("everyone votes while blocks are made by hand, and the page says so when it has happened", async ({
  lab,
  page,
}) => {
  await lab.open();
  await lab.pause();
  await page.keyboard.press("u");
  const form = lab.dialog("Propose an upgrade");
  await expect(form.getByTestId("paused")).toContainText("runs it until voting has ended");
  await form.getByRole("button", { name: "Propose, all vote yes" }).click();
  for (let presses = 0; presses < 20; presses++) await page.keyboard.press("ArrowRight");
  await expect(page.getByText(/^All four have voted yes in block \d+\.$/)).toBeVisible();
  await lab.view("Governance");
  await expect(page.getByRole("article", { name: "Proposal 1" })).toContainText("yes 100 %");
  await expect(page.getByRole("article", { name: "Proposal 1" })).toContainText("passed");
});

test("a dialog follows the chain, and refuses what is not true any more", async ({ lab, page }) => {
  await lab.open();
  await page.getByLabel("Speed").selectOption("10 blocks/s");
  await page.keyboard.press("u");
  const form = lab.dialog("Propose an upgrade");
  const height = form.getByLabel("At height");
  const usual = await height.inputValue();
  await expect(height).not.toHaveValue(usual);
  const typed = String((await lab.height()) + 20);
  await height.fill(typed);
  await expect(form.getByRole("alert")).toContainText("expected that height or a later one");
  await expect(form.getByRole("alert")).toContainText("expected a later height");
  await form.getByRole("button", { name: "Propose, all vote yes" }).click();
  await expect(form.getByRole("alert")).toContainText("the chain is at");
  await form.getByRole("button", { name: "Cancel", exact: true }).click();

  await page.keyboard.press("d");
  const evidence = lab.dialog("Make a validator double sign").getByTestId("preview");
  const said = await evidence.textContent();
  await expect(evidence).not.toHaveText(said ?? "");
});

test("a cancellation that would come too late is said to, and an expedited one comes in time", async ({
  lab,
  page,
}) => {
  await lab.open();
  await lab.pause();
  await lab.fullSpeed();
  await page.keyboard.press("u");
  const form = lab.dialog("Propose an upgrade");
  await form.getByLabel("At height").fill(String((await lab.height()) + 24));
  await form.getByRole("button", { name: "Propose, all vote yes" }).click();
  await expect(page.getByTestId("countdown")).toContainText("blocks");

  await page.getByRole("button", { name: "Cancel it…" }).click();
  const cancel = lab.dialog("Propose to cancel the upgrade");
  await expect(cancel.getByTestId("preview")).toHaveText(
    /^Too late: voting ends .* and comes first. An expedited vote would end at about block \d+, in time.$/,
  );
  await cancel.getByLabel("Expedited").check();
  await expect(cancel.getByTestId("preview")).toHaveText(
    /expedited voting takes 30 s.*More than 66.7 % must vote yes. Then v2, due at \d+, is cancelled.$/,
  );
  await cancel.getByRole("button", { name: "Propose, all vote yes" }).click();
  await expect(page.getByRole("heading", { name: "No upgrade is planned" })).toBeVisible();
});
