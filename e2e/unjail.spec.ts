import { expect, test } from "./helpers.ts";

test("a jailed validator says why and until when, and is unjailed then; stake is moved by hand", async ({
  lab,
  page,
}) => {
  await lab.open();
  await lab.runScenario("nodes: { which: [val-3], stop: true }", "run: 110");
  await lab.select("val-3");
  await expect(lab.inspector).toContainText(/it missed \d+ of the last \d+ blocks/);
  await expect(lab.inspector).toContainText("jailed until");
  await expect(lab.inspector.getByRole("button", { name: /^Unjail from .* on$/ })).toBeDisabled();
  await lab.inspector.getByRole("button", { name: /^Start/ }).click();
  await page.getByRole("button", { name: "Play" }).click();
  await lab.inspector.getByRole("button", { name: "Unjail", exact: true }).click();
  await expect(page.getByText(/^val-3 has unjailed itself in block [\d,]+\.$/)).toBeVisible();

  await lab.inspector.getByRole("button", { name: "Delegate, undelegate, send…" }).click();
  const form = lab.dialog("Stake of val-3");
  await form.getByLabel("Amount of stake").fill("9".repeat(20));
  await expect(form.getByRole("alert")).toContainText("to spend: insufficient funds");
  await form.getByLabel("Amount of stake").fill("1000000");
  await form.getByLabel("Who").selectOption("val-0");
  await form.getByRole("button", { name: "Delegate", exact: true }).click();
  await expect(page.getByText(/^val-0 has delegated 1,000,000 stake in block/)).toBeVisible();
  await expect(lab.inspector).toContainText("100,000,000 stake");

  await lab.inspector.getByRole("button", { name: "Delegate, undelegate, send…" }).click();
  await form.getByLabel("Undelegate from val-3").check();
  await expect(form.getByLabel("Who").getByRole("option")).toHaveText(["val-0", "val-3"]);
  await expect(form.getByTestId("preview")).toContainText("takes 1,000,000 stake from val-3");
  await form.getByLabel("Amount of stake").fill("0");
  await expect(form.getByRole("alert")).toHaveText("A whole number above 0 is expected.");
  await form.getByLabel("Redelegate to another validator").check();
  await expect(form.getByLabel("To").getByRole("option")).toHaveText(["val-0", "val-1", "val-2"]);
});
