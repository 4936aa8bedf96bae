/** Writes the service worker, sw.js, into the build: the files that it keeps are those that are there by then. */
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { minifySync, type Plugin, type ResolvedConfig, transformWithOxc } from "vite";
import { filesOf } from "./static-server.mjs";

const SOURCE = "src/workers/offline.sw.ts";
/** At the page's own folder, because a service worker serves the folder that it lies in. */
const NAME = "sw.js";

/** Service worker of the development server: removes that of an earlier build at this address. */
const REMOVAL = `
addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(remove()));
async function remove() {
  await registration.unregister();
  for (const name of await caches.keys()) await caches.delete(name);
  for (const page of await clients.matchAll({ type: "window" })) page.navigate(page.url.split("#")[0]);
}`;

export function offlineBuild(): Plugin {
  let config: ResolvedConfig;
  return {
    name: "chainlab:offline",
    configResolved(resolved) {
      config = resolved;
    },
    configureServer({ middlewares }) {
      middlewares.use(`/${NAME}`, (_, response) => {
        response.setHeader("Content-Type", "text/javascript").end(REMOVAL);
      });
    },
    // By then all else is written, the public files too.
    async writeBundle() {
      const dist = join(config.root, config.build.outDir);
      const source = readFileSync(join(config.root, SOURCE), "utf8");
      writeFileSync(join(dist, NAME), await serviceWorker(dist, source));
    },
  };
}

/** The service worker's script for the build in `dist`. */
export async function serviceWorker(dist: string, source: string): Promise<string> {
  const files = filesOf(dist)
    .filter((name) => name !== NAME)
    .map((name) => [
      name === "index.html" ? "" : name,
      integrityOf(readFileSync(join(dist, name))),
    ]);
  const { code } = await transformWithOxc(source, SOURCE);
  const version = createHash("sha256")
    .update(JSON.stringify(files) + code)
    .digest("hex");
  const known = `const FILES=${JSON.stringify(files)},VERSION="${version}";\n`;
  return minifySync(NAME, known + code).code;
}

const integrityOf = (content: Uint8Array): string =>
  `sha256-${createHash("sha256").update(content).digest("base64")}`;
