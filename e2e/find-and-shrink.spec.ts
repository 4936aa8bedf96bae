/** A hypothesis becomes a search, the search a short story, and the story a world at the height at which it breaks. */
import type { Page } from "@playwright/test";
import { expect, expectWhile, test, violationsOf } from "./helpers.ts";

const FAMILY = `scenario: 1
name: two-late
title: Two late operators
genesis: { validators: 4 }
vary:
  - { at: "steps[2].nodes.which", subset: [val-0, val-1, val-2], least: 1, most: 2 }
  - { at: "steps[0].run", range: [2, 9] }
steps:
  - run: 3
  - run: 2
  - nodes: { which: [val-0], stop: true }
  - run: 2
never:
  - { name: it stands still, chain: halted }
`;

async function write(page: Page, text: string): Promise<void> {
  const editor = page.getByRole("textbox", { name: "Text of the hypothesis" });
  await editor.press("ControlOrMeta+A");
  await page.keyboard.insertText(text);
}

test("a hypothesis is checked, searched and broken by the shortest story, which opens where it breaks", async ({
  lab,
  page,
}) => {
  await lab.open();
  await page.keyboard.press("h");
  const hypothesis = page.getByRole("region", { name: "Hypothesis" });
  const search = page.getByRole("region", { name: "Search", exact: true });
  const start = search.getByRole("button", { name: "Search", exact: true });

  // The initial hypothesis can be searched, without scrolling.
  await expect(start).toBeEnabled();
  await expect(start).toBeInViewport({ ratio: 1 });

  // An error is shown beside its cause, and disables the search.
  await write(page, FAMILY.replace("[2, 9]", "[9, 2]"));
  await expect(hypothesis).toContainText("Line 7: expected a range");
  await expect(start).toBeDisabled();
  const heading = hypothesis.getByRole("heading").first();
  await expect(heading).not.toHaveText("Two late operators");

  await write(page, FAMILY);
  await expect(heading).toHaveText("Two late operators");
  await expect(hypothesis.getByText("hypothesis.yaml", { exact: true })).toBeVisible();
  await expect(hypothesis.getByRole("list", { name: "Properties" })).toContainText(
    "it stands still",
  );
  await expect(hypothesis.getByRole("list", { name: "What may differ" })).toContainText(
    "1 to 2 of val-0, val-1, val-2",
  );
  expect(await violationsOf(page)).toEqual([]);

  await start.click();
  const state = search.getByRole("status");
  await expectWhile(state, (within) => expect(state).toContainText("Ended: it found", within));
  const finding = page.getByRole("region", { name: "Finding", exact: true });
  await expect(finding).toContainText("never: it stands still.");
  const steps = finding.getByRole("region", { name: "Steps of the finding" }).getByRole("row");
  // Its head, and at most the stop and a round.
  expect(await steps.count()).toBeLessThanOrEqual(3);
  await expect(finding).toContainText("Shrunk from 4 steps to");
  await expect(finding).not.toContainText("every one is needed");
  await expect(finding).not.toContainText(/halted at \d+: the chain is halted/);
  await finding.getByRole("button", { name: "Shrink log" }).click();
  await expect(finding.getByRole("list", { name: "What was tried" })).toContainText("kept");
  expect(await violationsOf(page)).toEqual([]);

  // The chain on screen has not been touched; now the story takes its place.
  await finding.getByRole("button", { name: /^Open at block/ }).click();
  await expect(lab.status).toContainText("Halted");
  await expect(page.getByRole("region", { name: "Network", exact: true })).toBeVisible();
});

test("on a phone what a search finds comes into view", async ({ lab, page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await lab.open();
  await page.keyboard.press("h");
  await write(page, FAMILY);
  const search = page.getByRole("region", { name: "Search", exact: true });
  await search.getByRole("button", { name: "Search", exact: true }).click();
  const finding = page.getByRole("region", { name: "Finding", exact: true });
  await expect(finding.getByRole("heading").first()).toBeInViewport({ ratio: 1 });
});

test("a search that finds nothing says so, and one can be stopped", async ({ lab, page }) => {
  await lab.open();
  await page.keyboard.press("h");
  const search = page.getByRole("region", { name: "Search", exact: true });
  const start = search.getByRole("button", { name: "Search", exact: true });
  // More cases than are counted, so that they do not come to an end by themselves.
  const many = "vary:\n  - { at: seed, range: [1, 2000000] }";
  await write(page, FAMILY.replace("most: 2", "most: 1").replace("vary:", many));
  await search.getByLabel("Cases at most").fill("40");
  await start.click();
  await expect(search.getByRole("status")).toHaveText("Ended: nothing was found.");
  await expect(page.getByRole("region", { name: "Findings" })).toContainText(
    "In 40 cases everything held.",
  );

  await search.getByLabel("Coverage-guided").check();
  await start.click();
  await expect(search).toContainText(/\d+ features and .* reached, /);
  await expect(search.getByRole("status")).toHaveText("Ended: nothing was found.");

  await search.getByLabel("Cases at most").fill("");
  await search.getByLabel("Seconds at most").fill("");
  await start.click();
  await search.getByRole("button", { name: "Stop" }).click();
  await expect(search.getByRole("status")).toHaveText("Stopped.");
});
