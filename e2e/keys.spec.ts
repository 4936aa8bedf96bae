/** Every key that the help promises does what it says: in every view, in a story, in the past; and none while one types. */
import type { Page } from "@playwright/test";
import { SOAK } from "../tools/test-class.ts";
import { expect, SOMETHING_EVERYWHERE, test } from "./helpers.ts";

/** Keys that open a dialog, with its title; in the past, those that change the chain fork first. */
const OPENS: Readonly<Record<string, readonly [press: string, title: RegExp, steers?: true]>> = {
  f: ["f", /^Fork at block/],
  d: ["d", /^Make a validator double sign/, true],
  i: ["i", /^Inject a fault/, true],
  u: ["u", /^Propose an upgrade/, true],
  q: ["q", /^Text proposal/, true],
  b: ["b", /^Proposal 2/, true],
  g: ["g", /^Stake of val-/, true],
  r: ["r", /^Run until/, true],
  s: ["s", /^Stories/],
  w: ["w", /^Worlds/],
  y: ["y", /./],
  l: ["l", /^Share/],
  c: ["c", /^A chain of your own/],
  o: ["o", /^Replay with one change/i],
  "/": ["/", /^Palette/],
  "?": ["?", /^Keys and terms/],
};

/** Other keys, each tested below, or where its control is tested. */
const OTHERS = [
  ...["Space", "→", "←", "Shift →", "Shift ←", "Home", "End", "[", "]", "z", "Shift Z"],
  ...["x", "v", "h", "k", "m", "p", "t", "e", "Shift R", "Shift C", "Esc", "1 to 9"],
  ...["← → on the timeline", "N, Shift N", "Shift S, E, L, O, A, T", "Shift D"],
];

async function opens(page: Page, keys: readonly string[], inPast = false): Promise<void> {
  for (const key of keys) {
    const [press, title, steers] = OPENS[key] ?? ["", /^$/];
    await page.keyboard.press(press);
    const name = inPast && steers ? /^Fork at block/ : title;
    await expect(page.getByRole("dialog", { name }), `${key} at ${page.url()}`).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
  }
}

test("every key of the help does what it promises, in every view, in the past and in a story", async ({
  lab,
  page,
  context,
}) => {
  await lab.open();
  await lab.runScenario(...SOMETHING_EVERYWHERE.map((step) => step.replace("at: 60", "at: 600")));
  await page.keyboard.press("?");
  const help = lab.dialog("Keys and terms").locator("kbd");
  const keys = [...Object.keys(OPENS), ...OTHERS];
  await expect(help).toHaveCount(keys.length);
  expect((await help.allTextContents()).toSorted()).toEqual(keys.toSorted());
  await page.keyboard.press("Escape");

  const views = await lab.views.count();
  expect(views).toBeGreaterThan(5);
  for (let view = 1; view <= views; view += 1) {
    await page.keyboard.press(String(view));
    await expect(lab.views.nth(view - 1)).toHaveAttribute("aria-current", "page");
    // All of them in the first view, and each in several others.
    await opens(
      page,
      Object.keys(OPENS).filter((_, i) => SOAK || view === 1 || (i + view) % 4 === 0),
    );
  }
  // In the story that has been told x leaves it.
  await expect(page.getByTestId("story-end")).toBeVisible();
  await page.keyboard.press("x");
  await expect(page.getByTestId("story-end")).toBeHidden();

  const newest = await lab.height();
  await page.getByLabel("Speed").selectOption("1 block/s");
  await page.keyboard.press(" ");
  await expect(lab.status).toHaveText("Live");
  await page.keyboard.press(" ");
  await expect(lab.status).toHaveText("Paused");
  const stopped = await lab.height();
  expect(stopped).toBeGreaterThanOrEqual(newest);
  await page.keyboard.press("ArrowRight");
  await lab.reaches(stopped + 1);
  await page.keyboard.press("Shift+ArrowRight");
  await lab.reaches(stopped + 11);
  const now = stopped + 11;
  const past = (height: number) => expect(lab.status).toHaveText(`Past · ${height} of ${now}`);
  await page.keyboard.press("ArrowLeft");
  await past(now - 1);
  await page.keyboard.press("Shift+ArrowLeft");
  await past(now - 11);
  await page.keyboard.press("ArrowRight");
  await past(now - 10);
  await page.keyboard.press("Home");
  await past(1);
  await page.keyboard.press("b");
  await expect(page.getByText("There is no proposal to vote on.")).toBeVisible();
  await page.keyboard.press("]");
  await expect(lab.status).not.toHaveText(`Past · 1 of ${now}`);
  const marked = await lab.status.textContent();
  await page.keyboard.press("]");
  await expect(lab.status).not.toHaveText(marked ?? "");
  await page.keyboard.press("[");
  await expect(lab.status).toHaveText(marked ?? "");
  await page.keyboard.press("Home");
  await past(1);
  await page.keyboard.press("Shift+ArrowRight");
  await past(11);
  await opens(page, Object.keys(OPENS), true);
  await page.keyboard.press("End");
  await expect(lab.status).toHaveText("Paused");
  await page.keyboard.press("z");
  await expect(lab.status).toContainText("Past");
  await page.keyboard.press("Shift+Z");
  await expect(lab.status).toHaveText("Paused");
  await page.keyboard.press("p");
  await expect(page).toHaveURL(/presen/);
  await page.keyboard.press("Escape");
  await expect(page).not.toHaveURL(/presen/);
  const theme = () => page.locator("html").getAttribute("data-theme");
  const before = await theme();
  await page.keyboard.press("t");
  await expect.poll(theme).not.toBe(before);
  for (const [key, title] of [
    ["k", /rules/i],
    ["m", /What this model leaves out/],
  ] as const) {
    const [opened] = await Promise.all([context.waitForEvent("page"), page.keyboard.press(key)]);
    await expect(opened.getByRole("heading", { level: 1 })).toHaveText(title);
    await opened.close();
  }
  await page.keyboard.press("v");
  await expect(page).toHaveURL(/#\/compare/);
  await page.keyboard.press("h");
  await expect(page).toHaveURL(/#\/lab/);
  await page.keyboard.press("e");
  await expect(page).toHaveURL(/#\/scenario/);
  await page.keyboard.press("1");
  await page.keyboard.press("Shift+R");
  await expect(page.getByRole("heading", { name: "recorded.yaml" })).toBeVisible();
  await page.getByRole("heading", { name: "recorded.yaml" }).click();
  for (const [i, tab] of (await lab.views.all()).entries()) {
    await expect(tab).toHaveAttribute("aria-keyshortcuts", `${i + 1}`);
  }
  const drawer = page.getByRole("region", { name: "What happened" });
  const tabs = drawer.locator("button[data-tab]");
  for (const [i, key] of [..."SELOAT"].entries()) {
    await page.keyboard.press(`Shift+${key}`);
    await expect(tabs.nth(i)).toHaveAttribute("aria-pressed", "true");
    await expect(tabs.nth(i)).toHaveAttribute("aria-keyshortcuts", `Shift+${key}`);
  }
  // It takes what is typed.
  await expect(page.getByLabel("Terminal input")).toBeFocused();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Shift+L");
  for (const name of ["Open the drawer", "Close the drawer"]) {
    await page.keyboard.press("Shift+D");
    const fold = drawer.getByRole("button", { name });
    await expect(fold).toHaveAttribute("aria-keyshortcuts", "Shift+D");
  }
  await expect(tabs.nth(2)).toHaveAttribute("aria-pressed", "true");
  await page.keyboard.press("Shift+C");
  await expect(page.getByText(`is paused at block ${now}.`)).toBeVisible();
});

test("no key is taken from one who types", async ({ lab, page }) => {
  await lab.open("#/scenario");
  const keys = "abcdefgiklmnopqrstuvwxyzACDELNORSTZ?/[]0123456789 ";
  const text = page.getByRole("textbox", { name: "Text of the scenario" });
  await text.press("ControlOrMeta+A");
  await page.keyboard.type(`# ${keys}`);
  await expect(text).toContainText("abcdefgiklmnopqrstuvwxyzACDELNORSTZ?/");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page).toHaveURL(/#\/scenario/);
  await page.goto("/#/network?drawer=api");
  const search = page.getByRole("searchbox", { name: "Search endpoints" });
  await search.pressSequentially(keys);
  await expect(search).toHaveValue(keys);
  await expect(page).toHaveURL(/#\/network\?drawer=api/);
  await expect(page.getByRole("dialog")).toHaveCount(0);
});
