/** The point of no return: how likely a bad end was at each point of it, as a chart that leads to its heights. */
import { expect, expectWhile, test, violationsOf } from "./helpers.ts";

const FAMILY = `scenario: 1
name: two-stop
genesis: { validators: 4 }
vary:
  - { steps: [1, 3], may: left_out, most: 2 }
steps:
  - run: 3
  - nodes: { which: [val-0], stop: true }
  - run: 3
  - nodes: { which: [val-1], stop: true }
  - run: { rounds: 3 }
never:
  - { name: it stands still, chain: halted }
`;

test("the chart names the command at the cliff, and leads to its height", async ({ lab, page }) => {
  await lab.open();
  await page.keyboard.press("h");
  const editor = page.getByRole("textbox", { name: "Text of the hypothesis" });
  await editor.press("ControlOrMeta+A");
  await page.keyboard.insertText(FAMILY);
  const search = page.getByRole("region", { name: "Search", exact: true });
  await search.getByRole("button", { name: "Search", exact: true }).click();
  const finding = page.getByRole("region", { name: "Finding", exact: true });
  await expectWhile(search.getByRole("status"), (within) =>
    expect(finding).toContainText("it stands still", within),
  );

  const card = page.getByRole("region", { name: "Point of no return", exact: true });
  await card.getByLabel("Futures from each point").fill("20");
  await card.getByRole("button", { name: "Find it" }).click();
  const points = card.getByRole("list", { name: "How often it ends so, by command" });
  await expectWhile(card.getByRole("status"), (within) =>
    expect(points.getByRole("button").first()).toBeVisible(within),
  );
  await expect(card).toContainText(/At block 6 it goes from \d+ % to 100 %: val-1: stop\./);
  expect(await violationsOf(page)).toEqual([]);

  // The button that saves the picture covers no point of it.
  const corner = await card
    .getByRole("button", { name: "Save as a picture: Point of no return" })
    .boundingBox();
  const last = await points.getByRole("button").last().boundingBox();
  expect((last?.x ?? 0) + (last?.width ?? 0)).toBeLessThanOrEqual(corner?.x ?? 0);

  // The same as a table.
  await card.getByRole("button", { name: "Table" }).click();
  const rows = card.getByRole("row");
  await expect(rows.last()).toContainText(/val-1: stop\d+ of 20/);
  await card.getByRole("button", { name: "Table" }).click();

  // A point leads to its height, in the story that ended so.
  await points
    .getByRole("button", { name: /^Block 3: / })
    .first()
    .click();
  await expect(page.getByTestId("past")).toContainText("You are viewing block 3 of ");
  await page.getByRole("slider", { name: "Blocks" }).focus();
  await page.keyboard.press("End");
  await lab.storyEnds("check failed");
});

test("futures that take long are stopped, and those that have run are the answer", async ({
  lab,
  page,
}) => {
  await lab.open();
  await page.keyboard.press("h");
  const editor = page.getByRole("textbox", { name: "Text of the hypothesis" });
  await editor.press("ControlOrMeta+A");
  await page.keyboard.insertText(
    `${FAMILY}disturb: { kinds: [restart], from: 1, to: 6, most: 6 }\n`,
  );
  const search = page.getByRole("region", { name: "Search", exact: true });
  await search.getByRole("button", { name: "Search", exact: true }).click();
  const card = page.getByRole("region", { name: "Point of no return", exact: true });
  await card.getByLabel("Futures from each point").fill("1000");
  await card.getByRole("button", { name: "Find it" }).click();
  await expect(card.getByRole("status")).toHaveText(/^[1-9]\d* of 1,000 futures from each point$/);
  await card.getByRole("button", { name: "Stop" }).click();
  await expect(card).toContainText(
    /how many of \d+ random continuations? of case .*, of 1,000 requested/,
  );
  const points = card.getByRole("list", { name: "How often it ends so, by command" });
  await expect(points.getByRole("button").first()).toBeVisible();
  await expect(card.getByRole("button", { name: "Find it again" })).toBeVisible();
});
