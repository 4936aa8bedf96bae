/** `npm run build`: the page, the command, and the size budget of the first screen. */
import { runSource, runTool } from "./setup.mjs";

const io = /** @type {import("node:child_process").StdioOptions} */ (["ignore", 1, 2]);
const built =
  runTool("vite/bin/vite.js", ["build"], io) &&
  runTool("vite/bin/vite.js", ["build", "--config", "vite.node.config.ts"], io) &&
  runSource("tools/budget.ts", [], io);
process.exitCode = built ? 0 : 1;
