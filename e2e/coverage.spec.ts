/** Outcomes that files reach, and suggestions to reach the others. */
import type { Locator, Page } from "@playwright/test";
import { expect, test, violationsOf } from "./helpers.ts";

test("the bundled scenarios reach all that a scenario can reach, the others say why not, and a run of them is stopped with what is there", async ({
  lab,
  page,
}) => {
  await lab.open();
  await holdFilesAfter(page, 2);
  await page.keyboard.press("h");
  await page.getByText("Coverage", { exact: true }).click();
  const coverage = page.getByRole("region", { name: "Coverage" });

  await test.step("a run of all files goes on while another part is shown, and is stopped with what is there", async () => {
    await coverage.getByRole("button", { name: "By all bundled scenarios" }).click();
    await expect(coverage.getByRole("status")).toHaveText(/^2 of \d\d files$/);
    await page.locator("label", { hasText: "Findings" }).click();
    await expect(coverage).toBeHidden();
    await page.getByText("Coverage", { exact: true }).click();
    await coverage.getByRole("button", { name: "Stop" }).click();
    await expect(coverage.getByTestId("reached")).toContainText(
      /by [1-9]\d* of \d\d bundled scenarios, where it was stopped/,
    );
    await expect(coverage.getByRole("button", { name: "By this file" })).toBeEnabled();
  });

  await coverage.getByRole("button", { name: "By all bundled scenarios" }).click();
  await allAreRun(coverage);
  const rows = coverage.getByRole("row");
  await expect(rows.filter({ hasText: "evidence already exists" })).toContainText(".yaml");
  await coverage.getByLabel("Only what is not reached").check();
  await expect(rows.filter({ hasText: "evidence already exists" })).toHaveCount(0);
  await expect(rows.nth(1)).toContainText("not by a scenario: ");
  await expect(rows.filter({ hasText: "would be by: " })).toHaveCount(0);
  expect(await violationsOf(page)).toEqual([]);

  // One file alone reaches less.
  await coverage.getByLabel("Only what is not reached").uncheck();
  await coverage.getByRole("button", { name: "By this file" }).click();
  await expect(coverage.getByTestId("reached")).toContainText("by hypothesis.yaml");
  await coverage.getByLabel("Find").fill("already exists");
  await expect(rows).toHaveCount(2);
  await expect(rows.last()).toContainText("would be by: ");
});

/** Has the engine's two workers run so many files, and the next ones when the run is stopped: however quick the machine is. */
const holdFilesAfter = async (page: Page, count: number): Promise<void> =>
  page.workers()[0]?.evaluate((most) => {
    Object.defineProperty(navigator, "hardwareConcurrency", { value: 3 });
    const { postMessage } = Worker.prototype;
    const held: (() => void)[] = [];
    let given = 0;
    Worker.prototype.postMessage = function (this: Worker, ...args: unknown[]): void {
      const go = (): unknown => Reflect.apply(postMessage, this, args);
      given += 1;
      if (given <= most) go();
      else held.push(go);
    };
    addEventListener("message", ({ data }) => {
      if (data.method !== "lab.stopQuestion") return;
      Worker.prototype.postMessage = postMessage;
      for (const go of held) go();
    });
  }, count);

/** Waits for the end of a run of all files, of which each is to come within the usual time. */
async function allAreRun(coverage: Locator): Promise<void> {
  const all = coverage.getByTestId("reached").filter({ hasText: /by \d+ bundled scenarios$/ });
  let seen = "";
  while (!(await all.isVisible())) {
    const at = seen;
    await expect
      .poll(async () => {
        seen = (await coverage.textContent()) ?? "";
        return seen;
      })
      .not.toBe(at);
  }
}
