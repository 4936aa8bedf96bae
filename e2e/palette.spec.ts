/** The palette finds everything by its name, with the keyboard alone. */
import { expect, isAccessible, SOMETHING_EVERYWHERE, test } from "./helpers.ts";

test("the palette shows keys, is moved through by arrows, goes to what has a name, and does what has a key", async ({
  lab,
  page,
}) => {
  await test.step("it shows keys, is moved through by arrows, and leads on to the search of a view", async () => {
    await lab.open();
    await page.keyboard.press("/");
    const palette = lab.dialog("Palette");
    const option = palette.getByRole("option");
    const field = palette.getByRole("combobox");
    await expect(palette.getByRole("option", { name: "Propose an upgrade" })).toContainText("u");
    await expect(option.first()).toHaveAttribute("aria-selected", "true");
    await page.keyboard.press("ArrowDown");
    await expect(option.nth(1)).toHaveAttribute("aria-selected", "true");
    const active = await field.getAttribute("aria-activedescendant");
    await expect(option.nth(1)).toHaveAttribute("id", active ?? "");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowUp");
    await expect(option.last()).toHaveAttribute("aria-selected", "true");
    await page.keyboard.type("nothing has this name");
    await expect(palette.getByRole("status")).toHaveText(
      "Nothing is called “nothing has this name”.",
    );
    await page.keyboard.press("Enter");
    await expect(palette).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(palette).toBeHidden();
    await lab.view("Evidence");
    await page.keyboard.press("/");
    await expect(field).toBeFocused();
    await page.keyboard.press("/");
    await expect(palette).toBeHidden();
    const search = page.getByRole("main").getByRole("searchbox");
    if ((await search.count()) > 0) await expect(search.first()).toBeFocused();
  });
  await lab.view("Network");
  await test.step("it goes to views, validators, blocks, proposals and stories, and does what has a key", async () => {
    await lab.runScenario(...SOMETHING_EVERYWHERE);
    const palette = lab.dialog("Palette");
    const field = palette.getByRole("combobox", { name: "Find anything" });
    const take = async (typed: string, first: string): Promise<void> => {
      await page.keyboard.press("/");
      await expect(field).toBeFocused();
      await page.keyboard.type(typed);
      await expect(palette.getByRole("option").first()).toContainText(first);
      await page.keyboard.press("Enter");
      await expect(palette).toBeHidden();
    };
    await take("upgr", "Upgrades");
    await expect(page).toHaveURL(/#\/upgrades/);
    await take("val-2", "val-2");
    await expect(lab.inspector).toContainText("val-2");
    await take("block 7", "Block 7");
    await expect(page).toHaveURL(/\/block\/7/);
    await take("proposal 2", "Proposal 2");
    await expect(page).toHaveURL(/\/proposal\/2/);
    await take("against val-3", "Evidence against val-3");
    await expect(page).toHaveURL(/\/evidence\//);
    await take("theme: dark", "Theme: dark");
    await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
    await take("node log", "Node log");
    await expect(page).toHaveURL(/drawer=node/);
    await take("close the drawer", "Close the drawer");
    await take("ten blocks", "Ten blocks");
    await take("double-sign", "Make a validator double-sign");
    await expect(lab.dialog("Make a validator double sign")).toBeVisible();
    await page.keyboard.press("Escape");
    await take("too late to cancel", "Too late to cancel");
    await expect(page.getByTestId("story-line")).toBeVisible();
  });
});

test("in the past what the palette does is done in a branch; neither it nor the ways to share have violations", async ({
  lab,
  page,
}) => {
  await test.step("in the past what it does to the chain is done in a branch, and it leads on to any block", async () => {
    await lab.open();
    await lab.runScenario("run: 30");
    await page.getByRole("button", { name: "Leave" }).click();
    await page.keyboard.press("Shift+ArrowLeft");
    await expect(lab.status).toHaveText("Past · 20 of 30");
    const take = async (typed: string): Promise<void> => {
      await page.keyboard.press("/");
      await expect(lab.dialog("Palette").getByRole("combobox")).toBeFocused();
      await page.keyboard.type(typed);
      await page.keyboard.press("Enter");
    };
    await take("submit a text proposal");
    await expect(lab.dialog("Fork at block 20")).toContainText("Your action is done in the branch");
    await page.keyboard.press("Escape");
    await take("speed: 10");
    await expect(lab.dialog("Fork at block 20")).toBeVisible();
    await page.keyboard.press("Escape");
    await take("block 25");
    await expect(lab.status).toHaveText("Past · 25 of 30");
    await expect(lab.inspector).toContainText("25");
  });
  await page.keyboard.press("End");
  await test.step("it, the ways to share and what was shared have no violation, light and dark", async () => {
    await page.keyboard.press("/");
    await expect(lab.dialog("Palette").getByRole("option").first()).toBeVisible();
    await isAccessible(page);
    await page.keyboard.press("Escape");
    await page.keyboard.press("l");
    const link = await lab.dialog("Share").getByLabel("The link").inputValue();
    await isAccessible(page);
    await page.goto(link);
    await expect(lab.dialog("Open what was shared with you?")).toContainText("Steps");
    await isAccessible(page);
  });
});

test("what is typed before the palette has loaded is in its field, and Enter takes what it finds", async ({
  lab,
  page,
}) => {
  let held: (() => void) | undefined;
  // Idle time does not fetch it ahead.
  await page.addInitScript(() => {
    Object.assign(window, { requestIdleCallback: () => 0 });
  });
  await page.route(/Palette-[^/]*\.js$/, async (route) => {
    await new Promise<void>((resolve) => {
      held = resolve;
    });
    await route.continue();
  });
  await lab.open();
  await page.keyboard.type("/upgrx");
  await page.keyboard.press("Backspace");
  await page.keyboard.press("Enter");
  await expect.poll(() => held !== undefined).toBe(true);
  await expect(page).not.toHaveURL(/#\/upgrades/);
  held?.();
  await expect(page).toHaveURL(/#\/upgrades/);
  await expect(lab.dialog("Palette")).toBeHidden();
  // Nothing of it is left for the next time.
  await page.keyboard.press("/");
  await expect(lab.dialog("Palette").getByRole("combobox")).toHaveValue("");
});
