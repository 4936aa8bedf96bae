/** `npm run build`: the page, the command, and the size budget of the first screen. */
import { runTool } from "./setup.mjs";

const built = [
  ["vite/bin/vite.js", "build"],
  ["vite/bin/vite.js", "build", "--config", "vite.node.config.ts"],
  ["tsx/dist/cli.mjs", "tools/budget.ts"],
].every(([tool = "", ...args]) => runTool(tool, args, ["ignore", 1, 2]));
process.exitCode = built ? 0 : 1;
