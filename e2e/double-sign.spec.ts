import { expect, test } from "./helpers.ts";

test("a double sign ends in slash, jail and tombstone, handed in or really done", async ({
  lab,
  page,
}) => {
  await test.step("it is handed in with true defaults", async () => {
    await lab.open();
    await expect(lab.status).toHaveText("Live");
    await lab.reaches(4);
    await lab.pause();

    await page.keyboard.press("d");
    const form = lab.dialog("Make a validator double sign");
    await form.getByLabel("Evidence is submitted to the app").check();
    await form.getByLabel("Validator", { exact: true }).selectOption("val-2");
    await form.getByLabel("Height of the infraction").fill("3");
    await expect(form.getByLabel("Power it had")).toHaveAttribute("placeholder", "100");
    await expect(form.getByLabel("Time of that block")).toHaveAttribute(
      "placeholder",
      /^\d{4}-\d\d-\d\dT/,
    );
    await expect(form.getByTestId("preview")).toContainText("val-2");
    await form.getByRole("button", { name: "Submit the evidence" }).click();
    await expect(form).toBeHidden();

    await page.getByRole("button", { name: "One block" }).click();
    const pipeline = page.getByRole("region", { name: "Evidence, and what the chain did with it" });
    await expect(pipeline).toContainText("slashed and tombstoned");
    await expect(page.getByRole("region", { name: "Stored evidence" })).toContainText("val-2");
    await expect(lab.inspector).toContainText("tombstoned");
    await expect(lab.inspector).toContainText("jailed for good with this key");
    await expect(lab.inspector).toContainText("95,000,000 stake");

    await lab.view("Network");
    await expect(page.getByRole("row", { name: /val-2/ })).toContainText("tombstoned");
    await lab.view("Charts");
    await page.getByRole("region", { name: "Stake burned" }).getByText("As a table").click();
    await expect(
      page.getByRole("region", { name: "Stake burned by slashing, as a table" }),
    ).toContainText("5");
  });
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await test.step("a validator that really signs two votes is reported by honest nodes", async () => {
    await lab.fullSpeed();
    await lab.select("val-1");
    await lab.inspector.getByRole("button", { name: "Double sign…" }).click();
    const form = lab.dialog("Make a validator double sign");
    await form.getByRole("button", { name: "Double sign" }).click();
    await expect(lab.inspector).toContainText("tombstoned");
    await expect(page.getByRole("region", { name: "Stored evidence" })).toContainText("val-1");
    await expect(page.getByText("val-1 signs two conflicting votes at the next")).toHaveCount(0);
    const unbonding = lab.inspector.getByRole("region", { name: "Why it is unbonding" });
    await expect(unbonding).toContainText("about block");
    await expect(unbonding).not.toContainText("comes back");
  });
});
