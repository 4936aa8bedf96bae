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

  const pin = async (sentence: string) => {
    await scenario.getByText("Assert a current value…").click();
    await scenario.getByRole("button", { name: sentence }).click();
    await scenario.getByText("Assert a current value…").click();
  };
  await pin("val-1 has");
  await expect(steps.last()).toContainText("val-1 has");

  // Newer and past values are asserted at the matching position of the file.
  await scenario.getByRole("heading", { name: "recorded.yaml" }).click();
  await page.keyboard.press("ArrowRight");
  await lab.reaches(height + 1);
  await pin(`running at height ${height + 1}.`);
  await expect(steps.last()).toContainText(`running at ${height + 1}`);
  await expect(scenario.getByRole("textbox", { name: "Text" })).toContainText(
    `run: { to: ${height + 1} }`,
  );
  await scenario.getByRole("heading", { name: "recorded.yaml" }).click();
  await page.keyboard.press("Home");
  await expect(lab.status).toContainText("Past · 1 of");
  await pin("running at height 1.");
  await page.keyboard.press("End");

  await scenario.getByRole("button", { name: "Run", exact: true }).click();
  await expect(steps.last().getByText("passed")).toBeAttached();
  await expect(steps.getByText("failed")).toHaveCount(0);
  expect(await lab.height()).toBe(height + 1);

  await scenario.getByRole("button", { name: "Close" }).click();
  await expect(lab.views.filter({ hasText: "Scenario" })).toHaveCount(0);
});
