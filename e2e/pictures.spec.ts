/** Every picture of the page is saved as one that stands by itself: a viewer of images draws it as it is on screen. */
import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import type { Page } from "@playwright/test";
import { SOAK } from "../tools/test-class.ts";
import { expect, SOMETHING_EVERYWHERE, test } from "./helpers.ts";

/** Each view with the pictures in it, and words that are drawn in each. */
const PICTURES: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  Network: {
    Timeline: ["v1", "v2 due · 60"],
    Validators: ["val-0", "tombstoned", "height"],
    "The newest round": ["prevote", "precommit", "100 %"],
  },
  Evidence: {
    "Double vote of val-3": ["A", "B", "≠", "this is block 6", "no such block on this chain"],
    "Slash of val-3": ["Stood behind val-3 at 6", "100,000,000", "Burned in block 7"],
  },
  Governance: { "Proposals in the course of time": ["1. Upgrade to v2", "voting", "✓"] },
  Upgrades: { "Nodes and plan v2": ["val-2", "v1", "running", "no handler"] },
  State: { "Proof of a key of staking": ["the key", "app hash"] },
};

/** The page's own styles, external references, and elements that image viewers do not draw. */
const FOREIGN = /foreignObject|<style|<script| (class|style|href)=|var\(--|color\(|undefined/;

test("every picture is saved as SVG and PNG by keyboard, and an image viewer draws it", async ({
  lab,
  page,
  context,
}, info) => {
  await lab.open();
  await lab.tellScenario(...SOMETHING_EVERYWHERE);
  const height = await lab.height();
  const viewer = await context.newPage();
  for (const [view, pictures] of Object.entries(PICTURES)) {
    await lab.view(view);
    if (view === "State") {
      const keys = page.getByRole("region", { name: "Keys of staking" });
      await page.getByRole("navigation", { name: "Stores" }).getByText("staking").click();
      await keys.getByRole("row").getByRole("button").first().click();
    }
    for (const [title, words] of Object.entries(pictures).slice(0, SOAK ? undefined : 1)) {
      const [svg, png] = [await saved(page, title, "SVG"), await saved(page, title, "PNG")];
      const text = svg.bytes.toString();
      expect(FOREIGN.exec(text)?.[0], title).toBeUndefined();
      const path = info.outputPath(svg.name);
      await svg.saveAs(path);
      await viewer.goto(pathToFileURL(path).href);
      const drawn = await viewer.evaluate(readDrawing);
      // A page behind another one draws rarely, and a click waits until it has drawn.
      await page.bringToFront();
      expect(drawn.title).toBe(`${title}, lab-1, block ${height}`);
      for (const word of words) expect(drawn.words.join("\n"), title).toContain(word);
      // Letters are as wide as on the page, and nothing is drawn beyond the edges.
      expect(drawn.stretched, title).toEqual([]);
      expect(drawn.beyond, title).toEqual([]);
      const [width, high] = [png.bytes.readUInt32BE(16), png.bytes.readUInt32BE(20)];
      expect([width, high], `${title} in pixels`).toEqual([2 * drawn.width, 2 * drawn.height]);
    }
  }
  await viewer.close();
});

test("a picture has the colours of the theme, and the palette saves it too", async ({
  lab,
  page,
}) => {
  await page.emulateMedia({ colorScheme: "dark" });
  await lab.open();
  await lab.pause();
  const ground = (text: string) => /<rect [^>]*fill="(#[0-9a-f]{6})"/.exec(text)?.[1];
  const dark = ground((await saved(page, "Validators", "SVG")).bytes.toString());
  await page.emulateMedia({ colorScheme: "light" });
  await page.keyboard.press("/");
  await page.getByLabel("Find anything").fill("save validators svg");
  const download = page.waitForEvent("download");
  await page.keyboard.press("Enter");
  const light = ground(await readFile(await (await download).path(), "utf8"));
  expect(light).toBe("#ffffff");
  expect(dark).toMatch(/^#[0-3]/);
});

async function saved(page: Page, title: string, kind: "SVG" | "PNG") {
  const corner = page.getByRole("button", { name: `Save as a picture: ${title}`, exact: true });
  await corner.press("Enter");
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: `${title} as ${kind}`, exact: true }).press("Enter");
  const file = await download;
  await expect(corner).toBeFocused();
  const bytes = await readFile(await file.path());
  return { name: file.suggestedFilename(), bytes, saveAs: (path: string) => file.saveAs(path) };
}

/** Returns the contents of an SVG that is open as a file. */
function readDrawing() {
  const root = document.documentElement as unknown as SVGSVGElement;
  const { width, height } = root.viewBox.baseVal;
  const texts = [...root.querySelectorAll("text")];
  const stretched = texts.flatMap((text) => {
    const wanted = Number(text.getAttribute("textLength"));
    text.removeAttribute("textLength");
    const found = text.getComputedTextLength();
    return wanted > 0 && Math.abs(found - wanted) > 2 + wanted / 20
      ? [`${text.textContent}: ${found}, not ${wanted}`]
      : [];
  });
  const beyond = texts.flatMap((text) => {
    const { left, right, top, bottom } = text.getBoundingClientRect();
    const isIn = left >= 0 && top >= 0 && right <= width + 1 && bottom <= height + 1;
    return isIn ? [] : [text.textContent];
  });
  const words = texts.map(({ textContent }) => textContent?.trim());
  const title = root.querySelector("title")?.textContent;
  return { title, words, stretched, beyond, width, height };
}
