import { defineConfig } from "vite";
import { licenceTexts } from "./tools/licence-texts.ts";

/** The `chainlab` command: one file for Node, with its dependencies inside. Started by bin/chainlab.mjs. */
export default defineConfig({
  publicDir: false,
  plugins: [licenceTexts().page],
  ssr: { noExternal: true },
  build: {
    ssr: "src/node/main.ts",
    outDir: "dist-node",
    target: "node20",
    rolldownOptions: { output: { entryFileNames: "main.js", codeSplitting: false } },
  },
});
