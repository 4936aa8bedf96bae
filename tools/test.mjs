/**
 * `npm test`: everything that must hold before a change lands, from a bare checkout.
 *
 * Every stage runs even when an earlier one failed. A test runner's stage counts its tests, any other
 * counts as one; the last line is `N passed, N failed`.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureDependencies, npm, requireNode, runTool } from "./setup.mjs";
import { STATIC_CHECKS } from "./static-checks.mjs";

/** @typedef {{ passed: number, failed: number }} Count */

requireNode();
const reports = mkdtempSync(join(tmpdir(), "chainlab-test-"));
const total = { passed: 0, failed: 0 };
try {
  ensureDependencies();
  for (const { name, tool: path, args } of STATIC_CHECKS) check(name, () => tool(path, ...args));
  check("generated code is current", () => tool("tsx/dist/cli.mjs", "tools/generated.ts"));
  check("a Chromium to test in", () => tool("tsx/dist/cli.mjs", "tools/chromium.ts"));
  stage("unit and property tests, in Node and in Chromium", unitTests);
  check("build and size budget", () => npm(["run", "build"], ["ignore", 1, 2]));
  stage("end to end, against the production build", endToEndTests);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  total.failed += 1;
} finally {
  rmSync(reports, { recursive: true, force: true });
}
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
  total.passed += passed;
  total.failed += failed;
}

/** @returns {Count} */
function unitTests() {
  const file = join(reports, "vitest.json");
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
  const ok = tool("vitest/vitest.mjs", "run", ...reporters);
  return counted(ok, file, (report) => ({
    passed: report.numPassedTests,
    failed: report.numFailedTests,
  }));
}

/** @returns {Count} */
function endToEndTests() {
  const file = join(reports, "playwright.json");
  const env = { PLAYWRIGHT_JSON_OUTPUT_NAME: file };
  const args = ["test", "--reporter=list,json"];
  const ok = runTool("@playwright/test/cli.js", args, ["ignore", 1, 2], env);
  return counted(ok, file, ({ stats }) => ({
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected,
  }));
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
