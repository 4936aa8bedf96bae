import { expect, test } from "./helpers.ts";

test("validators vote one by one, in parts, deposit and withdraw a proposal of words", async ({
  lab,
  page,
}) => {
  await lab.open("#/governance");
  await lab.pause();
  await page.getByRole("button", { name: "Text proposal…" }).click();
  const text = lab.dialog("Text proposal");
  await text.getByLabel("Deposit (stake)").fill("1000000");
  await text.getByRole("button", { name: "Propose", exact: true }).click();
  const proposal = page.getByRole("article", { name: "Proposal 1" });
  await expect(proposal).toContainText("deposit");

  await proposal.getByRole("button", { name: "One account: deposit, withdraw…" }).click();
  const form = lab.dialog("Proposal 1");
  await form.getByLabel("Who").selectOption("alice");
  await form.getByLabel("Amount of stake").fill("9000000");
  await form.getByRole("button", { name: "Deposit", exact: true }).click();
  await expect(page.getByText(/^alice has deposited in block \d+\.$/)).toBeVisible();
  await expect(proposal).toContainText("voting");

  await proposal.getByRole("button", { name: "One account: vote, deposit, withdraw…" }).click();
  await form.getByLabel("Who").selectOption("val-1");
  await form.getByLabel("Vote", { exact: true }).last().selectOption("no");
  await form.getByRole("button", { name: "Vote", exact: true }).click();
  await expect(proposal).toContainText("no 25 %");

  await proposal.getByRole("button", { name: "One account: vote, deposit, withdraw…" }).click();
  await form.getByLabel("Split a vote").check();
  await form.getByLabel("Who", { exact: true }).selectOption("val-2");
  await form.getByLabel("yes, %").fill("90");
  await expect(form.getByRole("alert")).toContainText("total weight overflow 1.00");
  await form.getByLabel("yes, %").fill("70");
  await form.getByRole("button", { name: "Vote", exact: true }).click();
  await expect(proposal).toContainText("yes 17.5 %");
  await expect(proposal).toContainText("no 32.5 %");
  await proposal.getByText("Deposits and votes").click();
  const row = (text: string) => proposal.getByRole("row", { name: text });
  await expect(row("val-1 no 100,000,000 0")).toBeVisible();
  await expect(row("val-2 yes 70 %, no 30 % 100,000,000 0")).toBeVisible();
  await expect(row("alice 9,000,000 held")).toBeVisible();

  await proposal.getByRole("button", { name: "One account: vote, deposit, withdraw…" }).click();
  await form.getByLabel("Who", { exact: true }).selectOption("val-3");
  await form.getByLabel("Withdraw the proposal").check();
  // Only its proposer may: the form has chosen val-0.
  await expect(form.getByLabel("Who", { exact: true })).toHaveValue("val-0");
  await form.getByRole("button", { name: "Withdraw it" }).click();
  await expect(proposal).toContainText("Withdrawn by its proposer in block");
  await expect(proposal).toContainText("5,000,000 stake of its deposit are lost");
});
