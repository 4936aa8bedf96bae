import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { DAMAGE, readRecords, writeRecords } from "./database.ts";
import { expect, TWO_CHAINS, test } from "./helpers.ts";

const SIZES = [
  { width: 1280, height: 720 },
  { width: 390, height: 844 },
];

for (const colorScheme of ["light", "dark"] as const) {
  for (const viewport of SIZES) {
    test.describe(`${colorScheme}, ${viewport.width} px`, () => {
      test.use({ colorScheme, viewport });

      test("no view has accessibility faults or scrolls sideways", async ({ lab, page }) => {
        test.setTimeout(120_000);
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
        for (const key of ["d", "f", "u", "r", "s", "w", "?"]) {
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
        await isAccessible(page);
        await page.goto("#/network/node/val-1");
        await lab.inspector.getByText("Files on its disk").click();
        await expect(lab.inspector).toContainText("priv_validator_state.json");
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
}

test.describe("what is said of storage", () => {
  // It would answer for the page on which nothing runs.
  test.use({ serviceWorkers: "block" });

  for (const colorScheme of ["light", "dark"] as const) {
    test(`a storage notice has no accessibility faults in ${colorScheme} colours`, async ({
      lab,
      page,
    }) => {
      await page.emulateMedia({ colorScheme });
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

async function isAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page })
    .withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"])
    .analyze();
  const found = violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join("\n")}`,
  );
  expect(found).toEqual([]);
}
