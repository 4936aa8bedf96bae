/** The page in browsers of other engines, where they are installed. */
import { cpSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import type { DrivenBrowser } from "../tools/driven-browser.ts";
import { FirefoxBrowser } from "../tools/firefox-browser.ts";
import { type HashesPage, serveHashesPage } from "../tools/hashes-page.ts";
import { findFirefox, findWebKit } from "../tools/other-browsers.ts";
import { filesOf, serveFolder } from "../tools/static-server.mjs";
import { WebKitBrowser } from "../tools/webkit-browser.ts";
import { firstMinute } from "./first-minute.ts";
import { Person } from "./person.ts";

const firefox = findFirefox();
const webkit = findWebKit();

let hashes: HashesPage;
test.beforeAll(async () => {
  if (firefox ?? webkit) hashes = await serveHashesPage();
});
test.afterAll(() => hashes?.close());

test.describe("Firefox", () => {
  test.skip(!firefox, "Nothing was tested in Firefox: none that starts is installed.");
  let browser: FirefoxBrowser;
  test.beforeAll(async () => {
    if (firefox) browser = await FirefoxBrowser.start(firefox);
  });
  test.afterAll(() => browser?.close());

  test("the first minute's tasks are done with the keyboard alone", async ({ baseURL }) => {
    await browser.goto(baseURL ?? "");
    await firstMinute(new Person(browser));
    expect(browser.errors).toEqual([]);
  });

  test("every bundled scenario comes to the hashes that it has in Node", async () => {
    await hasHashesOfNode(browser);
  });

  test("a part that could not be loaded comes when it is tried again", async () => {
    await isBroughtBack(browser);
  });
});

test.describe("WebKitGTK", () => {
  test.skip(
    !webkit,
    "Nothing was tested in WebKit: no WebKitWebDriver with a screen is installed.",
  );
  let browser: WebKitBrowser;
  test.beforeAll(async () => {
    if (webkit) browser = await WebKitBrowser.start(webkit);
  });
  test.afterAll(() => browser?.close());

  test("the first minute's tasks are done with the keyboard alone", async ({ baseURL }) => {
    await browser.goto(baseURL ?? "");
    await firstMinute(new Person(browser));
  });

  test("every bundled scenario comes to the hashes that it has in Node", async () => {
    await hasHashesOfNode(browser);
  });

  test("a part that could not be loaded comes when it is tried again", async () => {
    await isBroughtBack(browser);
  });
});

async function hasHashesOfNode(browser: DrivenBrowser): Promise<void> {
  await browser.goto(hashes.origin);
  expect(hashes.runs.length).toBeGreaterThan(60);
  for (const { file, text, run } of hashes.runs) {
    const found = await browser.evaluate((given) => {
      const { text, file } = JSON.parse(given);
      return JSON.stringify(chainlab.bundledRunOf(text, file));
    }, JSON.stringify({ text, file }));
    expect(JSON.parse(found), file).toEqual(run);
  }
}

/** At a host of its own, which lacks a file for a while. */
async function isBroughtBack(browser: DrivenBrowser): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), "chainlab-host-"));
  const served = await serveFolder(root, 0);
  try {
    cpSync("dist", root, { recursive: true });
    const [part = ""] = filesOf(root).filter((name) => /^assets\/Charts-.*\.js$/.test(name));
    renameSync(join(root, part), join(root, "aside"));
    const person = new Person(browser);
    await browser.goto(`${served.origin}#/charts`);
    await person.sees("[role=alert]", "Charts could not be loaded.");
    await person.sees("[data-testid=height]", /[1-9]/);
    await person.press("Space");
    await person.sees("[data-testid=status]", "Paused");
    await person.sees("[data-testid=saved]", "Saved");
    const height = await person.read("[data-testid=height]");
    renameSync(join(root, "aside"), join(root, part));
    await person.tabTo("Try again");
    await person.press("Enter");
    await person.sees("[role=alert]", /^$/);
    await person.sees("#view h2", /./);
    expect(await person.read("[data-testid=height]")).toBe(height);
  } finally {
    await served.close();
    rmSync(root, { recursive: true });
  }
}
