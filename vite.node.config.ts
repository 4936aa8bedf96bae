import { defineConfig } from "vite";
import { licenceTexts } from "./tools/licence-texts.ts";

/**
 * The `chainlab` command for Node, with its dependencies inside but one. Started by bin/chainlab.mjs. Commands load
 * what they need: the first file names the others by their content.
 */
export default defineConfig({
  publicDir: false,
  plugins: [licenceTexts().page],
  // LevelDB is machine code, which stays in its package.
  ssr: { noExternal: true, external: ["classic-level"] },
  build: {
    ssr: "src/node/main.ts",
    outDir: "dist-node",
    target: "node20",
    minify: true,
    rolldownOptions: { output: { entryFileNames: "main.js", chunkFileNames: "[name]-[hash].js" } },
  },
});
