import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { DAMAGE, readRecords, writeRecords } from "./database.ts";
import { expect, SOMETHING_EVERYWHERE, TWO_CHAINS, test } from "./helpers.ts";

const SIZES = [
  { width: 1280, height: 720 },
  { width: 390, height: 844 },
];

// A colour that is still on its way from one scheme to the other has no contrast of its own.
test.use({ contextOptions: { reducedMotion: "reduce" } });

for (const viewport of SIZES) {
  test.describe(`${viewport.width} px`, () => {
    test.use({ viewport });

    test("no view has accessibility faults or scrolls sideways", async ({ lab, page }) => {
      await lab.open("#/network/node/val-2");
      await expect(lab.inspector).toContainText("stake");
      const links = await lab.views.all();
      expect(links.length).toBeGreaterThan(1);
      for (const link of links) {
        await link.click();
        await expect(link).toHaveAttribute("aria-current", "page");
        await isAccessible(page);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(
          viewport.width,
        );
      }
    });

    test("dialogs have no accessibility faults", async ({ lab, page }) => {
      await lab.open();
      const opener = page.getByRole("button", { name: "Keys and terms" });
      await opener.focus();
      for (const key of ["d", "f", "i", "u", "r", "s", "w", "?"]) {
        await page.keyboard.press(key);
        await expect(page.getByRole("dialog")).toBeVisible();
        await isAccessible(page);
        await page.keyboard.press("Escape");
        await expect(page.getByRole("dialog")).toBeHidden();
        await expect(opener).toBeFocused();
      }
    });

    test("dialogs without a key have no accessibility faults", async ({ lab, page }) => {
      await lab.open();
      const openers = [
        ["#/governance", "Propose a text…"],
        ["#/network/node/val-1", "Delegate, undelegate, send…"],
        ["", "A chain of your own…"],
      ] as const;
      for (const [place, opener] of openers) {
        if (place === "") await page.keyboard.press("w");
        else await page.goto(place);
        await page.getByRole("button", { name: opener }).click();
        await expect(page.getByRole("dialog").getByRole("textbox").first()).toBeVisible();
        await isAccessible(page);
        await page.keyboard.press("Escape");
        await expect(page.getByRole("dialog")).toBeHidden();
      }
      await page.keyboard.press("s");
      const stories = lab.dialog("Stories");
      await stories.getByText(/^Run a scenario .*of your own/).click();
      await stories.getByLabel("…or its text").fill("scenario: none");
      await stories.getByRole("button", { name: "Check and run" }).click();
      await expect(stories).toContainText("Nothing has run.");
      await isAccessible(page);
      await page.keyboard.press("Escape");
      await page.keyboard.press("d");
      await lab.dialog("Double sign").getByLabel("Several attack a light client").check();
      await isAccessible(page);
    });

    test("the past has no accessibility faults, nor has a branch from there", async ({
      lab,
      page,
    }) => {
      await lab.open();
      await lab.runScenario(...SOMETHING_EVERYWHERE, "run: { to: 55 }");
      await page.getByRole("button", { name: "Leave", exact: true }).click();
      await page.getByRole("slider", { name: "Blocks" }).focus();
      for (let i = 0; i < 3; i++) await page.keyboard.press("PageUp");
      await expect(lab.status).toContainText("Past");
      for (const link of await lab.views.all()) {
        await link.click();
        await expect(link).toHaveAttribute("aria-current", "page");
        await isAccessible(page);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(
          viewport.width,
        );
      }
      await page.getByRole("button", { name: "Fork here…" }).click();
      await expect(lab.dialog("Fork at block")).toBeVisible();
      await isAccessible(page);
    });

    test("views that are full, and what opens from them, have no accessibility faults", async ({
      lab,
      page,
    }) => {
      await lab.open();
      await lab.tellScenario(...SOMETHING_EVERYWHERE);
      await page.goto("#/evidence");
      await isAccessible(page);

      await page.goto("#/upgrades/node/val-1");
      await expect(page.getByRole("region", { name: "Sidecar of val-1" })).toBeVisible();
      await isAccessible(page);
      // The sheet of a phone covers what is behind it.
      await page.goto("#/upgrades");
      const cancel = await lab.cancelDialog();
      await isAccessible(page);
      await cancel.getByRole("button", { name: "Close" }).click();

      await page.goto("#/governance/proposal/1");
      await expect(page.locator("#details")).toContainText("Proposal 1");
      await isAccessible(page);
      await page.goto("#/governance");
      await page.getByText("Deposits and votes").first().click();
      await isAccessible(page);
      await page.getByRole("button", { name: "One account: vote, deposit, withdraw…" }).click();
      await expect(page.getByRole("dialog").getByRole("combobox").first()).toBeVisible();
      await isAccessible(page);
      await page.keyboard.press("Escape");
    });

    test("charts, the drawer, the theme and the presenter have no accessibility faults", async ({
      lab,
      page,
    }) => {
      await lab.open();
      await lab.tellScenario(...SOMETHING_EVERYWHERE);
      await page.goto("#/charts");
      await page.getByRole("button", { name: "As a table" }).first().click();
      await isAccessible(page);

      for (const tab of ["Events", "Logs", "Log of one node"]) {
        await page.getByRole("button", { name: tab, exact: true }).click();
        await isAccessible(page, "section[data-part=drawer]");
      }
      await page.getByRole("button", { name: "Theme and presenter" }).click();
      await expect(page.getByRole("radio", { name: "Dark" })).toBeVisible();
      await isAccessible(page, "header");
      await page.getByRole("button", { name: "Present P" }).click();
      await expect(page.getByTestId("story-line")).toBeVisible();
      await isAccessible(page);
    });

    test("a forked chain, a commit and a disk have no accessibility faults", async ({
      lab,
      page,
    }) => {
      await lab.open();
      await lab.runScenario(...TWO_CHAINS);
      await expect(page.getByTestId("fork-card")).toBeVisible();
      await page.goto("#/network/block/3");
      await lab.inspector.getByText("Commit", { exact: true }).click();
      await expect(lab.inspector).toContainText("Verified");
      await lab.inspector.getByText("Header", { exact: true }).click();
      // What is scrolled half below a sentence that stays in sight is no small target.
      await page.evaluate(() => scrollTo(0, 0));
      await isAccessible(page);
      await page.goto("#/network/node/val-1");
      await lab.inspector.getByText("Files on its disk").click();
      await expect(lab.inspector).toContainText("priv_validator_state.json");
      await page.evaluate(() => scrollTo(0, 0));
      await isAccessible(page);
    });

    test("a halted chain has no accessibility faults", async ({ lab, page }) => {
      await lab.open("#/upgrades");
      for (const name of ["val-0", "val-1"]) {
        await lab.select(name);
        await lab.inspector.getByRole("button", { name: "Stop" }).click();
        await expect(lab.inspector).toContainText("stopped");
      }
      await lab.isHalted();
      await isAccessible(page);
    });
  });
}

test.describe("what is said of storage", () => {
  // It would answer for the page on which nothing runs.
  test.use({ serviceWorkers: "block" });

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
      await isAccessible(page);
      // The keyboard reaches all that it offers, in order.
      const [first, ...others] = await notice.getByRole("button").all();
      await first?.focus();
      for (const button of others) {
        await page.keyboard.press("Tab");
        await expect(button).toBeFocused();
      }
    }
  });
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

const ALL = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const OF_COLOURS = ["color-contrast", "link-in-text-block"];

/** Asks axe about the page, or a part of it; what depends on colours, in light and in dark ones. */
async function isAccessible(page: Page, part?: string): Promise<void> {
  // A line out of sight whose content is skipped has a height that is not its own.
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync("* { content-visibility: visible !important }");
    document.adoptedStyleSheets = [sheet];
  });
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    const axe = new AxeBuilder({ page });
    if (part) axe.include(part);
    if (colorScheme === "light") axe.withTags(ALL);
    else axe.withRules(OF_COLOURS);
    const { violations } = await axe.analyze();
    const found = violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join("\n")}`,
    );
    expect(found, colorScheme).toEqual([]);
  }
}
