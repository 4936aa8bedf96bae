/**
 * `npm run check`: the inner loop. Static checks and, beside them, the Node tests near the changes: those not committed
 * yet or, when there are none, the last commit's. With `--all`: every Node test.
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { runAll } from "./processes.mjs";
import { ensureDependencies, ROOT, requireNode } from "./setup.mjs";
import { STATIC_CHECKS } from "./static-checks.mjs";

const HELP = `npm run check [-- --all]: format, lint, types, layers, unused code, and the Node tests near your changes

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
const all = given.includes("--all");
const near = all ? [] : nearbyTests();
const vitest = ["node_modules/vitest/vitest.mjs", "run", "--project=!browser"];
const tests = { name: "tests", command: [...vitest, ...near] };
if (!all && near.length === 0) console.log("tests: none is near the changes");
await runAll(
  [...(all || near.length > 0 ? [tests] : []), ...STATIC_CHECKS],
  ({ name, ok, output }) => {
    if (!ok) process.exitCode = 1;
    console.log(ok ? `${name}: ok` : `${output}${name}: FAILED`);
  },
);

/** @returns {string[]} paths, nearest first */
function nearbyTests() {
  const { status, stdout } = spawnSync(
    process.execPath,
    ["--import", "tsx", join(ROOT, "tools/nearby-tests.ts")],
    { cwd: ROOT, encoding: "utf8", stdio: ["ignore", "pipe", 2] },
  );
  if (status !== 0) process.exit(1);
  return stdout.split("\n").filter(Boolean);
}
