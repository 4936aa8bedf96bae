/** Where the engine runs: bundled as it is shipped, in a fresh Node process or in a headless Chromium. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { chromium } from "@playwright/test";
import { build, preview } from "vite";
import { CHROMIUM_ARGS, ensureChromium } from "../../tools/chromium.ts";
import type { Plan, Result } from "./cases.ts";

export interface Measured {
  /** With its version. */
  readonly platform: string;
  readonly result: Result;
}

/** Measures a plan on one platform; `scratch` is an empty folder for the build. */
export type Platform = (plan: Plan, scratch: string) => Promise<Measured>;

export const PLATFORMS: Readonly<Record<string, Platform>> = {
  node: inNode,
  chromium: inChromium,
};

const pathOf = (url: URL): string => fileURLToPath(url);
const progress = (platform: string, line: string): void => console.error(`${platform}: ${line}`);

async function inNode(plan: Plan, scratch: string): Promise<Measured> {
  await build({
    configFile: false,
    logLevel: "warn",
    ssr: { noExternal: true },
    build: {
      ssr: pathOf(new URL("./node-main.ts", import.meta.url)),
      outDir: scratch,
      emptyOutDir: true,
      target: "node20",
      rolldownOptions: { output: { entryFileNames: "main.mjs", codeSplitting: false } },
    },
  });
  const args = ["--expose-gc", join(scratch, "main.mjs"), JSON.stringify(plan)];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
  child.stderr.setEncoding("utf8").on("data", (line: string) => progress("node", line.trimEnd()));
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, "exit")]);
  if (code !== 0) throw new Error(`the measuring process ended with code ${code}`);
  return { platform: `node ${process.version.slice(1)}`, result: JSON.parse(output) };
}

async function inChromium(plan: Plan, scratch: string): Promise<Measured> {
  const root = pathOf(new URL("./browser/", import.meta.url));
  const site = { configFile: false, root, logLevel: "warn" } as const;
  const output = { outDir: scratch, emptyOutDir: true, target: "es2022" };
  await build({ ...site, worker: { format: "es" }, build: output });
  const server = await preview({
    ...site,
    build: output,
    preview: {
      host: "127.0.0.1",
      port: 4290,
      // Isolated from other origins, a page has finer clocks and may ask for its memory.
      headers: {
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Embedder-Policy": "require-corp",
      },
    },
  });
  const browser = await chromium.launch({
    executablePath: ensureChromium(),
    // Otherwise Chromium waits for a collection that comes by itself, up to a minute.
    args: [...CHROMIUM_ARGS, "--enable-blink-features=ForceEagerMeasureMemory"],
  });
  try {
    const page = await browser.newPage();
    page.on("console", (message) => progress("chromium", message.text()));
    page.on("pageerror", (error) => progress("chromium", error.message));
    await page.goto(server.resolvedUrls?.local[0] ?? "");
    const result = await page.evaluate<Result>(`measureInWorker(${JSON.stringify(plan)})`);
    return { platform: `chromium ${browser.version()}`, result };
  } finally {
    await browser.close();
    await server.close();
  }
}
