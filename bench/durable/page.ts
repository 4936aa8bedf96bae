import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "@playwright/test";
import { build } from "vite";
import { openLab } from "../../tools/kill-while-acting.ts";
import { KillableBrowser } from "../../tools/killable-browser.ts";
import { serveFolder } from "../../tools/static-server.mjs";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const VALIDATORS = 100;
/** Of a page whose memory is measured. */
export const WINDOW = { width: 1280, height: 860 };
const HOURS = { timeout: 10 * 3_600_000 };

export interface Served {
  readonly origin: string;
  close(): Promise<void>;
}

/** Builds the page as it is shipped and serves it; resolves to its server. */
export async function servePage(scratch: string): Promise<Served> {
  const outDir = join(scratch, "dist");
  const output = { outDir: relative(ROOT, outDir), emptyOutDir: true };
  await build({ root: ROOT, logLevel: "error", build: output });
  return serveFolder(outDir, 4291);
}

/**
 * Milliseconds from the opening of a saved world of so many blocks and 100 validators, in a browser that was killed
 * and started again, to its first new block.
 */
export async function reopenTime(origin: string, profile: string, blocks: number): Promise<number> {
  let browser = await KillableBrowser.start(profile);
  try {
    const page = await openLab(browser, origin);
    await beginWorld(page, VALIDATORS);
    await reaches(page, blocks);
    await browser.kill();
    browser = await KillableBrowser.start(profile);
    return await firstLiveBlock(await browser.newPage(), origin);
  } finally {
    await browser.kill();
  }
}

/** Memory of a process, in bytes. */
export interface ProcessMemory {
  readonly resident: number;
  /** Undefined where the system tells only what is resident. */
  readonly shares: MemoryShares | undefined;
}

interface MemoryShares {
  /** Private memory; this excludes shared memory such as the browser's own program. */
  readonly own: number;
  /** Private memory and a proportional share of the shared memory. */
  readonly proportional: number;
}

/** Memory of an empty tab of the browser, and of the page's process at some points. */
export interface PageMemory {
  readonly empty: ProcessMemory;
  readonly at: readonly ProcessMemory[];
  /** After two more minutes at the speed at which people watch a chain. */
  readonly watched: ProcessMemory;
}

const WATCHED_MS = 120_000;

/**
 * Memory of a page at full speed, at heights in ascending order, beside that of an empty tab: what the browser holds for
 * any page is no work of this one.
 */
export async function memoryAt(
  origin: string,
  profile: string,
  heights: readonly number[],
): Promise<PageMemory> {
  const browser = await KillableBrowser.start(profile);
  try {
    const blank = await browser.newPage();
    const empty = await largestTab(browser);
    await blank.close();
    const page = await openLab(browser, origin);
    await page.setViewportSize(WINDOW);
    await page.getByLabel("Speed").selectOption("full speed");
    const at: ProcessMemory[] = [];
    for (const height of heights) {
      await reaches(page, height);
      at.push(await largestTab(browser));
    }
    return { empty, at, watched: await watchedMemory(browser, page) };
  } finally {
    await browser.kill();
  }
}

/** Memory of a page whose chain goes on slowly: browsers give back what a busy page took, once it is busy no more. */
export async function watchedMemory(browser: KillableBrowser, page: Page): Promise<ProcessMemory> {
  await page.getByLabel("Speed").selectOption("1 block/s");
  await page.waitForTimeout(WATCHED_MS);
  return largestTab(browser);
}

/** Memory of the largest tab. */
export async function largestTab(browser: KillableBrowser): Promise<ProcessMemory> {
  const sizes = (await browser.tabs()).map(memoryOf);
  return sizes.reduce((a, b) => (b.resident > a.resident ? b : a));
}

/** Genesis options and steps of a world, besides its validators. */
interface Beginning {
  readonly gov?: object;
  readonly steps: readonly object[];
}

/** Begins a world as a person does, and lets it run at full speed. */
export async function beginWorld(
  page: Page,
  validators: number,
  { gov = {}, steps }: Beginning = { steps: [{ run: 1 }] },
): Promise<void> {
  await page.getByLabel("Speed").selectOption("full speed");
  await page.keyboard.press("s");
  const stories = page.getByRole("dialog", { name: "Stories" });
  await stories.getByText(/^Run a scenario .*of your own/).click();
  const scenario = {
    scenario: 1,
    name: "many",
    title: "Many",
    genesis: { validators, staking: { max_validators: Math.max(validators, VALIDATORS) }, gov },
  };
  const text = JSON.stringify({ ...scenario, steps });
  await stories.getByLabel("…or its text").fill(text);
  await stories.getByRole("button", { name: "Check and run" }).click();
  await page.getByTestId("story-end").waitFor({ timeout: 300_000 });
  await page.getByRole("button", { name: "Play" }).click();
}

/** Resolves when the page shows a height. */
export async function reaches(page: Page, height: number): Promise<void> {
  await page.waitForFunction(
    (least) => {
      const text = document.querySelector("[data-testid=height]")?.textContent ?? "";
      return Number(text.replaceAll(",", "")) >= least;
    },
    height,
    { ...HOURS, polling: 1000 },
  );
}

/** The height that the page shows. */
export const heightOf = async (page: Page): Promise<number> =>
  Number((await page.getByTestId("height").textContent())?.replaceAll(",", ""));

async function firstLiveBlock(page: Page, origin: string): Promise<number> {
  await page.goto(new URL("#/network", origin).href, { waitUntil: "commit" });
  const time = await page.waitForFunction(
    () => {
      if (document.querySelector("[data-testid=status]")?.textContent !== "Live") return 0;
      const height = document.querySelector("[data-testid=height]")?.textContent ?? "";
      const shown = window as unknown as { firstHeight?: string };
      shown.firstHeight ??= height;
      return height === shown.firstHeight ? 0 : performance.now();
    },
    undefined,
    { ...HOURS, polling: "raf" },
  );
  return time.jsonValue();
}

function memoryOf(pid: number): ProcessMemory {
  const rss = execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" });
  const resident = 1024 * Number(rss);
  const rollup = `/proc/${pid}/smaps_rollup`;
  if (!existsSync(rollup)) return { resident, shares: undefined };
  const text = readFileSync(rollup, "utf8");
  const bytes = (line: RegExp): number =>
    [...text.matchAll(line)].reduce((sum, [, kb]) => sum + 1024 * Number(kb), 0);
  const own = bytes(/^Private_\w+: +(\d+) kB$/gm);
  return { resident, shares: { own, proportional: bytes(/^Pss: +(\d+) kB$/gm) } };
}
