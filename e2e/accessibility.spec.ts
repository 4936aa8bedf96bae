import type { Page } from "@playwright/test";
import { SOAK } from "../tools/test-class.ts";
import { DAMAGE, readRecords, writeRecords } from "./database.ts";
import {
  expect,
  isAccessible as isFree,
  type LabPage,
  SOMETHING_EVERYWHERE,
  TWO_CHAINS,
  test,
  violationsOf,
} from "./helpers.ts";

const DESK = { width: 1280, height: 720 };
const PHONE = { width: 390, height: 844 };
const SIZES = [DESK, PHONE];

test.use({ viewport: DESK });

const DIALOG = "[role=dialog]";

test("no view and no dialog of a new chain has accessibility faults, nor does one that halts", async ({
  lab,
  page,
}) => {
  await lab.open("#/network/node/val-2");
  await expect(lab.inspector).toContainText("stake");

  await test.step("no view has any, or scrolls sideways", () => everyView(lab));

  await test.step("dialogs that have a key have none, and give the focus back", async () => {
    await page.goto("#/network");
    const opener = page.getByRole("button", { name: "Keys and terms" });
    await opener.focus();
    for (const key of ["d", "f", "i", "u", "r", "s", "w", "?"]) {
      await page.keyboard.press(key);
      await expect(page.getByRole("dialog")).toBeVisible();
      // The page behind a dialog is the same for each.
      await isAccessible(page, key === "d" ? undefined : DIALOG);
      await page.keyboard.press("Escape");
      await expect(page.getByRole("dialog")).toBeHidden();
      await expect(opener).toBeFocused();
    }
  });

  await test.step("dialogs without a key have none", async () => {
    const openers = [
      ["#/governance", "Text proposal…"],
      ["#/network/node/val-1", "Delegate, undelegate, send…"],
      ["", "A chain of your own…"],
    ] as const;
    for (const [place, opener] of openers) {
      if (place === "") await page.keyboard.press("w");
      else await page.goto(place);
      await page.getByRole("button", { name: opener }).click();
      await expect(page.getByRole("dialog").getByRole("textbox").first()).toBeVisible();
      await isAccessible(page, DIALOG);
      await page.keyboard.press("Escape");
      await expect(page.getByRole("dialog")).toBeHidden();
    }
    await page.keyboard.press("s");
    const stories = lab.dialog("Stories");
    await stories.getByText(/^Run a scenario .*of your own/).click();
    await stories.getByLabel("…or its text").fill("scenario: none");
    await stories.getByRole("button", { name: "Check and run" }).click();
    await expect(stories).toContainText("Nothing has run.");
    await isAccessible(page, DIALOG);
    await page.keyboard.press("Escape");
    await page.keyboard.press("d");
    await lab.dialog("Double sign").getByLabel("Several attack a light client").check();
    await isAccessible(page, DIALOG);
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toBeHidden();
  });

  await test.step("a halted chain has none", async () => {
    for (const name of ["val-0", "val-1"]) {
      await lab.select(name);
      await lab.inspector.getByRole("button", { name: "Stop" }).click();
      await expect(lab.inspector).toContainText("stopped");
    }
    await lab.isHalted();
    await isAccessible(page);
  });
});

test("views that are full, what opens from them, the past and a branch from there have no accessibility faults", async ({
  lab,
  page,
}) => {
  await lab.open();
  await lab.tellScenario(...SOMETHING_EVERYWHERE);

  await test.step("views that are full, and what opens from them", async () => {
    await page.goto("#/evidence");
    await isAccessible(page);

    await page.goto("#/upgrades/node/val-1");
    await expect(page.getByRole("region", { name: "Sidecar of val-1" })).toBeVisible();
    await isAccessible(page);
    // The sheet of a phone covers what is behind it.
    await page.goto("#/upgrades");
    const cancel = await lab.cancelDialog();
    await isAccessible(page, DIALOG);
    await cancel.getByRole("button", { name: "Close" }).click();

    await page.goto("#/governance/proposal/1");
    await expect(page.locator("#details")).toContainText("Proposal 1");
    await isAccessible(page);
    await page.goto("#/governance");
    await page.getByText("Deposits and votes").first().click();
    await isAccessible(page, "#view");
    await page.getByRole("button", { name: "One account: vote, deposit, withdraw…" }).click();
    await expect(page.getByRole("dialog").getByRole("combobox").first()).toBeVisible();
    await isAccessible(page, DIALOG);
    await page.keyboard.press("Escape");
  });

  await test.step("charts, the drawer, the theme and the presenter", async () => {
    await page.goto("#/charts");
    await page.getByRole("button", { name: "As a table" }).first().click();
    await isAccessible(page, "#view");

    for (const tab of ["Events", "Logs", "Node log"]) {
      await page.getByRole("button", { name: tab, exact: true }).click();
      await isAccessible(page, "section[data-part=drawer]");
    }
    await page.getByRole("button", { name: "Theme and presenter" }).click();
    await expect(page.getByRole("radio", { name: "Dark" })).toBeVisible();
    await isAccessible(page, "header");
    await page.getByRole("button", { name: "Present P" }).click();
    // The page has the story's sentence too.
    await expect(page.locator("html[data-presenting]")).toBeAttached();
    await isAccessible(page);
    await page.keyboard.press("Escape");
    await expect(lab.views.first()).toBeVisible();
  });

  await test.step("the past, and a branch from there", async () => {
    await page.getByRole("button", { name: "Leave", exact: true }).click();
    await lab.fullSpeed();
    // Not as far as the plan's height, at which it halts.
    while ((await lab.height()) < 46) {
      const wanted = (await lab.height()) + 10;
      await page.keyboard.press("Shift+ArrowRight");
      await lab.reaches(wanted);
    }
    await page.getByRole("slider", { name: "Blocks" }).focus();
    for (let i = 0; i < 3; i++) await page.keyboard.press("PageUp");
    await expect(lab.status).toContainText("Past");
    await everyView(lab);
    await page.getByRole("button", { name: "Fork here…" }).click();
    await expect(lab.dialog("Fork at block")).toBeVisible();
    await isAccessible(page, DIALOG);
  });
});

test("a forked chain, a commit and a disk have no accessibility faults", async ({ lab, page }) => {
  await lab.open();
  await lab.runScenario(...TWO_CHAINS);
  await expect(page.getByTestId("fork-card")).toBeVisible();
  await page.goto("#/network/block/3");
  await lab.inspector.getByText("Commit", { exact: true }).click();
  await expect(lab.inspector).toContainText("Verified");
  await lab.inspector.getByText("Header", { exact: true }).click();
  await isAccessible(page);
  await page.goto("#/network/node/val-1");
  await lab.inspector.getByText("Files on its disk").click();
  await expect(lab.inspector).toContainText("priv_validator_state.json");
  await isAccessible(page);
});

test("a storage notice has no accessibility faults", async ({ lab, page }) => {
  await lab.open();
  await lab.pause();
  await lab.select("val-3");
  await lab.inspector.getByRole("button", { name: "Stop" }).click();
  await expect(lab.inspector).toContainText("stopped");
  await expect(page.getByTestId("saved")).toHaveText("Saved");
  const records = await readRecords(page);
  const damaged = Object.entries(records).flatMap(([key, record]) =>
    /\/journal\//.test(key) ? [[key, DAMAGE["cut in half"](record)] as const] : [],
  );
  expect(damaged).toHaveLength(1);
  for (const viewport of SIZES) {
    await writeRecords(page, { ...records, ...Object.fromEntries(damaged) });
    await page.setViewportSize(viewport);
    await page.goto("/");
    const notice = page.getByTestId("notice");
    await expect(notice.getByRole("alert")).toContainText("journal");
    await isFree(page);
    // The keyboard reaches all that it offers, in order.
    const [first, ...others] = await notice.getByRole("button").all();
    await first?.focus();
    for (const button of others) {
      await page.keyboard.press("Tab");
      await expect(button).toBeFocused();
    }
  }
});

test("the list of worlds is opened, used and closed with the keyboard alone", async ({
  lab,
  page,
}) => {
  await lab.open();
  await expect(page.getByTestId("saved")).toHaveText("Saved");
  const opener = page.getByRole("button", { name: /^Worlds; this one is/ });
  await expect(async () => {
    await page.keyboard.press("Tab");
    await expect(opener).toBeFocused({ timeout: 1 });
  }).toPass();
  const dialog = lab.dialog("Worlds");
  await page.keyboard.press("Enter");
  await expect(dialog.getByRole("listitem")).toHaveCount(1);
  await expect(dialog.locator(":focus")).toHaveCount(1);
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(opener).toBeFocused();

  // Its key opens it from wherever the focus is, and gives it back.
  await page.keyboard.press("w");
  await expect(dialog.getByRole("listitem")).toHaveCount(1);
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(opener).toBeFocused();
});

/** Goes through every view: none has a fault, or scrolls sideways. */
async function everyView(lab: LabPage): Promise<void> {
  const links = await lab.views.all();
  expect(links.length).toBeGreaterThan(1);
  for (const [i, link] of links.entries()) {
    await link.click();
    await expect(link).toHaveAttribute("aria-current", "page");
    // The tab is marked at once; until the view is drawn the one before stands there.
    const drawn = async () =>
      (await lab.page.locator("#view").getAttribute("aria-label")) ?? "none";
    await expect.poll(async () => (await link.textContent())?.includes(await drawn())).toBe(true);
    // The parts around a view are the same for each.
    await isAccessible(lab.page, i === 0 ? undefined : "#view");
  }
}

/** Asks axe about the page, or a part of it, on a desk and on a phone; none of them scrolls sideways. */
async function isAccessible(page: Page, part?: string): Promise<void> {
  for (const viewport of [PHONE, DESK]) {
    await page.setViewportSize(viewport);
    // Targets half hidden below the sticky sentence would count as too small.
    await page.evaluate(() => scrollTo(0, 0));
    // No colour depends on the width.
    if (SOAK || viewport === DESK) await isFree(page, part);
    else expect(await violationsOf(page, part)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(viewport.width);
  }
}
