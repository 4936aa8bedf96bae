import { readFile } from "node:fs/promises";
import { expect, test } from "./helpers.ts";

test("what was done becomes a scenario, which is saved, runs and comes to the same block", async ({
  lab,
  page,
}) => {
  await lab.open();
  await lab.pause();
  await page.keyboard.press("d");
  const dialog = page.getByRole("dialog", { name: /double.sign/i });
  await dialog
    .getByRole("button", { name: /double.sign|signs twice/i })
    .first()
    .click();
  await expect(dialog).toBeHidden();
  for (let i = 0; i < 3; i++) {
    const before = await lab.height();
    await page.keyboard.press("ArrowRight");
    await lab.reaches(before + 1);
  }
  await page.keyboard.press("s");
  await lab.dialog("Stories").getByRole("button", { name: "Record what I did…" }).click();
  const scenario = page.getByRole("region", { name: "Scenario" });
  const steps = scenario.getByRole("region", { name: "Steps" }).getByRole("listitem");
  await expect(steps.filter({ hasText: "double_sign" })).toHaveCount(1);
  await expect(steps.last()).toContainText("app hash");
  await expect(lab.views.filter({ hasText: "Scenario" })).toHaveAttribute("aria-current", "page");

  const height = await lab.height();
  const saving = page.waitForEvent("download");
  await scenario.getByRole("button", { name: "Save as a file" }).click();
  const file = await saving;
  expect(file.suggestedFilename()).toBe("recorded.yaml");
  const text = await readFile(await file.path(), "utf8");
  expect(text).toMatch(/^scenario: 1\nname: recorded\n/);
  expect(text).toContain("- double_sign: {");
  expect(text).toContain(`height: ${height}`);

  await scenario.getByText("Pin this number…").click();
  await scenario.getByRole("button", { name: "val-1 has" }).click();
  await expect(steps.last()).toContainText("val-1 has");

  await scenario.getByRole("button", { name: "Run", exact: true }).click();
  await expect(steps.last().getByText("passed")).toBeAttached();
  await expect(steps.getByText("failed")).toHaveCount(0);
  expect(await lab.height()).toBe(height);

  await scenario.getByRole("button", { name: "Close" }).click();
  await expect(lab.views.filter({ hasText: "Scenario" })).toHaveCount(0);
});
