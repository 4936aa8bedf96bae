/**
 * Has the built page start the engine ahead of its own script: the script that does so is one of its own. It is asked
 * for second all the same, since the first of two has the page's own connection and the other waits for a new one:
 * on a narrow line what shows the first block comes first, as a slow processor needs longer for it. Of the worker
 * only the few bytes that name the rest are fetched with the page, for the same reason.
 */
import type { Plugin } from "vite";

const SOURCE = "src/ui/store/worker.ts";
const MODULES = /\/src\/ui\/store\/(worker|kept-theme|last-world|own-scripts)\.ts$/;

const WORKER = /\/engine\.worker-[\w-]+\.js$/;
const PAGE = /<script type="module".*<\/script>/;

/** True if a module belongs to that script; everything else that loads at startup is one file. */
export const isEarly = (id: string): boolean => MODULES.test(id);

export function earlyEngine(): Plugin {
  return {
    name: "chainlab:early-engine",
    apply: "build",
    config: () => ({
      build: { rolldownOptions: { input: { index: "index.html", engine: SOURCE } } },
    }),
    transformIndexHtml: {
      order: "post",
      handler(html, { bundle = {} }) {
        const files = Object.values(bundle);
        const script = files.find((file) => file.type === "chunk" && file.name === "engine");
        const worker = files.find(({ fileName }) => WORKER.test(fileName));
        if (!script || !worker) throw new Error("the build starts no engine");
        // It also knows the theme, without which nothing is painted.
        const early = [
          `<link rel="modulepreload" crossorigin href="./${worker.fileName}" />`,
          `<script type="module" async blocking="render" crossorigin src="./${script.fileName}"></script>`,
        ];
        return html.replace(PAGE, ["$&", ...early].join("\n    "));
      },
    },
  };
}
