import { expect, test } from "vitest";
import { type Mutant, mutationReport, scoresByFile, withScores } from "./mutation-score.ts";

const mutant = (line: number, status: string, file = "src/a.ts"): Mutant => ({
  file,
  line,
  status,
  mutator: "ConditionalExpression",
  replacement: "false",
});

const DOCUMENT = [
  "# Testing",
  "",
  "| File | Score | Survivors | Judged |",
  "|---|---|---|---|",
  "| `src/a.ts` | 10 % | 9 of 10 | line 3: both mean the same |",
  "| `src/c.ts` | 90 % | 1 of 10 |  |",
  "",
  "After it.",
].join("\n");

test("a score counts what was killed or ran too long, among what was tried", () => {
  const mutants = [
    mutant(1, "Killed"),
    mutant(2, "Timeout"),
    mutant(3, "Survived"),
    mutant(4, "NoCoverage"),
    mutant(5, "Ignored"),
    mutant(1, "Killed", "src/b.ts"),
  ];
  expect(scoresByFile(mutants)).toEqual([
    { file: "src/a.ts", killed: 2, tried: 4 },
    { file: "src/b.ts", killed: 1, tried: 1 },
  ]);
});

test("survivors are listed by line, and those that no test reaches say so", () => {
  const report = mutationReport([
    mutant(9, "Survived"),
    mutant(2, "NoCoverage"),
    mutant(1, "Killed"),
  ]);
  expect(report.split("\n")).toEqual([
    "src/a.ts:2  ConditionalExpression → false (no test reaches it)",
    "src/a.ts:9  ConditionalExpression → false",
    "",
    "src/a.ts: 33 % (1 of 3)",
  ]);
});

test("a score is rounded down: 100 % means that nothing survived", () => {
  const mutants = Array.from({ length: 1000 }, (_, at) => mutant(at, at ? "Killed" : "Survived"));
  expect(mutationReport(mutants)).toContain("src/a.ts: 99 % (999 of 1000)");
});

test("a file's row is replaced and keeps what people judged; a new one is put in order", () => {
  const scores = [
    { file: "src/a.ts", killed: 19, tried: 20 },
    { file: "src/b.ts", killed: 3, tried: 3 },
  ];
  expect(withScores(DOCUMENT, scores).split("\n").slice(2)).toEqual([
    "| File | Score | Survivors | Judged |",
    "|---|---|---|---|",
    "| `src/a.ts` | 95 % | 1 of 20 | line 3: both mean the same |",
    "| `src/b.ts` | 100 % | 0 of 3 | |",
    "| `src/c.ts` | 90 % | 1 of 10 |  |",
    "",
    "After it.",
  ]);
});

test("a document without the table is refused", () => {
  expect(() => withScores("# Testing\n", [])).toThrow("no table");
});
