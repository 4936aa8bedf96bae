/**
 * `npm start`: installs what is missing, builds what is stale, serves the page and opens it.
 * `npm run dev` is the same with hot reload instead of a build.
 *
 * PORT chooses the first port to try (default 4173); a taken port gives way to the next free one.
 */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { ensureDependencies, isStale, ROOT, requireNode, runTool } from "./setup.mjs";
import { serveFolder } from "./static-server.mjs";

const PAGE_SOURCES = ["index.html", "vite.config.ts", "package-lock.json", "public", "src"];

/** @type {Partial<Record<NodeJS.Platform, [string, ...string[]]>>} */
const OPENERS = { darwin: ["open"], win32: ["cmd", "/c", "start", ""] };

requireNode();
try {
  await start(process.argv.includes("--dev"));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

/** @param {boolean} dev */
async function start(dev) {
  ensureDependencies();
  if (!dev && isStale("dist/index.html", PAGE_SOURCES)) {
    console.log("Building …");
    if (!runTool("vite/bin/vite.js", ["build", "--logLevel", "warn"], ["ignore", 1, 2]))
      throw new Error("The build failed; its own words are above.");
  }
  const port = Number(process.env.PORT) || 4173;
  const address = dev
    ? await serveSources(port)
    : (await serveFolder(join(ROOT, "dist"), port)).origin;
  console.log(`Chainlab is at ${address}`);
  if (hasDesktop()) openInBrowser(address);
}

/** @param {number} port */
async function serveSources(port) {
  const { createServer } = await import("vite");
  const server = await createServer({ root: ROOT, server: { port, strictPort: false } });
  await server.listen();
  return server.resolvedUrls?.local[0] ?? `http://localhost:${port}/`;
}

/** @param {string} address */
function openInBrowser(address) {
  const [command, ...args] = OPENERS[process.platform] ?? ["xdg-open"];
  const child = spawn(command, [...args, address], { stdio: "ignore", detached: true });
  // The address stands in the terminal, too.
  child.on("error", () => {}).unref();
}

function hasDesktop() {
  if (process.env.CI) return false;
  if (process.platform === "darwin" || process.platform === "win32") return true;
  return Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
}
