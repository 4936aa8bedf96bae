import { expect, test } from "./helpers.ts";

test("a chain of one's own is made in a form, refused beside its fields, and runs", async ({
  lab,
  page,
}) => {
  await lab.open();
  await page.keyboard.press("s");
  await lab.dialog("Stories").getByRole("button", { name: "A chain of your own…" }).click();
  const form = lab.dialog("A chain of your own");
  await expect(form.getByTestId("preview")).toContainText("The 2 largest hold at least a third");
  await expect(form.getByTestId("preview")).toContainText("more than 2/3 of the power: 267 of 400");
  await form.getByLabel("Validators", { exact: true }).selectOption("a realistic spread");
  await expect(form.getByTestId("preview")).toContainText(
    "100 validators, all active; the largest",
  );
  await form.getByLabel("How many").fill("20");
  await form.getByLabel("Chain id").fill("school-1");
  await form.getByLabel("Prefix of addresses").fill("school chain");
  await form.getByRole("button", { name: "Start the chain" }).click();
  await expect(form.getByRole("alert")).toContainText("expected a prefix of 1 to 20 small letters");
  await expect(form.getByLabel("Prefix of addresses")).toBeFocused();
  await form.getByLabel("Prefix of addresses").fill("school");
  await form.getByLabel("Voting period").fill("soon");
  await form.getByLabel("Binaries").selectOption("v1, v2, v3");
  await form.getByText("Show as file").click();
  await expect(form.getByTestId("file")).toContainText("chain_id: school-1");
  await form.getByRole("button", { name: "Start the chain" }).click();
  await expect(form.getByRole("alert")).toContainText("expected");
  await expect(form.getByLabel("Voting period")).toBeFocused();
  await form.getByLabel("Voting period").fill("2m");
  await form.getByRole("button", { name: "Start the chain" }).click();
  await expect(form).toBeHidden();
  await expect(lab.status).toHaveText("Live");
  await lab.reaches(2);
  await expect(page.getByRole("heading", { name: "The chain school-1" })).toBeVisible();
  await expect(page.getByText("All 20 validators signed")).toBeVisible();
  await lab.view("Upgrades");
  await expect(page.getByRole("columnheader", { name: "v3" })).toBeVisible();
});
