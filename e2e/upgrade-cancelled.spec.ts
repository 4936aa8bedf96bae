import { expect, test } from "./helpers.ts";

test("a planned upgrade is cancelled by a second vote and its height passes quietly", async ({
  lab,
  page,
}) => {
  const due = await lab.planUpgrade(60);
  const cancel = await lab.cancelDialog();
  await expect(cancel.getByLabel(`Cancel the plan v2, due at ${due}`)).toBeChecked();
  await cancel.getByRole("button", { name: "Propose, all vote yes" }).click();
  await expect(page.getByRole("heading", { name: "No upgrade is planned" })).toBeVisible();

  await page.getByRole("button", { name: "Play" }).click();
  await lab.reaches(due + 2);
  await lab.isLive();
  await lab.view("Governance");
  for (const id of [1, 2]) {
    await expect(page.getByRole("article", { name: `Proposal ${id}` })).toContainText("passed");
  }
});

test("a proposal can be voted down by hand", async ({ lab, page }) => {
  await lab.open("#/governance");
  await lab.pause();
  await lab.fullSpeed();
  await page.getByRole("button", { name: "Propose an upgrade…" }).click();
  const form = lab.dialog("Propose an upgrade");
  await form.getByLabel("Only propose it").check();
  await form.getByRole("button", { name: "Propose" }).click();
  const proposal = page.getByRole("article", { name: "Proposal 1" });
  await expect(proposal).toContainText("voting");
  await proposal.getByRole("button", { name: "No", exact: true }).click();
  await expect(proposal).toContainText("no 100 %");
  await expect(proposal.getByTestId("paused")).toContainText("this makes one block");
  await page.getByRole("button", { name: "Run until…" }).click();
  const until = lab.dialog("Run until…");
  await until.getByLabel("voting on a proposal ends").check();
  await until.getByRole("button", { name: "Run", exact: true }).click();
  await expect(proposal).toContainText("rejected");
  await expect(lab.status).toHaveText("Paused");
});
