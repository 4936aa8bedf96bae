/** The page's worker by itself: how soon its script runs, and how soon it has made a block. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, stat } from "node:fs/promises";
import { join, relative } from "node:path";
import type { Browser } from "@playwright/test";
import { serveFolder } from "../../tools/static-server.mjs";
import type { Checkout } from "../engine/builds.ts";
import type { Both } from "../engine/pairs.ts";
import { type Pair, pairOf } from "../engine/pairs.ts";

/** Scripts that a worker of the built page loads before it makes a block. */
const SCRIPTS = /^engine\.(worker|start)-[\w-]+\.js$/;
const ENTRY = /^engine\.worker-/;
/** A file of the build with no script of its own. */
const QUIET_FILE = "third-party-licences.txt";

/** Starts workers of both builds in turns, each in a browser context of its own, in which nothing is kept. */
export async function timedWorkers(
  browser: Browser,
  builds: Both,
  turns: number,
): Promise<readonly Pair[]> {
  const sites = [await siteOf(builds[0]), await siteOf(builds[1])] as const;
  try {
    const starts: (readonly [Start, Start])[] = [];
    for (let turn = -1; turn < turns; turn++) {
      const late = turn % 2 === 0 ? undefined : await startIn(browser, sites[1]);
      const before = await startIn(browser, sites[0]);
      starts.push([before, late ?? (await startIn(browser, sites[1]))]);
    }
    // The first of each reads files that the others find in memory.
    const warm = starts.slice(1);
    const pair = (title: string, of: (start: Start) => number): Pair =>
      pairOf(
        title,
        warm.map(([before, now]) => [of(before), of(now)] as const),
      );
    return [
      pair("worker: start to its first word", ({ ready }) => ready),
      pair("worker: start to its first block", ({ block }) => block),
    ];
  } finally {
    for (const { close } of sites) await close();
  }
}

/** Bytes of script that the worker loads at its start. */
export async function workerBytes(build: Checkout): Promise<number> {
  const folder = assetsOf(build);
  const scripts = (await readdir(folder)).filter((name) => SCRIPTS.test(name));
  const sizes = await Promise.all(scripts.map((name) => stat(join(folder, name))));
  return sizes.reduce((sum, { size }) => sum + size, 0);
}

interface Site {
  readonly origin: string;
  /** Address of the worker's script. */
  readonly script: string;
  close(): Promise<void>;
}

interface Start {
  readonly ready: number;
  readonly block: number;
}

const assetsOf = ({ built }: Checkout): string => join(built, "page/assets");

async function siteOf(build: Checkout): Promise<Site> {
  const outDir = join(build.built, "page");
  const vite = join(build.root, "node_modules/vite/bin/vite.js");
  const options = [
    "--outDir",
    relative(build.root, outDir),
    "--emptyOutDir",
    "--logLevel",
    "error",
  ];
  const child = spawn(process.execPath, [vite, "build", ...options], {
    cwd: build.root,
    stdio: ["ignore", 2, 2],
  });
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`the page of ${build.name} could not be built`);
  const entry = (await readdir(assetsOf(build))).find((name) => ENTRY.test(name));
  if (entry === undefined) throw new Error(`the page of ${build.name} has no worker`);
  const { origin, close } = await serveFolder(outDir, 0);
  return { origin, script: `assets/${entry}`, close };
}

async function startIn(browser: Browser, { origin, script }: Site): Promise<Start> {
  // The page's policy lets only its own script start a worker.
  const context = await browser.newContext({ bypassCSP: true });
  try {
    const page = await context.newPage();
    // tsx wraps functions in a `__name` helper, which the page does not have.
    await page.addInitScript("globalThis.__name = (named) => named");
    await page.goto(new URL(QUIET_FILE, origin).href);
    return await page.evaluate(start, new URL(script, origin).href);
  } finally {
    await context.close();
  }
}

/** Runs in the page: asks as the page does, but without a pause. */
function start(script: string): Promise<Start> {
  return new Promise((resolve, reject) => {
    const startMs = performance.now();
    let ready = 0;
    const worker = new Worker(script, { type: "module" });
    const request = { revision: 0, blocksAfter: 0, activityAfter: 0, samples: false, brief: false };
    const ask = (): void => worker.postMessage({ call: 1, method: "lab.getFrame", request });
    worker.onerror = ({ message }) => reject(new Error(message));
    worker.onmessage = ({ data }) => {
      if (data.error) return reject(new Error(data.error.message));
      if (data.ready) ready = performance.now() - startMs;
      else if (data.response.blocks.length > 0)
        return resolve({ ready, block: performance.now() - startMs });
      ask();
    };
  });
}
