/**
 * `npm run check`: the inner loop. Static checks side by side, then the Node tests that the changes touch: those not
 * committed yet or, when there are none, the last commit's. With `--all`: every Node test.
 */
import { execFileSync } from "node:child_process";
import { runAll } from "./processes.mjs";
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
let passed = true;
await runAll(STATIC_CHECKS, ({ name, ok, output }) => {
  passed &&= ok;
  console.log(ok ? `${name}: ok` : `${output}${name}: FAILED`);
});
const tests = ["run", "--project=node", "--project=isolated", "--passWithNoTests"];
if (!given.includes("--all")) tests.push(`--changed=${changesSince()}`);
passed = runTool("vitest/vitest.mjs", tests, ["ignore", 1, 2]) && passed;
process.exitCode = passed ? 0 : 1;

/** @returns {string} the commit that `vitest --changed` compares with */
function changesSince() {
  const status = execFileSync("git", ["status", "--porcelain"], { cwd: ROOT, encoding: "utf8" });
  return status === "" ? "HEAD~1" : "HEAD";
}
