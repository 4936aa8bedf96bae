/** Writes embed.html: the page as others may show it in a frame, which says of itself that it is. */
import { readFileSync } from "node:fs";
import type { Plugin } from "vite";
import { EMBEDDED_PAGE } from "../src/node/server/security-headers.mjs";

/** The page of the same scripts. `src/ui/App.tsx` and `src/ui/store/worker.ts` read the attribute. */
const embedded = (html: string): string =>
  html
    .replace("<html", '<html data-embedded="embedded"')
    .replace(/<title>.*<\/title>/, "<title>Chainlab, embedded</title>")
    // It is a part of another page, not an app.
    .replace(/\s*<link rel="manifest"[^>]*>/, "");

export function embeddedPage(): Plugin {
  return {
    name: "chainlab:embedded-page",
    configureServer(server) {
      server.middlewares.use(`/${EMBEDDED_PAGE}`, async (_, response, next) => {
        try {
          const html = await server.transformIndexHtml("/", readFileSync("index.html", "utf8"));
          response.setHeader("Content-Type", "text/html").end(embedded(html));
        } catch (error) {
          next(error);
        }
      });
    },
    generateBundle: {
      // Runs after the page itself is emitted.
      order: "post",
      handler(_, bundle) {
        const page = bundle["index.html"];
        if (page?.type !== "asset") throw new Error("the build has no page");
        const source = embedded(String(page.source));
        this.emitFile({ type: "asset", fileName: EMBEDDED_PAGE, source });
      },
    },
  };
}
