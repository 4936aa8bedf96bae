/**
 * `npm run check`: the inner loop. Static checks and, beside them, the Node tests near the changes: those not committed
 * yet or, when there are none, the last commit's. Format and lint of other files are left to `npm test`, as are tests
 * that are further away. With `--all`: every file and every Node test.
 */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { runAll } from "./processes.mjs";
import { ensureDependencies, ROOT, requireNode } from "./setup.mjs";
import { staticChecks } from "./static-checks.mjs";

const HELP = `npm run check [-- --all]: format, lint, types, layers, unused code, and the Node tests near your changes

  --all       every file and every Node test
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
const all = given.includes("--all");
const changed = all ? [] : changedFiles();
const tests = all
  ? ["node_modules/vitest/vitest.mjs", "run", "--project=!browser"]
  : ["--import", "tsx", "tools/nearby-tests.ts", ...changed];
await runAll(
  [{ name: "tests", command: tests }, ...staticChecks(all ? undefined : changed)],
  ({ name, ok, output }) => {
    if (!ok) process.exitCode = 1;
    const said =
      name === "tests" ? (output.match(/^tests: .*$/m)?.[0] ?? `${name}: ok`) : `${name}: ok`;
    console.log(ok ? said : `${output}${name}: FAILED`);
  },
);

/** Files that are not committed yet or, when there are none, those of the last commit. */
function changedFiles() {
  const git = (/** @type {string[]} */ ...args) =>
    execFileSync("git", args, { cwd: ROOT, encoding: "utf8" }).split("\0").filter(Boolean);
  const open = [
    ...git("diff", "--name-only", "-z", "HEAD"),
    ...git("ls-files", "--others", "--exclude-standard", "-z"),
  ];
  const files = open.length > 0 ? open : git("diff", "--name-only", "-z", "HEAD~1");
  return files.filter((file) => existsSync(join(ROOT, file)));
}
