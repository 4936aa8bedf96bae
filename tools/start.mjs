/**
 * `npm start`: installs what is missing, builds what is stale, serves the page and opens it.
 * `npm run dev` is the same with hot reload instead of a build.
 *
 * PORT chooses the first port to try (default 4173); a taken port gives way to the next free one.
 */
import { ensureDependencies, isStale, ROOT, requireNode, runTool } from "./setup.mjs";

const PAGE_SOURCES = ["index.html", "vite.config.ts", "package-lock.json", "public", "src"];

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
  const { createServer, preview } = await import("vite");
  const listen = { port: Number(process.env.PORT) || 4173, strictPort: false, open: hasDesktop() };
  const server = dev
    ? await (await createServer({ root: ROOT, server: listen })).listen()
    : await preview({ root: ROOT, preview: listen, logLevel: "warn" });
  console.log(`Chainlab is at ${server.resolvedUrls?.local[0]}`);
}

function hasDesktop() {
  if (process.env.CI) return false;
  if (process.platform === "darwin" || process.platform === "win32") return true;
  return Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
}
