/** The timeline takes the whole page to a past height and back; the chain may go on behind. */
import type { Page } from "@playwright/test";
import { expect, type LabPage, TWO_CHAINS, test } from "./helpers.ts";

const band = (page: Page) => page.getByTestId("past");
const timeline = (page: Page) => page.getByRole("slider", { name: "Blocks" });
const backToLive = (page: Page) => page.getByRole("button", { name: "Back to live" });

/** A paused chain in which val-3 has signed twice, with no story. */
async function slashedChain(lab: LabPage): Promise<number> {
  await lab.open();
  await lab.runScenario("run: 5", "double_sign: { node: val-3 }", "run: { to: 30 }");
  await lab.page.getByRole("button", { name: "Leave" }).click();
  return lab.height();
}

/** Pitch of a cell on the timeline, in pixels. */
const CELL = 18;

test("the chain goes on behind the past, and the overview takes any part of a long history into sight", async ({
  lab,
  page,
}) => {
  await lab.open();
  await lab.fullSpeed();
  await lab.reaches(3000);
  await page.keyboard.press("ArrowLeft");
  const text = await band(page).getByRole("heading").textContent();
  await expect(band(page).getByRole("heading")).not.toHaveText(text ?? "");
  const overview = await page.getByTestId("overview").boundingBox();
  if (!overview) throw new Error("there is no overview");
  const save = page.getByRole("button", { name: "Save as a picture: Timeline" });
  const saveBox = await save.boundingBox();
  expect(
    saveBox?.y,
    "what saves the blocks is not over the end of the overview",
  ).toBeGreaterThanOrEqual(overview.y + overview.height);
  await page.mouse.click(overview.x + 18, overview.y + 11);
  await expect.poll(() => lab.height()).toBeLessThan(1000);
  const place = new URL(page.url()).hash;
  await expect(lab.status).toContainText("Past");
  expect(place).toContain("height=");
  await page.mouse.move(overview.x + overview.width / 2, overview.y + 11);
  await page.mouse.down();
  await page.mouse.move(overview.x + 16, overview.y + 11, { steps: 6 });
  await page.mouse.up();
  await expect(page.getByTestId("height")).toHaveText("1");
  await expect(page).toHaveURL(/height=1(&|$)/);
});

test("keys, pointer and address take the whole page to a past height and back", async ({
  lab,
  page,
}) => {
  await test.step("keys and pointer", async () => {
    const newest = await slashedChain(lab);
    expect(newest).toBe(30);
    const slashed = page.getByRole("table").getByRole("row", { name: /val-3/ });
    await expect(slashed).toContainText("tombstoned");

    await timeline(page).focus();
    await page.keyboard.press("ArrowLeft");
    await expect(band(page)).toContainText("You are viewing block 29 of 30.");
    await expect(lab.status).toHaveText("Past · 29 of 30");
    await page.keyboard.press("Home");
    await expect(band(page)).toContainText("You are viewing block 1 of ");
    await expect(page.getByTestId("height")).toHaveText("1");
    // Ring, table, evidence, disks: all of it is as it was.
    await expect(slashed).not.toContainText("tombstoned");
    await lab.view("Evidence");
    await expect(page.getByRole("region", { name: "Evidence", exact: true })).toContainText(
      "No evidence",
    );
    await page.keyboard.press("]");
    await expect(page.getByRole("region", { name: "Evidence", exact: true })).toContainText(
      "val-3",
    );
    // The timeline leaves the keys of the page to the page.
    await timeline(page).focus();
    await page.keyboard.press("f");
    await expect(lab.dialog("Fork at block 7")).toBeVisible();
    await page.keyboard.press("Escape");
    await page.keyboard.press("End");
    await expect(lab.status).toHaveText("Paused");
    await expect(page.getByTestId("height")).toHaveText("30");

    // A drag from the newest block to ten blocks before it.
    const box = await timeline(page).boundingBox();
    if (!box) throw new Error("the timeline is not drawn");
    const x = box.x + 16 + (newest - 1) * CELL + 7;
    await page.mouse.move(x, box.y + 40);
    await page.mouse.down();
    await page.mouse.move(x - 10 * CELL, box.y + 40, { steps: 12 });
    await page.mouse.up();
    await expect(band(page)).toContainText("You are viewing block 20 of ");
    await expect(page).toHaveURL(/height=20/);
    await backToLive(page).click();
    await expect(band(page)).toBeHidden();
  });
  await test.step("a drag is one place of the address: the height at which it ends, which Back leaves and comes back to", async () => {
    const newest = await lab.height();
    const box = await timeline(page).boundingBox();
    if (!box) throw new Error("the timeline is not drawn");
    const xOf = (height: number) => box.x + 16 + (height - 1) * CELL + 7;
    const drag = async (from: number, to: number) => {
      await page.mouse.move(xOf(from), box.y + 40);
      await page.mouse.down();
      await page.mouse.move(xOf(to), box.y + 40, { steps: 12 });
      await page.mouse.up();
    };
    const places = await page.evaluate(() => history.length);
    await drag(newest, 20);
    await expect(page).toHaveURL(/height=20/);
    // One that begins in the past is the same place at another height.
    await drag(20, 12);
    await expect(page).toHaveURL(/height=12/);
    expect(await page.evaluate(() => history.length)).toBe(places + 1);
    await page.reload();
    await expect(lab.status).toHaveText("Past · 12 of 30");
    await page.goBack();
    await expect(band(page)).toBeHidden();
    await expect(lab.status).toHaveText("Paused");
    await page.goForward();
    await expect(lab.status).toHaveText("Past · 12 of 30");
  });
  await page.keyboard.press("End");
  await expect(band(page)).toBeHidden();
  await test.step("the address holds the height: it is there after a reload, and Back leaves the past", async () => {
    await page.keyboard.press("Shift+ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    await expect(band(page)).toContainText("You are viewing block 19 of ");
    expect(page.url()).toContain("height=19");
    // A link within the page leads elsewhere at the same height.
    await lab.view("Governance");
    await expect(band(page)).toContainText("You are viewing block 19 of ");
    expect(page.url()).toContain("height=19");
    await page.reload();
    await expect(band(page)).toContainText("You are viewing block 19 of 30.");
    await expect(page.getByTestId("height")).toHaveText("19");
    await page.keyboard.press("End");
    await expect(band(page)).toBeHidden();
    expect(page.url()).not.toContain("height");
    await page.goBack();
    await expect(band(page)).toContainText("You are viewing block 19 of ");
  });
});

test("heights, worlds and marks lead to what is there, and what is not there is said", async ({
  lab,
  page,
}) => {
  await test.step("an address with a height or a world that is not there says so, and leaves the page where it is", async () => {
    await lab.open();
    await lab.tellScenario("run: 7");
    const go = (query: string) =>
      page.evaluate((hash) => {
        location.hash = hash;
      }, `#/network?${query}`);
    await go("height=99999");
    await expect(page.getByText("The address names block 99,999: the newest is 7.")).toBeVisible();
    expect(page.url()).not.toContain("height");
    await go("world=none-such&height=5");
    await expect(page.getByText("The address names a world that this browser")).toBeVisible();
    await expect(page).not.toHaveURL(/height|none-such/);
    await expect(band(page)).toBeHidden();
    await page.goto("about:blank");
    await page.goto("/#/network?world=none-such&height=5");
    await expect(page.getByText("The address names a world that this browser")).toBeVisible();
    await expect(page).not.toHaveURL(/height|none-such/);
    await expect(band(page)).toBeHidden();
    await expect(page.getByText("cannot be opened")).toBeHidden();
  });
  await page.getByRole("button", { name: "Leave", exact: true }).click();
  await test.step("a click on a block after the past that is shown goes on to it, and the band says that the chain has halted", async () => {
    await lab.runScenario("run: 12", "nodes: { which: [val-2, val-3], stop: true }");
    await page.getByRole("button", { name: "Leave" }).click();
    await page.getByRole("button", { name: "Play", exact: true }).click();
    await lab.isHalted();
    await page.keyboard.press("Home");
    await expect(band(page)).toContainText("You are viewing block 1 of 12.");
    const box = await timeline(page).boundingBox();
    if (!box) throw new Error("the timeline is not drawn");
    await page.mouse.click(box.x + 16 + 9 * CELL + 7, box.y + 40);
    await expect(lab.status).toHaveText("Past · 10 of 12");
    await expect(lab.inspector).toContainText("10");
    await expect(lab.inspector).not.toContainText("there is no block");
  });
  await page.keyboard.press("End");
  await test.step("the keys of marks lead to where a second chain began, and to the halt", async () => {
    await lab.runScenario(...TWO_CHAINS, "run: 2");
    await page.getByRole("button", { name: "Leave" }).click();
    await page.keyboard.press("[");
    await expect(band(page)).toContainText("You are viewing block 6 of ");
    await page.keyboard.press("Home");
    await page.keyboard.press("]");
    await expect(band(page)).toContainText("You are viewing block 6 of ");
    await page.keyboard.press("End");

    await lab.runScenario(
      "run: 5",
      "nodes: { which: [val-2, val-3], stop: true }",
      "run: { rounds: 40 }",
    );
    await page.getByRole("button", { name: "Leave" }).click();
    await page.keyboard.press("Home");
    await expect(band(page)).toContainText("You are viewing block 1 of ");
    await page.getByRole("button", { name: "Next event" }).click();
    await expect(band(page)).toBeHidden();
    await expect(lab.status).toContainText("Halted");
  });
});
