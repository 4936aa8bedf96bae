import type { Locator } from "@playwright/test";
import { expect, type LabPage, SOMETHING_EVERYWHERE, test, violationsOf } from "./helpers.ts";

test("a story is shown to a room: its sentence and its view, large, with keys alone", async ({
  lab,
  page,
}) => {
  await test.step("its sentence and its view are large, and keys tell it", async () => {
    await lab.open();
    await page.keyboard.press("s");
    const stories = lab.dialog("Stories");
    await stories.getByRole("searchbox", { name: "Find a story" }).fill("pp double sign tombst");
    // Typing does not trigger the page's keys.
    await expect(page).not.toHaveURL(/present/);
    await stories.getByRole("searchbox", { name: "Find a story" }).fill("double sign tombst");
    await stories.getByRole("button", { name: /^Run: A double sign is/ }).click();
    const line = page.getByTestId("story-line");
    await expect(line).toContainText("Four validators of equal stake");
    await lab.pause();

    await page.keyboard.press("p");
    await expect(page).toHaveURL(/#\/present\//);
    await expect(page.getByRole("navigation", { name: "Views" })).toBeHidden();
    const told = page.getByRole("progressbar", { name: "Steps shown" });
    const goesOn = page.getByRole("button", { name: "Autoplay" });
    await expect(goesOn).toHaveAttribute("aria-pressed", "false");
    await page.keyboard.press("Space");
    await expect(goesOn).toHaveAttribute("aria-pressed", "true");
    await page.keyboard.press("Space");
    await expect(goesOn).toHaveAttribute("aria-pressed", "false");
    for (let beat = (await reached(told)) + 1; beat <= 5; beat++) {
      await page.keyboard.press("ArrowRight");
      await expect(told).toHaveAttribute("aria-valuenow", `${beat}`);
    }
    await page.keyboard.press("ArrowLeft");
    await expect(told).toHaveText("4 of 12");
    await expect(line).toContainText("Block 7 carries the evidence");
    const evidence = page.getByRole("region", { name: /what the chain did with it/ });
    await expect(evidence.getByText("no such block on this chain")).toBeVisible();
    await expect(evidence.getByRole("button", { name: "Double sign…" })).toBeHidden();

    expect(await smallestType(page.locator("body"))).toBeGreaterThanOrEqual(18);
    expect(await violationsOf(page)).toEqual([]);
    for (const width of [390, 1920, 2560]) {
      await page.setViewportSize({ width, height: 844 });
      const wide = () => page.evaluate(() => document.documentElement.scrollWidth);
      await expect.poll(wide).toBe(width);
      await expect(line).toBeInViewport({ ratio: 1 });
      await expect(goesOn).toBeInViewport({ ratio: 1 });
    }

    await page.reload();
    await expect(line).toContainText("Block 7 carries the evidence");
    await expect(page.getByRole("navigation", { name: "Views" })).toBeHidden();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("navigation", { name: "Views" })).toBeVisible();
    await expect(page).toHaveURL(/#\/evidence/);
  });
  await page.setViewportSize({ width: 1280, height: 720 });
  await test.step("a room sees both votes and all that burns at once, whatever the screen", async () => {
    const told = page.getByRole("progressbar", { name: "Steps shown" });
    await page.keyboard.press("p");
    for (let beat = (await reached(told)) + 1; beat <= 6; beat++) {
      await page.keyboard.press("ArrowRight");
      await expect(told).toHaveAttribute("aria-valuenow", `${beat}`);
      // The node's log stands below: its letters are not cut in half.
      if (beat === 5) await expect.poll(() => page.evaluate(cutOfRow)).toBeLessThan(0.1);
    }
    const slash = page.getByRole("region", { name: "Parts of the slash" });
    const seen = [
      page.getByRole("img", { name: "conflicts with" }),
      page.getByText("no such block on this chain"),
      slash.getByText("100,000,000", { exact: true }),
      slash.getByRole("row", { name: /^Burned in block 7/ }),
    ];
    const stage = page.locator("#view");
    for (const [width, height] of [
      [1280, 720],
      [1920, 1080],
      [1024, 768],
    ] as const) {
      await page.setViewportSize({ width, height });
      await expect(async () => {
        const view = await stage.boundingBox();
        for (const part of seen) {
          const box = await part.boundingBox();
          expect(box?.y).toBeGreaterThanOrEqual(view?.y ?? Number.NaN);
          expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(
            (view?.y ?? 0) + (view?.height ?? 0),
          );
          expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width);
        }
      }).toPass();
    }
    // On a phone one vote stands below the other, with its whole hash.
    await page.setViewportSize({ width: 390, height: 844 });
    const vote = page.locator("#view [data-false]");
    const cut = () => vote.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
    await expect.poll(cut).toBeLessThanOrEqual(0);
  });
});

test("what a story is about is in sight of a room: a piece of evidence, rows above the drawer, three binaries on a phone", async ({
  lab,
  page,
}) => {
  await test.step("of many pieces of evidence the one that a story opens is in sight", async () => {
    await page.setViewportSize({ width: 1280, height: 720 });
    await lab.open();
    await presents(lab, "Two chains, and who made them", 6);
    const opened = page.locator("#view details[open] summary").first();
    await expect(opened).toContainText("slashed and tombstoned");
    await expect(opened).toBeInViewport({ ratio: 0.9 });
  });
  await page.keyboard.press("Escape");
  await expect(page).not.toHaveURL(/present/);
  await test.step("above the lines of the drawer ring and rows are whole, and nothing lies under the lines", async () => {
    await page.setViewportSize({ width: 1280, height: 720 });
    await presents(lab, "Being offline is punished mildly", 5);
    await expect(page.getByTestId("story-line")).toContainText("the minute is not over");
    const lines = page.locator("[data-part=drawer]");
    await expect(lines).toContainText("validator still jailed");
    await expect(async () => {
      const end = (await lines.boundingBox())?.y ?? 0;
      const table = await page.getByRole("region", { name: "Validators" }).boundingBox();
      for (const part of [page.locator("#ring"), ...(await page.locator("tbody tr").all())]) {
        const box = await part.boundingBox();
        expect((box?.y ?? Number.NaN) + (box?.height ?? 0)).toBeLessThanOrEqual(
          (table?.y ?? 0) + (table?.height ?? 0) + 1,
        );
      }
      for (const card of await page.locator("#view .card").all()) {
        const box = await card.boundingBox();
        expect((box?.y ?? Number.NaN) + (box?.height ?? 0)).toBeLessThanOrEqual(end + 1);
      }
    }).toPass();
    await expect(page.locator("tbody tr")).toHaveCount(4);
  });
  await page.keyboard.press("Escape");
  await expect(page).not.toHaveURL(/present/);
  await test.step("on a phone the versions of three binaries stand beside those on chain", async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await presents(lab, "The new module has no place to write", 3);
    const modules = page.getByRole("region", { name: "Every module" });
    await expect(modules.getByRole("columnheader", { name: "v2-fixed" })).toBeVisible();
    const hidden = () => modules.evaluate((table) => table.scrollWidth - table.clientWidth);
    await expect.poll(hidden).toBeLessThanOrEqual(0);
  });
});

test("without a story the presenter says how far the chain is, shows no tools, and a theme is there from the first frame on", async ({
  lab,
  page,
}) => {
  await page.addInitScript(() => {
    requestAnimationFrame(() => {
      document.documentElement.dataset.first = document.documentElement.dataset.theme ?? "none";
    });
  });
  await lab.open();
  const root = page.locator("html");
  await expect(root).toHaveAttribute("data-first", "none");
  await test.step("without a story the presenter says how far the chain is", async () => {
    await page.keyboard.press("p");
    const sentence = page.getByRole("heading", { name: /^Block / });
    await expect(sentence).toContainText("Live");
    // As high as letters of 18 pixels are.
    for (const name of await page.locator("#ring text").all())
      await expect.poll(async () => (await name.boundingBox())?.height ?? 0).toBeGreaterThan(20);
    await page.keyboard.press("Space");
    await expect(sentence).toContainText("Paused");
    const height = await sentence.textContent();
    await page.keyboard.press("ArrowRight");
    await expect(sentence).not.toHaveText(height ?? "");
    await page.getByRole("button", { name: "Leave the presenter" }).click();
    await expect(page).toHaveURL(/#\/network(\?|$)/);
  });
  await test.step("what searches and copies a list is not shown to a room", async () => {
    await lab.tellScenario(...SOMETHING_EVERYWHERE);
    await lab.view("Governance");
    const tools = page.getByRole("search", { name: "proposals" });
    await expect(tools).toContainText("2");
    await page.keyboard.press("p");
    await expect(
      page
        .locator("[data-presenting] #view")
        .getByText(/^(No proposal is in voting\.|Next: voting)/),
    ).toBeVisible();
    await expect(tools).toBeHidden();
    await page.keyboard.press("Escape");
    await expect(tools).toBeVisible();
  });
  await test.step("a theme that was chosen is there from the first frame on", async () => {
    await page.getByRole("button", { name: "Theme and presenter" }).click();
    await page.getByRole("radio", { name: "Dark" }).check();
    await expect(page.locator("body")).toHaveCSS("background-color", "rgb(13, 16, 21)");
    await page.reload();
    await expect(root).toHaveAttribute("data-first", "dark");
    await page.keyboard.press("t");
    await expect(root).toHaveAttribute("data-theme", "projector");
    await expect(page.getByText("Theme: projector.")).toBeVisible();
  });
});

/** Shows a room one beat of the story of that title. */
async function presents(lab: LabPage, title: string, beat: number): Promise<void> {
  const { page } = lab;
  await page.keyboard.press("s");
  const stories = lab.dialog("Stories");
  await stories.getByRole("searchbox", { name: "Find a story" }).fill(title);
  await stories.getByRole("button", { name: `Run: ${title}` }).click();
  await expect(stories).toBeHidden();
  const told = page.getByRole("progressbar", { name: "Steps shown" });
  await expect(told).toBeVisible();
  await lab.pause();
  await page.keyboard.press("p");
  await expect(page).toHaveURL(/#\/present\//);
  // It told itself until then, on a busy machine further than this.
  let now = await reached(told);
  while (now !== beat) {
    const on = now < beat;
    now += on ? 1 : -1;
    await page.keyboard.press(on ? "ArrowRight" : "ArrowLeft");
    await expect(told).toHaveAttribute("aria-valuenow", `${now}`);
  }
}

/** Returns the progress of the story in the presenter; the page before it shows no number. */
async function reached(told: Locator): Promise<number> {
  await expect(told).toHaveAttribute("aria-valuenow", /^\d+$/);
  return Number(await told.getAttribute("aria-valuenow"));
}

/** Returns the fraction of a row cut off at the upper edge of the drawer; NaN without rows. */
function cutOfRow(): number {
  const list = document.querySelector("[data-part=drawer] ol");
  const line = list?.firstElementChild as (Element & { currentCSSZoom?: number }) | null;
  if (!list || !line) return Number.NaN;
  const row = Number.parseFloat(getComputedStyle(line).lineHeight) * (line.currentCSSZoom ?? 1);
  const rows = (list.getBoundingClientRect().top - line.getBoundingClientRect().top) / row;
  return Math.abs(rows - Math.round(rows));
}

/** The smallest letters on screen, in pixels of the screen. */
function smallestType(body: Locator): Promise<number> {
  return body.evaluate((element) => {
    const sizes = [...element.querySelectorAll("*")]
      .filter((one) =>
        [...one.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim()),
      )
      .filter(
        (one) =>
          one.checkVisibility({ visibilityProperty: true }) && !one.closest(".hidden, noscript"),
      )
      .map((one) => {
        const { currentCSSZoom = 1 } = one as Element & { currentCSSZoom?: number };
        return Number.parseFloat(getComputedStyle(one).fontSize) * currentCSSZoom;
      });
    return Math.min(...sizes);
  });
}
