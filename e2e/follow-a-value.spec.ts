/** Values of expressions at every height of a run, as a chart with links, and as a table. */
import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { expect, test, violationsOf } from "./helpers.ts";

const STORY = `scenario: 1
name: story
genesis: { validators: 4 }
steps:
  - run: 5
  - double_sign: { node: val-3 }
  - run: 4
  - nodes: { which: [val-0, val-1], stop: true }
  - run: { rounds: 4 }
  - nodes: { which: [val-0, val-1], start: true }
  - run: { to: 20 }
`;

async function write(page: Page, text: string): Promise<void> {
  const editor = page.getByRole("textbox", { name: "Text of the hypothesis" });
  await editor.press("ControlOrMeta+A");
  await page.keyboard.insertText(text);
}

test("expressions are followed through a run, whose heights open from the chart and from the table", async ({
  lab,
  page,
}) => {
  await lab.open();
  await page.keyboard.press("h");
  await write(page, STORY);
  await page.getByText("Follow a value", { exact: true }).click();
  const card = page.getByRole("region", { name: "Follow a value" });
  const follow = card.getByRole("button", { name: "Follow", exact: true });
  const expressionAt = (place: number) =>
    card.getByRole("textbox", { name: `Expression ${place}`, exact: true });

  // Some are offered, by the names of the file; others are written, and what is wrong stands below.
  const add = card.getByLabel("Add an expression");
  for (const one of ["{ tokens: val-3 }", "{ events: { type: slash } }"])
    await add.selectOption(one);
  await card.getByRole("button", { name: "Add by hand" }).click();
  await expressionAt(4).fill("{ tokens: val-9 }");
  await expect(card.getByText('there is no account "val-9": expected val-0')).toBeVisible();
  await expect(expressionAt(4)).toHaveAttribute("aria-invalid", "true");
  await expect(follow).toBeDisabled();
  await expressionAt(4).fill("{ tokens: val-0 }");
  await expect(follow).toBeEnabled();
  await follow.click();

  const values = page.getByRole("region", { name: "Values by height", exact: true });
  await expect(values).toContainText("4 expressions at 21 heights, from 0 to 20");
  const bands = values.getByRole("list", { name: "chain", exact: true });
  await expect(bands.getByRole("button")).toHaveCount(3);
  await expect(bands.getByRole("button", { name: "Block 9: running, halted" })).toBeVisible();
  expect(await violationsOf(page)).toEqual([]);

  // By keyboard: along the heights with the arrows, Enter opens the run there.
  const slashes = values.getByRole("application", { name: "{ events: { type: slash } }" });
  await slashes.focus();
  for (let at = 0; at < 7; at++) await page.keyboard.press("ArrowRight");
  await expect(values.getByText("{ events: { type: slash } }: 2")).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page.getByTestId("past")).toContainText("You are viewing block 7 of ");

  // By a press on what was so, and on a height of the table.
  await bands.getByRole("button", { name: "Blocks 10 to 20: running" }).click();
  await expect(page.getByTestId("past")).toContainText("You are viewing block 10 of ");
  await values.getByRole("button", { name: "As a table" }).click();
  const row = values
    .getByRole("row")
    .filter({ has: page.getByRole("button", { name: "6", exact: true }) });
  await expect(row).toContainText("100,000,0000100,000,000");
  await row.getByRole("button").click();
  await expect(page.getByTestId("past")).toContainText("You are viewing block 6 of ");
  const download = page.waitForEvent("download");
  await values.getByRole("button", { name: "Save the numbers as CSV" }).click();
  const csv = (await readFile(await (await download).path(), "utf8")).split("\r\n");
  expect(csv[0]).toBe(
    "height,chain,{ tokens: val-3 },{ events: { type: slash } },{ tokens: val-0 }".replace(
      "height",
      "Height",
    ),
  );
  expect(csv[8]).toBe("7,running,95000000,2,100000000");

  // The chart belongs to the text that ran.
  await write(page, STORY.replace("to: 20", "to: 30"));
  await expect(values).toContainText("these are of the text before");
});

test("a run that takes long is stopped, and too many heights are refused with what helps", async ({
  lab,
  page,
}) => {
  await lab.open();
  await page.keyboard.press("h");
  await write(page, STORY.replace("to: 20", "to: 900000"));
  await page.getByText("Follow a value", { exact: true }).click();
  const card = page.getByRole("region", { name: "Follow a value" });
  const follow = card.getByRole("button", { name: "Follow", exact: true });
  await follow.click();
  await expect(card.getByRole("alert")).toContainText("expected at most 5000 heights, found more");
  await card.getByLabel("From block").fill("899999");
  await follow.click();
  await expect(card.getByRole("status")).toHaveText("Running the file…");
  await card.getByRole("button", { name: "Stop" }).click();
  await expect(card.getByRole("alert")).toContainText("it was stopped before its end");
  await expect(follow).toBeEnabled();
});
