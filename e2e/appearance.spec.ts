/**
 * Appearance of each view, against the pictures in `e2e/appearance`. Letters are drawn differently
 * by every version of Chromium and with other fonts: the pictures are compared only if both match
 * those with which they were taken.
 */
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import type { Browser, Page, TestInfo } from "@playwright/test";
import { SOAK } from "../tools/test-class.ts";
import { expect, SOMETHING_EVERYWHERE, scenarioOf, test } from "./helpers.ts";

const TAKEN_WITH = new URL("./appearance/taken-with.json", import.meta.url);
const ANEW = "npx playwright test appearance --update-snapshots=all";

const LOOKS = [
  { name: "light", colorScheme: "light", viewport: { width: 1280, height: 720 } },
  { name: "dark", colorScheme: "dark", viewport: { width: 1280, height: 720 } },
  { name: "phone", colorScheme: "light", viewport: { width: 390, height: 844 } },
] as const;

/** All of them where there is time, and where pictures are taken anew; else one. */
const looksOf = ({ config }: TestInfo): readonly (typeof LOOKS)[number][] =>
  SOAK || config.updateSnapshots === "all" ? LOOKS : LOOKS.slice(0, 1);

test("every view looks as in its pictures", async ({ lab, page, browser }, info) => {
  await drawnAsThere(browser, info);
  await lab.open();
  await lab.tellScenario(...SOMETHING_EVERYWHERE);
  await isTidy(page);
  for (const look of looksOf(info)) {
    await inLook(page, look);
    for (const link of await lab.views.all()) {
      const view = await link.getAttribute("href");
      await link.click();
      await expect(link).toHaveAttribute("aria-current", "page");
      await expect(page.locator("#view")).toHaveText(/\S/);
      if (view?.startsWith("#/network")) await isDecided(page);
      // Charts are drawn in parts: in the first, which is in sight on a phone too, one for each validator.
      if (view?.startsWith("#/charts")) {
        await expect(page.locator(".recharts-area-area:visible")).toHaveCount(4);
      }
      await looksAs(page, `${view?.split("/")[1]}-${look.name}`);
    }
  }
});

test("the editor, the palette and two worlds beside one another look as in their pictures", async ({
  lab,
  page,
  browser,
}, info) => {
  await drawnAsThere(browser, info);
  await lab.open();
  await lab.tellScenario(...SOMETHING_EVERYWHERE);
  await isTidy(page);
  await page.evaluate(() => {
    location.hash = "#/compare?with=height&at=7";
  });
  const compare = page.getByRole("region", { name: "Compare", exact: true });
  await expect(compare.getByRole("region", { name: "Keys that differ" })).toContainText("bank");
  await inEachLook(page, "compare", info);
  await page.keyboard.press("s");
  await lab.dialog("Stories").getByRole("button", { name: "Write a scenario…" }).click();
  const scenario = page.getByRole("region", { name: "Scenario" });
  await scenario.getByRole("textbox", { name: "Text" }).press("ControlOrMeta+A");
  await page.keyboard.insertText(scenarioOf("run: 3", "double_sign: { node: val-3 }", "run: -1"));
  await expect(scenario.getByRole("region", { name: "Steps" })).toContainText("expected");
  // Without the cursor, which blinks.
  await page.locator("#view").focus();
  await inEachLook(page, "editor", info);
  await page.keyboard.press("/");
  const palette = lab.dialog("Palette");
  await palette.getByRole("combobox").fill("val-");
  await expect(palette.getByRole("option").first()).toBeVisible();
  await inEachLook(page, "palette", info);
});

test("the timeline with branches looks as in its pictures", async ({
  lab,
  page,
  browser,
}, info) => {
  await drawnAsThere(browser, info);
  await lab.open();
  await lab.tellScenario(...SOMETHING_EVERYWHERE);
  await page.getByRole("button", { name: "Leave" }).click();
  const lanes = page.getByRole("list", { name: "Branches" });
  for (const [height, name] of [
    [4, "from the first blocks"],
    [7, "another try"],
  ] as const) {
    await page.getByRole("slider", { name: "Blocks" }).focus();
    await page.keyboard.press("Home");
    for (let at = 1; at < height; at++) await page.keyboard.press("ArrowRight");
    await expect(page.getByTestId("past")).toContainText(`You are viewing block ${height} of `);
    await page.keyboard.press("f");
    const form = lab.dialog(`Fork at block ${height}`);
    await form.getByLabel("Name").fill(name);
    await form.getByRole("button", { name: "Fork here" }).click();
    await expect(page.getByTestId("past")).toBeHidden();
    await page.getByRole("button", { name: "One block" }).click();
    await expect(page.getByTestId("height")).toHaveText(String(height + 1));
    await lanes.getByRole("button", { name: "Own" }).click();
    await expect(page.getByTestId("height")).not.toHaveText(String(height + 1));
  }
  await expect(lanes.getByRole("button")).toHaveCount(2);
  await isTidy(page);
  await isDecided(page);
  await inEachLook(page, "branches", info);
});

/** Skips the test aloud where letters are drawn otherwise than in the pictures; notes how they are where new ones are taken. */
async function drawnAsThere(browser: Browser, { config }: TestInfo): Promise<void> {
  const here = await drawnWith(browser);
  if (config.updateSnapshots === "all") writeFileSync(TAKEN_WITH, here);
  test.skip(
    here !== readFileSync(TAKEN_WITH, "utf8"),
    "Not compared with the pictures, which were taken with another Chromium or other fonts.",
  );
}

/** Waits until all is saved, and puts the notices away. */
async function isTidy(page: Page): Promise<void> {
  await expect(page.getByTestId("saved")).toHaveText("Saved");
  for (const dismiss of await page.getByRole("button", { name: "Dismiss" }).all())
    await dismiss.click();
}

/** Waits until the votes of the last block are shown, one after the other. */
const isDecided = (page: Page): Promise<void> =>
  expect(page.locator("#view")).toContainText("block decided");

async function inLook(
  page: Page,
  { colorScheme, viewport }: (typeof LOOKS)[number],
): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.setViewportSize(viewport);
}

/** Compares the page, with nothing under the pointer, with a picture. */
async function looksAs(page: Page, picture: string): Promise<void> {
  await page.mouse.move(0, 0);
  await expect
    .soft(page, `another look; if it is meant to be so: ${ANEW}`)
    .toHaveScreenshot(`${picture}.png`);
}

async function inEachLook(page: Page, picture: string, info: TestInfo): Promise<void> {
  for (const look of looksOf(info)) {
    await inLook(page, look);
    await looksAs(page, `${picture}-${look.name}`);
  }
}

/** The version of a Chromium, and how it draws letters with the fonts that are here: one text in each of the page's. */
async function drawnWith(browser: Browser): Promise<string> {
  const page = await browser.newPage({
    colorScheme: "light",
    viewport: { width: 800, height: 300 },
  });
  const fonts = ["system-ui, sans-serif", "ui-monospace, Menlo, Consolas, monospace"];
  const lines = fonts.map(
    (font) => `<p style="font: 16px ${font}">Hamburgefonstiv 0123456789 ✓ → … ≠ <b>bold</b></p>`,
  );
  await page.setContent(lines.join(""));
  const letters = createHash("sha256").update(await page.screenshot());
  await page.close();
  const here = { chromium: browser.version(), letters: letters.digest("hex").slice(0, 16) };
  return `${JSON.stringify(here, undefined, 2)}\n`;
}
