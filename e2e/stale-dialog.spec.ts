import { expect, test } from "./helpers.ts";

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
  const refusal = form.getByRole("alert");
  await expect(refusal).toContainText("the chain is at");
  const then = await refusal.textContent();
  await expect(refusal, "it follows the chain").not.toHaveText(then ?? "");
  await form.getByRole("button", { name: "Cancel", exact: true }).click();

  await page.keyboard.press("d");
  const evidence = lab.dialog("Make a validator double sign").getByTestId("preview");
  const said = await evidence.textContent();
  await expect(evidence).not.toHaveText(said ?? "");
});
