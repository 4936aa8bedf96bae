/**
 * Has the built page start the engine ahead of its own script: the script that does so is one of its own. The worker's
 * is not fetched with the page itself: on a narrow line what shows the first block comes first, since a slow processor
 * needs longer for it.
 */
import type { Plugin } from "vite";

const SOURCE = "src/ui/store/worker.ts";
const MODULES = /\/src\/ui\/store\/(worker|kept-theme|last-world|own-scripts)\.ts$/;

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
        if (!script) throw new Error("the build starts no engine");
        // It also knows the theme, without which nothing is painted.
        const early = `<script type="module" async blocking="render" crossorigin src="./${script.fileName}"></script>`;
        // Behind the policy that governs it.
        return html.replace('<script type="module"', `${early}\n    $&`);
      },
    },
  };
}
