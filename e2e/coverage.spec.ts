/** Which outcomes files reach, and what would reach the others. */
import { AxeBuilder } from "@axe-core/playwright";
import { expect, scenarioOf, test } from "./helpers.ts";

test("the bundled scenarios reach all that a scenario can reach, and the others say why not", async ({
  lab,
  page,
}) => {
  await lab.open();
  await page.keyboard.press("h");
  await page.getByText("Coverage", { exact: true }).click();
  const coverage = page.getByRole("region", { name: "Coverage" });
  await coverage.getByRole("button", { name: "By all bundled scenarios" }).click();
  await expect(coverage.getByTestId("reached")).toContainText("bundled scenarios", {
    timeout: 120_000,
  });
  const rows = coverage.getByRole("row");
  await expect(rows.filter({ hasText: "evidence already exists" })).toContainText(".yaml");
  await coverage.getByLabel("Only what is not reached").check();
  await expect(rows.filter({ hasText: "evidence already exists" })).toHaveCount(0);
  await expect(rows.nth(1)).toContainText("not by a scenario: ");
  await expect(rows.filter({ hasText: "would be by: " })).toHaveCount(0);
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);

  // One file alone reaches less.
  await coverage.getByLabel("Only what is not reached").uncheck();
  await coverage.getByRole("button", { name: "By this file" }).click();
  await expect(coverage.getByTestId("reached")).toContainText("by hypothesis.yaml");
  await coverage.getByLabel("Find").fill("already exists");
  await expect(rows).toHaveCount(2);
  await expect(rows.last()).toContainText("would be by: ");
});

test.describe("of files that take long", () => {
  // What a service worker answers is no request of the page.
  test.use({ serviceWorkers: "block" });

  test("a run of all files goes on while another part is shown, and is stopped with what is there", async ({
    lab,
    page,
  }) => {
    // Files that take longer: those that there are can all be run before a button is pressed.
    const body = scenarioOf("run: { rounds: 20000 }");
    await page.route("**/scenarios/*.yaml", (route) => route.fulfill({ body }));
    await lab.open();
    await page.keyboard.press("h");
    await page.getByText("Coverage", { exact: true }).click();
    const coverage = page.getByRole("region", { name: "Coverage" });
    await coverage.getByRole("button", { name: "By all bundled scenarios" }).click();
    await expect(coverage.getByRole("status")).toHaveText(/^[1-9]\d* of \d\d files$/);
    await page.locator("label", { hasText: "Findings" }).click();
    await expect(coverage).toBeHidden();
    await page.getByText("Coverage", { exact: true }).click();
    await coverage.getByRole("button", { name: "Stop" }).click();
    await expect(coverage.getByTestId("reached")).toContainText(
      /by [1-9]\d* of \d\d bundled scenarios, where it was stopped/,
    );
    await expect(coverage.getByRole("button", { name: "By this file" })).toBeEnabled();
  });
});
