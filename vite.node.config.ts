import { defineConfig } from "vite";
import { lateBuiltins } from "./tools/late-builtins.ts";
import { lateProtobuf } from "./tools/late-protobuf.ts";
import { lateYaml } from "./tools/late-yaml.ts";
import { licenceTexts } from "./tools/licence-texts.ts";
import { oneProgram } from "./tools/one-program.ts";

/**
 * The `chainlab` command for Node, with its dependencies inside but one. Started by bin/chainlab.mjs. It is one script,
 * since bytecode is kept of scripts only, and each file costs a millisecond more; commands still load what they need.
 */
export default defineConfig({
  publicDir: false,
  plugins: [lateBuiltins(), lateProtobuf(), lateYaml(), licenceTexts().page, oneProgram()],
  // LevelDB is machine code, which stays in its package; a queue's are optional, and may not be there.
  ssr: { noExternal: true, external: ["classic-level", "bullmq", "ioredis"] },
  build: {
    ssr: "src/node/main.ts",
    outDir: "dist-node",
    target: "node20",
    minify: true,
    rolldownOptions: {
      output: {
        format: "cjs",
        codeSplitting: false,
        // A script that has its bytecode cannot import.
        dynamicImportInCjs: false,
        entryFileNames: "program-[hash].cjs",
      },
    },
  },
});
