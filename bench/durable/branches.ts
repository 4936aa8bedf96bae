/** Memory of a page in which branches of one world are begun and played, one after the other. */
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { openLab } from "../../tools/kill-while-acting.ts";
import { KillableBrowser } from "../../tools/killable-browser.ts";
import {
  largestTab,
  type PageMemory,
  type ProcessMemory,
  reaches,
  WINDOW,
  watchedMemory,
} from "./page.ts";

/** As many as the bound of the history is to hold with. */
export const BRANCHES = 10;

/**
 * Memory of a page whose world has so many blocks, and of the same page after each of ten branches, which begin in the
 * middle and are played as far.
 */
export async function branchMemory(
  origin: string,
  scratch: string,
  blocks: number,
): Promise<PageMemory> {
  const browser = await KillableBrowser.start(join(scratch, "branches"));
  try {
    const blank = await browser.newPage();
    const empty = await largestTab(browser);
    await blank.close();
    const page = await openLab(browser, origin);
    await page.setViewportSize(WINDOW);
    await page.getByLabel("Speed").selectOption("full speed");
    await reaches(page, blocks);
    const at: ProcessMemory[] = [await largestTab(browser)];
    for (let branch = 1; branch <= BRANCHES; branch += 1) {
      await fork(page, Math.floor(blocks / 2), `branch ${branch}`);
      await reaches(page, blocks);
      at.push(await largestTab(browser));
    }
    return { empty, at, watched: await watchedMemory(browser, page) };
  } finally {
    await browser.kill();
  }
}

/** Begins a branch at a height and has it play, as a person does. */
async function fork(page: Page, height: number, name: string): Promise<void> {
  const past = page.getByTestId("past");
  await page.evaluate((to) => {
    location.hash = `#/network?height=${to}`;
  }, height);
  await past.getByText(`Everything below is block ${height.toLocaleString("en")}.`).waitFor();
  await page.keyboard.press("f");
  const form = page.getByRole("dialog", { name: "Fork at block" });
  await form.getByLabel("Name").fill(name);
  await form.getByRole("button", { name: "Fork here" }).click();
  await past.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Play", exact: true }).click();
}
