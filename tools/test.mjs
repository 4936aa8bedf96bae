/**
 * `npm test`: everything that must hold before a change lands, from a bare checkout.
 *
 * Every stage runs even when an earlier one failed. A test runner's stage counts its tests, any other
 * counts as one; the last line is `N passed, N failed`, and above it stands what failed or could not run.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureDependencies, npm, ROOT, requireNode, runTool } from "./setup.mjs";
import { STATIC_CHECKS } from "./static-checks.mjs";

const NO_BROWSER = [
  "The browser tests did NOT run, neither those of components nor those end to end: there is no Chromium that starts.",
  "Install Chrome or Chromium, or set CHROMIUM_PATH to one, and run npm test again.",
];

const NO_REDIS =
  "The tests of the queue did NOT run: there is no Redis or Valkey. Put redis-server or valkey-server on the PATH, and run npm test again.";

/** @typedef {{ passed: number, failed: number }} Count */

requireNode();
const reports = mkdtempSync(join(tmpdir(), "chainlab-test-"));
const total = { passed: 0, failed: 0 };
/** What failed, and why other things were not tried, in the order of the output above. */
/** @type {string[]} */
const summary = [];
try {
  ensureDependencies();
  for (const { name, tool: path, args } of STATIC_CHECKS) check(name, () => tool(path, ...args));
  check("generated code is current", () => tool("tsx/dist/cli.mjs", "tools/generated.ts"));
  const browser = printedBy("tools/chromium.ts");
  check("a Chromium to test in", () => browser !== undefined);
  const where = browser === undefined ? "in Node alone" : "in Node and in Chromium";
  if (printedBy("tools/redis-server.ts") === undefined) summary.push(NO_REDIS);
  stage(`unit and property tests, ${where}`, () => unitTests(browser));
  check("build and size budget", () => npm(["run", "build"], ["ignore", 1, 2]));
  if (browser !== undefined)
    stage("end to end, against the production build", () => endToEndTests(browser));
  else summary.push(...NO_BROWSER);
} catch (error) {
  summary.push(error instanceof Error ? error.message : String(error));
  total.failed += 1;
} finally {
  rmSync(reports, { recursive: true, force: true });
}
if (summary.length > 0) console.log(`\n${summary.join("\n")}`);
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed > 0 ? 1 : 0;

/**
 * @param {string} name
 * @param {() => boolean} succeeds
 */
function check(name, succeeds) {
  stage(name, () => (succeeds() ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }));
}

/**
 * @param {string} name
 * @param {() => Count} run
 */
function stage(name, run) {
  console.log(`\n── ${name}`);
  const { passed, failed } = run();
  console.log(`── ${name}: ${failed === 0 ? "ok" : "FAILED"}`);
  if (failed > 0) summary.push(`FAILED: ${name}`);
  total.passed += passed;
  total.failed += failed;
}

/**
 * @param {string} finder a program that prints the path of what it finds, or why there is none
 * @returns {string | undefined} that path
 */
function printedBy(finder) {
  const args = [join(ROOT, "node_modules/tsx/dist/cli.mjs"), finder];
  const { status, stdout } = spawnSync(process.execPath, args, {
    cwd: ROOT,
    stdio: ["ignore", "pipe", 2],
    encoding: "utf8",
  });
  return status === 0 ? stdout.trim() : undefined;
}

/**
 * @param {string | undefined} browser its path; without one, the tests that need none
 * @returns {Count}
 */
function unitTests(browser) {
  const file = join(reports, "vitest.json");
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
  const which = browser === undefined ? ["--project", "node"] : [];
  const args = ["run", ...which, ...reporters];
  const env = { CHROMIUM_PATH: browser ?? "" };
  const ok = runTool("vitest/vitest.mjs", args, ["ignore", 1, 2], env);
  return counted(ok, file, (report) => ({
    passed: report.numPassedTests,
    failed: report.numFailedTests,
  }));
}

/**
 * @param {string} browser
 * @returns {Count}
 */
function endToEndTests(browser) {
  const file = join(reports, "playwright.json");
  const env = { PLAYWRIGHT_JSON_OUTPUT_NAME: file, CHROMIUM_PATH: browser };
  const args = ["test", "--reporter=list,json"];
  const ok = runTool("@playwright/test/cli.js", args, ["ignore", 1, 2], env);
  return counted(ok, file, (report) => {
    summary.push(...new Set(report.suites.flatMap(reasonsToSkip)));
    const { expected, flaky, unexpected } = report.stats;
    return { passed: expected + flaky, failed: unexpected };
  });
}

/**
 * Why tests were skipped, in their own sentences: a browser or fonts that this machine does not have.
 * @param {any} suite of Playwright's report
 * @returns {string[]}
 */
function reasonsToSkip({ suites = [], specs = [] }) {
  const tests = specs.flatMap((/** @type {any} */ spec) => spec.tests);
  const skipped = tests.filter((/** @type {any} */ test) => test.status === "skipped");
  const own = skipped.flatMap((/** @type {any} */ test) =>
    test.annotations.map((/** @type {any} */ { description }) => description),
  );
  return [...own, ...suites.flatMap(reasonsToSkip)];
}

/**
 * A runner that failed without a failed test (it crashed, a file did not load) or that ran no test
 * at all is a failure too.
 * @param {boolean} ok
 * @param {string} file the runner's report
 * @param {(report: any) => Count} read
 * @returns {Count}
 */
function counted(ok, file, read) {
  const count = existsSync(file)
    ? read(JSON.parse(readFileSync(file, "utf8")))
    : { passed: 0, failed: 0 };
  const silent = count.failed === 0 && (!ok || count.passed === 0);
  return silent ? { ...count, failed: 1 } : count;
}

/**
 * @param {string} path
 * @param {string[]} args
 */
function tool(path, ...args) {
  return runTool(path, args, ["ignore", 1, 2]);
}
