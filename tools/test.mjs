/**
 * `npm test`: everything that must hold before a change lands, from a bare checkout. `npm run soak` is the same with
 * full counts, and then what takes too long for each change (docs/testing.md).
 *
 * Every stage runs even when an earlier one failed. A test runner's stage counts its tests, any other
 * counts as one; the last line is `N passed, N failed`, and above it stands what failed or could not run.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { runAll } from "./processes.mjs";
import { ensureDependencies, ROOT, requireNode, runSource, runTool } from "./setup.mjs";
import { staticChecks } from "./static-checks.mjs";
import { areaTable, endToEndReport, slowestTable, unitReport } from "./test-reports.mjs";

const NO_BROWSER = [
  "The browser tests did NOT run, neither those of components nor those end to end: there is no Chromium that starts.",
  "Install Chrome or Chromium, or set CHROMIUM_PATH to one, and run npm test again.",
];

/** @typedef {{ passed: number, failed: number }} Count */

const INHERIT = /** @type {import("node:child_process").StdioOptions} */ (["ignore", 1, 2]);
const BUILD = { name: "build and size budget", command: ["tools/build.mjs"] };
const GENERATED = {
  name: "generated code is current",
  command: ["--import", "tsx", "tools/generated.ts"],
};
const given = process.argv.slice(2);
const unknown = given.find((flag) => flag !== "--soak");
if (unknown !== undefined) {
  const isHelp = ["--help", "-h"].includes(unknown);
  if (!isHelp) console.error(`npm test: unknown flag ${unknown}`);
  console.log(
    "npm test: everything that must hold; npm run soak: the same with full counts, for hours",
  );
  process.exit(isHelp ? 0 : 2);
}
const soak = given.includes("--soak");
if (soak) process.env.CHAINLAB_SOAK = "1";

requireNode();
const reports = mkdtempSync(join(tmpdir(), "chainlab-test-"));
const total = { passed: 0, failed: 0 };
/** Failures and skipped parts, in the order of the output above. */
/** @type {string[]} */
const summary = [];
/** @type {{ name: string, seconds: number, processor: number }[]} */
const times = [];
/** @type {import("./test-reports.mjs").FileTime[]} */
const files = [];
try {
  timed("install", ensureDependencies);
  const browser = printedBy("tools/chromium.ts");
  check("a Chromium to test in", () => browser !== undefined);
  // Fetched here, where that may take long.
  printedBy("tools/redis-server.ts");
  await staticChecksAndBuild();
  const where = browser === undefined ? "in Node alone" : "in Node and in Chromium";
  stage(`unit and property tests, ${where}`, () => unitTests(browser));
  if (browser !== undefined) endToEnd(browser);
  else summary.push(...NO_BROWSER);
  if (soak) soakAlone();
} catch (error) {
  summary.push(error instanceof Error ? error.message : String(error));
  total.failed += 1;
} finally {
  rmSync(reports, { recursive: true, force: true });
}
printTimes();
if (summary.length > 0) console.log(`\n${summary.join("\n")}`);
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed > 0 ? 1 : 0;

/** Side by side: none of them needs another, and the end-to-end tests need the build. */
async function staticChecksAndBuild() {
  await timed("static checks and build", () =>
    runAll([BUILD, ...staticChecks(), GENERATED], ({ name, output, ok }) => {
      console.log(`\n── ${name}\n${output.trimEnd()}\n── ${name}: ${ok ? "ok" : "FAILED"}`);
      count(name, ok ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 });
    }),
  );
}

/** Fuzzing of all kinds, and a machine with nothing but Node, npm and git. */
function soakAlone() {
  const fuzz = ["--minutes", "30"];
  check("fuzzing of all kinds", () => runSource("tools/fuzz/main.ts", fuzz, INHERIT));
  stage("npm start and npm test on a bare machine", () => {
    const { status } = spawnSync(process.execPath, [join(ROOT, "tools/bare-machine.mjs")], {
      stdio: INHERIT,
    });
    if (status === 3) summary.push("The bare machine was NOT tried: it needs root on Debian.");
    return { passed: Number(status === 0), failed: Number(status !== 0 && status !== 3) };
  });
}

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
  const found = timed(name, run);
  console.log(`── ${name}: ${found.failed === 0 ? "ok" : "FAILED"}`);
  count(name, found);
}

/**
 * @param {string} name
 * @param {Count} found
 */
function count(name, { passed, failed }) {
  if (failed > 0) summary.push(`FAILED: ${name}`);
  total.passed += passed;
  total.failed += failed;
}

/**
 * Notes what a stage takes, by the clock and of all processors of this machine.
 * @template T
 * @param {string} name
 * @param {() => T} run a promise's time ends when it is settled
 * @returns {T}
 */
function timed(name, run) {
  const [start, before] = [performance.now(), processorSeconds()];
  const note = () => {
    const seconds = (performance.now() - start) / 1000;
    times.push({ name, seconds, processor: processorSeconds() - before });
  };
  const result = run();
  if (result instanceof Promise) return /** @type {T} */ (result.finally(note));
  note();
  return result;
}

/** Seconds that the processors of this machine have worked so far, whoever for: children's are in no other number. */
function processorSeconds() {
  const all = cpus().map(({ times: { user, nice, sys, irq } }) => user + nice + sys + irq);
  return all.reduce((sum, each) => sum + each, 0) / 1000;
}

function printTimes() {
  const rows = [...times, { name: "all", ...sumOfTimes() }];
  console.log("\nSeconds, and processor seconds of the whole machine, by stage:");
  for (const { name, seconds, processor } of rows)
    console.log(`  ${seconds.toFixed(0).padStart(6)} ${processor.toFixed(0).padStart(6)}  ${name}`);
  if (files.length === 0) return;
  console.log(`\nSeconds in tests, by area:\n${areaTable(files)}`);
  console.log(`\nThe slowest files, in seconds:\n${slowestTable(files)}`);
}

function sumOfTimes() {
  const add = (/** @type {"seconds" | "processor"} */ key) =>
    times.reduce((sum, each) => sum + each[key], 0);
  return { seconds: add("seconds"), processor: add("processor") };
}

/**
 * @param {string} finder a program that prints the path of what it finds, or why there is none
 * @returns {string | undefined} that path
 */
function printedBy(finder) {
  const { status, stdout } = spawnSync(process.execPath, ["--import", "tsx", finder], {
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
  const which = browser === undefined ? ["--project=!browser"] : [];
  const env = { CHROMIUM_PATH: browser ?? "" };
  const ok = runTool("vitest/vitest.mjs", ["run", ...which, ...reporters], INHERIT, env);
  return counted(ok, file, unitReport);
}

/**
 * Those that measure the page run after all others, also when some of them have failed.
 * @param {string} browser
 */
function endToEnd(browser) {
  stage("end to end, against the production build", () => endToEndTests(browser, "chromium"));
  stage("end to end, with nothing beside", () => endToEndTests(browser, "quiet"));
}

/**
 * @param {string} browser
 * @param {string} project of playwright.config.ts
 * @returns {Count}
 */
function endToEndTests(browser, project) {
  const file = join(reports, `playwright-${project}.json`);
  const env = { PLAYWRIGHT_JSON_OUTPUT_NAME: file, CHROMIUM_PATH: browser };
  const args = ["test", `--project=${project}`, "--no-deps", "--reporter=list,json"];
  const ok = runTool("@playwright/test/cli.js", args, INHERIT, env);
  return counted(ok, file, endToEndReport);
}

/**
 * A runner that failed without a failed test (it crashed, a file did not load) or that ran no test
 * at all is a failure too.
 * @param {boolean} ok
 * @param {string} file the runner's report
 * @param {(report: any) => import("./test-reports.mjs").Report} read
 * @returns {Count}
 */
function counted(ok, file, read) {
  if (!existsSync(file)) return { passed: 0, failed: 1 };
  const { passed, failed, notes, files: ran } = read(JSON.parse(readFileSync(file, "utf8")));
  summary.push(...notes);
  files.push(...ran);
  const silent = failed === 0 && (!ok || passed === 0);
  return { passed, failed: silent ? 1 : failed };
}
