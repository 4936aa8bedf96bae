/** A person who looks at the past, in every view, while the chain goes on; and one who looks for things by their names. */
import type { Page } from "@playwright/test";
import { drawn, type Tour, viewsOf } from "./tour.ts";

/** From one height to the next in each view: back and forth, by blocks and by tens. */
const STEPS = ["ArrowLeft", "ArrowLeft", "ArrowRight", "Shift+ArrowLeft"] as const;
/** Places in the whole history, as parts of it. */
const PLACES = [0.2, 0.5] as const;

const SOUGHT = ["val-3", "block 7", "proposal", "theme", "double sign"] as const;

export const PAST = "[data-testid=past]";

/** Goes to past heights by keys and by the overview in each view, and back to the newest block. */
export const travels: Tour = async (page, opens) => {
  // In a story the keys lead from beat to beat.
  const leave = page.locator("button", { hasText: /^Leave$/ });
  if (await leave.isVisible()) {
    await leave.click();
    await leave.waitFor({ state: "detached" });
  }
  await opens("the past");
  await arrives(page, () => page.keyboard.press("ArrowLeft"));
  for (const [i, name] of (await viewsOf(page)).entries()) {
    const view = name.replace(/\?.*/, "");
    await opens(`the view ${view} in the past`);
    await shows(page, i);
    for (const key of STEPS) {
      await opens(`another height by ${key} in ${view}`);
      await arrives(page, () => page.keyboard.press(key));
    }
    await opens(`another height by the overview in ${view}`);
    const box = await page.locator("[data-testid=overview]").boundingBox();
    if (!box) throw new Error("there is no overview of the history");
    const x = box.x + box.width * ((PLACES[i % PLACES.length] ?? 0) + i / 100);
    await arrives(page, () => page.mouse.click(x, box.y + box.height / 2));
  }
  await opens("the newest block");
  await page.keyboard.press("End");
  await page.locator(PAST).waitFor({ state: "detached" });
  await shows(page, 0);
};

/** Opens the view of a tab, whose address names the height that is shown, and waits until it is drawn. */
async function shows(page: Page, tab: number): Promise<void> {
  const href = (await viewsOf(page))[tab] ?? "";
  await page.locator("nav[aria-label=Views] a").nth(tab).click();
  await page.evaluate(drawn(href));
}

/** Opens the palette, looks for something by its name, goes through what is found, and closes it again. */
export const searches: Tour = async (page, opens) => {
  const palette = page.locator("[role=dialog]");
  for (const sought of SOUGHT) {
    await opens(`the palette, for ${sought}`);
    await page.keyboard.press("/");
    await palette.locator("[role=combobox]:focus").waitFor();
    await page.keyboard.type(sought);
    await palette.locator("[role=option]").first().waitFor();
    for (const key of ["ArrowDown", "ArrowDown", "ArrowUp", "Escape"])
      await page.keyboard.press(key);
    await palette.waitFor({ state: "detached" });
  }
};

/** Does what leads to another height, and waits until the page shows it. */
async function arrives(page: Page, act: () => Promise<void>): Promise<void> {
  await page.evaluate(NOTE);
  await act();
  await page.evaluate(SHOWS_ANOTHER);
}

const NOTE = `window.before = document.querySelector("[data-testid=height]").textContent`;

/** Resolves when the page shows another height than the one that was noted, and is on its way to no other. */
const SHOWS_ANOTHER = `new Promise((resolve, reject) => {
  const patience = setTimeout(() => reject(new Error("no other height is shown")), 300_000);
  const look = () => {
    const past = document.querySelector("${PAST}");
    const height = document.querySelector("[data-testid=height]").textContent;
    if (past === null || height === window.before || past.textContent.includes("Going to")) return false;
    observer.disconnect();
    clearTimeout(patience);
    resolve();
    return true;
  };
  const observer = new MutationObserver(look);
  if (!look()) observer.observe(document.body, { characterData: true, childList: true, subtree: true });
})`;
