/**
 * `npm run check`: the inner loop. Static checks side by side, then the Node tests that the changes touch: those not
 * committed yet or, when there are none, the last commit's. With `--all`: every Node test.
 */
import { execFileSync, spawn } from "node:child_process";
import { join } from "node:path";
import { ensureDependencies, ROOT, requireNode, runTool } from "./setup.mjs";
import { STATIC_CHECKS } from "./static-checks.mjs";

const HELP = `npm run check [-- --all]: format, lint, types, layers, unused code, and the Node tests that your changes touch

  --all       every Node test
  -h, --help  this text`;

const given = process.argv.slice(2);
if (given.some((flag) => ["--help", "-h"].includes(flag))) {
  console.log(HELP);
  process.exit(0);
}
const unknown = given.find((flag) => flag !== "--all");
if (unknown !== undefined) {
  console.error(`npm run check: unknown flag ${unknown}\n\n${HELP}`);
  process.exit(2);
}

requireNode();
try {
  ensureDependencies();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
const results = await Promise.all(STATIC_CHECKS.map(staticCheck));
const tests = ["run", "--project", "node", "--passWithNoTests"];
if (!given.includes("--all")) tests.push(`--changed=${changesSince()}`);
const passed = runTool("vitest/vitest.mjs", tests, ["ignore", 1, 2]);
process.exitCode = passed && results.every(Boolean) ? 0 : 1;

/**
 * Prints what the tool says only when it fails.
 * @param {(typeof STATIC_CHECKS)[number]} check
 * @returns {Promise<boolean>}
 */
function staticCheck({ name, tool, args }) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [join(ROOT, "node_modules", tool), ...args], {
      cwd: ROOT,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text) => {
        output += text;
      });
    }
    child.on("close", (code) => {
      console.log(code === 0 ? `${name}: ok` : `${output}${name}: FAILED`);
      resolve(code === 0);
    });
  });
}

/** @returns {string} the commit that `vitest --changed` compares with */
function changesSince() {
  const status = execFileSync("git", ["status", "--porcelain"], { cwd: ROOT, encoding: "utf8" });
  return status === "" ? "HEAD~1" : "HEAD";
}
