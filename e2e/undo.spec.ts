/** Undo is travel to before the last command of the world on screen, wherever and whenever it was given; redo is the way back. */
import { startNode } from "../tools/started-node.ts";
import { expect, LabPage, test } from "./helpers.ts";

const STOPPED = "Undo: val-3: stop, block 5";

test("undo goes by the commands of the world on screen, also after a reload and after another world", async ({
  lab,
  page,
}) => {
  const past = page.getByTestId("past");
  const notices = page.getByRole("region", { name: "Notices" });
  await lab.open();
  await lab.tellScenario(
    "run: 2",
    "nodes: { which: [val-2], stop: true }",
    "nodes: { which: [val-2], start: true }",
    "run: 3",
    "nodes: { which: [val-3], stop: true }",
    "run: 4",
  );
  await page.getByRole("button", { name: "Leave" }).click();
  expect(await lab.height()).toBe(9);
  await page.keyboard.press("/");
  const palette = lab.dialog("Palette");
  await palette.getByRole("combobox").fill("undo");
  await expect(palette.getByRole("option").first()).toContainText(STOPPED);
  await page.keyboard.press("Enter");
  await expect(past).toContainText("You are viewing block 4 of ");
  await expect(notices).toContainText(`${STOPPED}. A branch from here continues without it.`);
  await page.keyboard.press("z");
  await expect(past).toContainText("You are viewing block 1 of ");
  await expect(notices).toContainText("Undo: val-2: start, block 2, with 1 more there.");
  await page.keyboard.press("z");
  await expect(notices).toContainText("Nothing was done up to block 1 that could be undone.");
  await page.keyboard.press("Shift+Z");
  await expect(past).toContainText("You are viewing block 4 of ");
  await page.keyboard.press("Shift+Z");
  await expect(past).toBeHidden();
  await expect(lab.status).toHaveText("Paused");
  await page.keyboard.press("Shift+Z");
  await expect(notices).toContainText("Nothing was undone here: there is nothing to redo.");

  // Both are one after the other, however fast.
  await page.keyboard.press("z");
  await page.keyboard.press("z");
  await expect(past).toContainText("You are viewing block 1 of ");
  await page.keyboard.press("End");

  await page.reload();
  await expect(page.locator("html[data-keys]")).toBeAttached();
  await lab.reaches(9);
  await page.keyboard.press("z");
  await expect(past).toContainText("You are viewing block 4 of ");

  const open = async (typed: string): Promise<void> => {
    await page.keyboard.press("/");
    await palette.getByRole("combobox").fill(typed);
    await page.keyboard.press("Enter");
  };
  await open("reset the first world");
  await expect(past).toBeHidden();
  await expect(page.getByTestId("height")).not.toHaveText("9");
  await lab.reaches(1);
  // The notice about the previous world is no answer.
  await notices.getByRole("button", { name: "Dismiss" }).click();
  await page.keyboard.press("z");
  await expect(notices).toContainText("Nothing was done in this world that could be undone.");
  await expect(past).toBeHidden();
});

test("the first world begun anew gives its place back, and what is undone while the band is being fetched stays so", async ({
  lab,
  page,
}) => {
  await test.step("begun anew at one press, it gives its place back to the one before, at one press", async () => {
    const notices = page.getByRole("region", { name: "Notices" });
    await lab.open();
    await lab.tellScenario("run: 7");
    await page.getByRole("button", { name: "Leave" }).click();
    await page.keyboard.press("Shift+C");
    await expect(notices).toContainText("“Own” is paused at block 7.");
    await expect(notices.getByRole("button", { name: "Undo" })).toContainText("Z");
    await page.keyboard.press("z");
    await expect(page.getByTestId("height")).toHaveText("7");
    await expect(page.getByText("is paused at block")).toBeHidden();
  });
  await test.step("what is undone while the band is still being fetched stays so once the address is followed", async () => {
    await lab.tellScenario("run: 5", "nodes: { which: [val-3], stop: true }", "run: 4");
    await page.getByRole("button", { name: "Leave" }).click();
    await expect(page.getByTestId("saved")).toHaveText("Saved");
    let arrive = (): void => {};
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    await page.route("**/assets/address-*.js", async (route) => {
      await arrived;
      await route.continue();
    });
    await page.reload({ waitUntil: "commit" });
    await expect(page.locator("html[data-keys]")).toBeAttached();
    await lab.reaches(9);
    await page.keyboard.press("z");
    await expect(lab.status).toHaveText("Past · 4 of 9");
    arrive();
    await expect(page.getByTestId("past")).toContainText("You are viewing block 4 of ");
    await expect(page).toHaveURL(/height=4/);
    await expect(lab.status).toHaveText("Past · 4 of 9");
  });
});

test("in a page that is attached to a node others' commands are undone as theirs", async ({
  context,
  page,
}) => {
  const token = "mint-otter-41";
  const node = await startNode("--ephemeral", "--speed", "10", "--lab-token", token);
  const steering = async (one: LabPage): Promise<void> => {
    await one.page.goto(node.rest);
    await one.page.getByRole("button", { name: "Enter a token…" }).click();
    await one.page.getByLabel("Token").fill(token);
    await one.page.getByRole("button", { name: "Steer" }).click();
    await expect(one.page.getByTestId("attached")).toContainText("In control");
  };
  const doubleSign = async (one: LabPage): Promise<void> => {
    // A page behind another one draws rarely, and a click waits until it has drawn.
    await one.page.bringToFront();
    await one.page.keyboard.press("d");
    const dialog = one.dialog("Make a validator double sign");
    await dialog
      .getByRole("button", { name: /double sign|signs twice/i })
      .last()
      .click();
    await expect(dialog).toBeHidden();
  };
  const mine = new LabPage(page);
  await steering(mine);
  const other = new LabPage(await context.newPage());
  await steering(other);
  await mine.reaches(3);
  await mine.pause();
  await doubleSign(other);
  const notices = page.getByRole("region", { name: "Notices" });
  await page.keyboard.press("z");
  await expect(notices).toContainText(
    /^Undo: double sign of val-\d, block \d+, not done in this page/,
  );
  await expect(page.getByTestId("past")).toBeVisible();
  await page.keyboard.press("End");
  await doubleSign(mine);
  await page.keyboard.press("z");
  await expect(notices).toContainText(
    /Undo: double sign of val-\d, block \d+, with 1 more there\./,
  );
  expect(await node.end()).toBe(0);
});
