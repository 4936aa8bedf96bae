/** The built page below a folder of a host of its own, and what a test waits for of its service worker. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { serviceWorker } from "../tools/offline-build.ts";
import { serveFolder } from "../tools/static-server.mjs";
import { test as base, expect } from "./helpers.ts";

const SW_SOURCE = readFileSync("src/workers/offline.sw.ts", "utf8");

/** The built page in a folder of a host of its own, which can be changed and taken away. */
class Site {
  readonly root = mkdtempSync(join(tmpdir(), "offline-"));
  readonly dist = join(this.root, "teaching/lab");
  #server: Awaited<ReturnType<typeof serveFolder>> | undefined;
  #port = 0;

  /** The address of the page; the same one again after a stop. */
  async start(): Promise<string> {
    if (this.#port === 0) cpSync("dist", this.dist, { recursive: true });
    this.#server = await serveFolder(this.root, this.#port);
    this.#port = Number(new URL(this.#server.origin).port);
    return `${this.#server.origin}teaching/lab/`;
  }

  async stop(): Promise<void> {
    await this.#server?.close();
    this.#server = undefined;
  }

  /** Puts another version there: another page and the service worker that goes with it. */
  async publish(title: string): Promise<void> {
    const file = join(this.dist, "index.html");
    const html = readFileSync(file, "utf8");
    writeFileSync(file, html.replace(/<title>.*<\/title>/, `<title>${title}</title>`));
    writeFileSync(join(this.dist, "sw.js"), await serviceWorker(this.dist, SW_SOURCE));
  }

  async remove(): Promise<void> {
    await this.stop();
    rmSync(this.root, { recursive: true });
  }
}

export const test = base.extend<{ site: Site }>({
  serviceWorkers: "allow",
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameters
  site: async ({}, use) => {
    const site = new Site();
    await use(site);
    await site.remove();
  },
});

/** Waits until the files are kept and the page is served from them. */
export async function isKept(page: Page): Promise<void> {
  await expect
    .poll(() => page.evaluate(() => navigator.serviceWorker.controller?.state), {
      intervals: [100],
    })
    .toBe("activated");
}
