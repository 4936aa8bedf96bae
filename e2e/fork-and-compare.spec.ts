/** A second history begins at a past height, and stands beside the first one. */
import { expect, test } from "./helpers.ts";

test("what is done in the past is done in a branch, which has a name, a note and a place in the tree", async ({
  lab,
  page,
}) => {
  await lab.open();
  await lab.runScenario("run: 5", "double_sign: { node: val-3 }", "run: { to: 30 }");
  await page.getByRole("button", { name: "Leave" }).click();
  await page.getByRole("slider", { name: "Blocks" }).focus();
  await page.keyboard.press("Home");
  for (let i = 0; i < 3; i++) await page.keyboard.press("ArrowRight");
  await expect(page.getByTestId("past")).toContainText("Everything below is block 4.");

  // A button that acts offers the branch first.
  await page.getByRole("button", { name: "Double sign…" }).first().click();
  const form = lab.dialog("Fork at block 4");
  await expect(form).toContainText(
    "“Own” stays as it is. What you were about to do is done there.",
  );
  await form.getByLabel("Name").fill("val-1 instead");
  await form.getByLabel("Note").fill("What if another one signs twice?");
  await form.getByRole("button", { name: "Fork here and do it" }).click();

  // It goes on in the branch, at its newest block.
  const doubleSign = lab.dialog("Make a validator double sign");
  await expect(doubleSign).toBeVisible();
  await expect(page.getByTestId("past")).toBeHidden();
  await expect(page.getByTestId("height")).toHaveText("4");
  await expect(
    page.getByRole("button", { name: "Worlds; this one is val-1 instead" }),
  ).toBeVisible();
  await doubleSign.getByLabel("Validator", { exact: true }).selectOption("val-1");
  await doubleSign
    .getByRole("button", { name: /double sign|signs twice/i })
    .last()
    .click();
  await expect(doubleSign).toBeHidden();
  for (let i = 0; i < 3; i++) await page.getByRole("button", { name: "One block" }).click();
  const row = (name: string) => page.getByRole("table").getByRole("row", { name });
  await lab.view("Network");
  await expect(row("val-1")).toContainText("tombstoned");
  await expect(row("val-3")).not.toContainText("tombstoned");

  // Its past is as before, and undo leads to before what was done.
  await page.keyboard.press("z");
  await expect(page.getByTestId("past")).toContainText("Everything below is block 3.");
  await page.keyboard.press("End");

  await page.keyboard.press("w");
  const worlds = lab.dialog("Worlds");
  const branch = worlds.getByRole("listitem").filter({ hasText: "val-1 instead" });
  await expect(branch).toContainText("branch of “Own” from block 4");
  await expect(branch).toContainText("What if another one signs twice?");
  await branch.getByRole("button", { name: "Change the note of val-1 instead" }).click();
  await branch.getByRole("textbox", { name: "Note of val-1 instead" }).fill("val-1 signs twice");
  await page.keyboard.press("Enter");
  await expect(branch).toContainText("val-1 signs twice");
  // Switched to the first history, which has all of its blocks.
  await worlds.getByRole("button", { name: "Open Own" }).click();
  await expect(page.getByTestId("height")).toHaveText("30");
  await expect(row("val-3")).toContainText("tombstoned");
  await expect(row("val-1")).not.toContainText("tombstoned");
  // The branch can be deleted, and brought back.
  await page.keyboard.press("w");
  await branch.getByRole("button", { name: "Delete val-1 instead" }).click();
  await expect(branch).toContainText("is deleted");
  await branch.getByRole("button", { name: "Restore val-1 instead" }).click();
  await expect(branch).toContainText("branch of “Own” from block 4");
});
