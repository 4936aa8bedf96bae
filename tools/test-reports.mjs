/** Reads the reports of the test runners: counts, what is to be said of them, and the time that each file took. */
import { relative, sep } from "node:path";
import { ROOT } from "./setup.mjs";

/**
 * @typedef {{ file: string, seconds: number }} FileTime
 * @typedef {{ passed: number, failed: number, notes: readonly string[], files: readonly FileTime[] }} Report
 */

const SLOWEST = 20;

const NOT_RUN = ["skipped", "pending", "todo", "disabled"];

/**
 * @param {string} file
 * @param {string} title
 */
const notRun = (file, title) => `DID NOT RUN: ${file}: ${title}`;

/**
 * Notes say why tests were skipped, in their own sentences, and name those without one.
 * @param {any} report of Vitest
 * @returns {Report}
 */
export function unitReport({ numPassedTests, numFailedTests, testResults }) {
  const files = testResults.map((/** @type {any} */ { name, assertionResults }) => ({
    file: relative(ROOT, name).split(sep).join("/"),
    seconds: sum(assertionResults.map((/** @type {any} */ { duration }) => duration ?? 0)) / 1000,
  }));
  const notes = testResults.flatMap(
    (/** @type {any} */ { assertionResults }, /** @type {number} */ at) =>
      assertionResults
        .filter((/** @type {any} */ { status }) => NOT_RUN.includes(status))
        .map(
          (/** @type {any} */ { meta, title }) => meta?.skipped ?? notRun(files[at].file, title),
        ),
  );
  return { passed: numPassedTests, failed: numFailedTests, notes: [...new Set(notes)], files };
}

/**
 * Notes say why tests were skipped, in their own sentences, name those without one, and those that passed only when
 * tried again.
 * @param {any} report of Playwright
 * @returns {Report}
 */
export function endToEndReport({ suites, stats: { expected, flaky, unexpected } }) {
  const specs = /** @type {readonly Spec[]} */ (suites.flatMap(specsOf));
  const notes = specs.flatMap(({ title, file, tests }) =>
    tests.flatMap(({ status, annotations }) => {
      if (status === "skipped") {
        const reasons = annotations.flatMap((/** @type {any} */ each) => each.description ?? []);
        return reasons.length > 0 ? reasons : [notRun(`e2e/${file}`, title)];
      }
      return status === "flaky" ? [`PASSED ONLY WHEN TRIED AGAIN: ${file}: ${title}`] : [];
    }),
  );
  const files = [...new Set(specs.map(({ file }) => file))].map((file) => ({
    file: `e2e/${file}`,
    seconds: sum(specs.filter((spec) => spec.file === file).map(secondsOf)),
  }));
  return { passed: expected + flaky, failed: unexpected, notes: [...new Set(notes)], files };
}

/** @typedef {{ title: string, file: string, tests: readonly any[] }} Spec */

/**
 * @param {any} suite
 * @returns {readonly Spec[]}
 */
const specsOf = ({ suites = [], specs = [] }) => [...specs, ...suites.flatMap(specsOf)];

/** @param {Spec} spec */
const secondsOf = ({ tests }) => {
  const results = tests.flatMap((/** @type {any} */ test) => test.results);
  return sum(results.map((/** @type {any} */ { duration }) => duration)) / 1000;
};

/** @param {readonly number[]} numbers */
const sum = (numbers) => numbers.reduce((total, each) => total + each, 0);

/**
 * @param {readonly FileTime[]} files
 * @returns {string} a line for each area, the slowest first: a folder of the sources, or all end-to-end tests
 */
export function areaTable(files) {
  /** @type {Map<string, number>} */
  const areas = new Map();
  for (const { file, seconds } of files) {
    const area = file.split("/").slice(0, -1).slice(0, 2).join("/");
    areas.set(area, (areas.get(area) ?? 0) + seconds);
  }
  return table([...areas].map(([file, seconds]) => ({ file, seconds })));
}

/**
 * @param {readonly FileTime[]} files
 * @returns {string} a line for each of the slowest files
 */
export const slowestTable = (files) => table(files, SLOWEST);

/** @param {readonly FileTime[]} rows */
const table = (rows, most = rows.length) =>
  rows
    .toSorted((a, b) => b.seconds - a.seconds)
    .slice(0, most)
    .map(({ file, seconds }) => `  ${seconds.toFixed(1).padStart(6)}  ${file}`)
    .join("\n");
