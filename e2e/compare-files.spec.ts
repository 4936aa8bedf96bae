/** A file beside itself with another value, out of the lab. */
import { expect, test, violationsOf } from "./helpers.ts";

test("a file is held against itself under another seed, and a name that there is not is refused beside its row", async ({
  lab,
  page,
}) => {
  await lab.open();
  await page.keyboard.press("h");
  await page.locator("label", { hasText: /^Compare$/ }).click();
  const card = page.getByRole("region", { name: "Compare", exact: true });
  const compare = card.getByRole("button", { name: "Compare the two" });
  const row = card.getByRole("listitem");
  await expect(compare).toBeDisabled();
  await expect(card.getByLabel("Name 1", { exact: true })).toHaveValue("seed");
  await card.getByLabel("Value 1", { exact: true }).fill("7");
  await expect(compare).toBeEnabled();

  await card.getByRole("button", { name: "Another value" }).click();
  await card.getByLabel("Name 2", { exact: true }).fill("walks");
  await card.getByLabel("Value 2", { exact: true }).fill("3");
  await expect(row.nth(1)).toContainText("walks");
  await expect(row.nth(1).getByRole("paragraph")).toContainText(/genesis\.walks: /i);
  await expect(row.first().getByRole("paragraph")).toHaveCount(0);
  await expect(compare).toBeDisabled();
  expect(await violationsOf(page)).toEqual([]);

  await card.getByRole("button", { name: "Remove value 2" }).click();
  await compare.click();
  const shown = page.getByRole("region", { name: "What is compared" });
  await expect(shown.getByLabel("Compared with")).toHaveValue("file:hypothesis.yaml with seed=7");
  await expect(page.getByTestId("height")).toHaveText("20");
  await expect(page.getByRole("region", { name: "First difference" })).toContainText(
    "First difference: how they begin.",
  );
});
