/**
 * `npm run mutate -- PATH… [--tests PATH…] [--write] [--concurrency N]`: changes the named files one
 * place at a time and runs the tests that reach the place. A change that no test notices is printed: a
 * test is missing there, or the code is not needed, or both ways mean the same.
 *
 * `--tests` names folders or files (may be repeated): only tests below them run, which is quick. A
 * change that they notice is noticed by all; one that they do not may still be, so a score of theirs is
 * a lower bound.
 *
 * Texts are not changed (they are compared as a whole where they matter), nor what runs once when a
 * file is loaded: each such change would need every test again.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Stryker } from "@stryker-mutator/core";
import { type Mutant, mutationReport, scoresByFile, withScores } from "./mutation-score.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const TABLE = `${ROOT}docs/testing.md`;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    tests: { type: "string", multiple: true },
    write: { type: "boolean" },
    concurrency: { type: "string" },
  },
});
if (positionals.length === 0) {
  console.error("usage: npm run mutate -- PATH… [--tests PATH]… [--write] [--concurrency N]");
  process.exit(2);
}
// Vitest's configuration is read in processes of their own, so the choice reaches it through the environment.
if (values.tests !== undefined) process.env.MUTATE_TESTS = values.tests.join(",");

const results = await new Stryker({
  mutate: positionals,
  testRunner: "vitest",
  plugins: ["@stryker-mutator/vitest-runner"],
  vitest: { configFile: "tools/vitest-mutate.ts", related: values.tests === undefined },
  coverageAnalysis: "perTest",
  // Stryker would rewrite a tsconfig by calls that TypeScript 7 has no more; a name without a file stops it.
  tsconfigFile: "none",
  ignoreStatic: true,
  mutator: { plugins: null, excludedMutations: ["StringLiteral"] },
  reporters: ["progress-append-only"],
  concurrency: Number(values.concurrency ?? 3),
  tempDirName: ".stryker-tmp",
  ignorePatterns: ["dist", "dist-node", "docs", "e2e", "test-results", "playwright-report"],
}).runMutationTest();

const mutants: Mutant[] = results.map((result) => ({
  file: relative(ROOT, result.fileName).split(sep).join("/"),
  line: result.location.start.line,
  status: result.status,
  mutator: result.mutatorName,
  replacement: result.replacement,
}));
console.log(mutationReport(mutants));
if (values.write) {
  writeFileSync(TABLE, withScores(readFileSync(TABLE, "utf8"), scoresByFile(mutants)));
}
