/**
 * Has the built page start the engine ahead of its own script: the script that does so is one of its own, and the
 * worker's is fetched with the page itself.
 */
import type { Plugin } from "vite";

const SOURCE = "src/ui/store/worker.ts";
const MODULES = /\/src\/ui\/store\/(worker|kept-theme|last-world|own-scripts)\.ts$/;

/** The worker's own script, and all that it loads at once. */
const WORKER_FILES = /\/engine\.(worker|start)-[^/]*\.js$/;

/** Whether a module belongs to that script; what else loads at once is one file. */
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
        const worker = files.filter(({ fileName }) => WORKER_FILES.test(fileName));
        if (!script || worker.length !== 2) throw new Error("the build starts no engine");
        const early = [
          // Not a preload: that is for what the page itself uses, and a browser says so when it does not.
          ...worker.map(({ fileName }) => `<link rel="prefetch" href="./${fileName}">`),
          // It also knows the theme, without which nothing is painted.
          `<script type="module" async blocking="render" crossorigin src="./${script.fileName}"></script>`,
        ];
        // Behind the policy that governs it.
        return html.replace('<script type="module"', `${early.join("\n    ")}\n    $&`);
      },
    },
  };
}
