import { join } from "node:path";
import { expect, test } from "vitest";
import { skippedFor } from "../src/base/skipped.testing.ts";
import { ROOT } from "./setup.mjs";
import { areaTable, endToEndReport, slowestTable, unitReport } from "./test-reports.mjs";

test("a unit report gives the counts, the seconds that the tests of each file took, and why tests did not run, once each", () => {
  const report = {
    numPassedTests: 3,
    numFailedTests: 1,
    testResults: [
      {
        name: join(ROOT, "src/engine/app/app.test.ts"),
        assertionResults: [
          { status: "passed", duration: 1500, meta: {} },
          { status: "failed", duration: 500, meta: {} },
          { status: "skipped", meta: skippedFor("No Redis.").meta },
          { status: "skipped", meta: skippedFor("No Redis.").meta },
          { status: "skipped", meta: {}, title: "what nobody explains" },
        ],
      },
    ],
  };
  expect(unitReport(report)).toEqual({
    passed: 3,
    failed: 1,
    notes: ["No Redis.", "DID NOT RUN: src/engine/app/app.test.ts: what nobody explains"],
    files: [{ file: "src/engine/app/app.test.ts", seconds: 2 }],
  });
});

test("an end-to-end report names each reason to skip once, and each test that passed only when tried again", () => {
  const spec = (title: string, status: string, durations: readonly number[], description = "") => ({
    title,
    file: "keys.spec.ts",
    tests: [
      {
        status,
        annotations: description === "" ? [] : [{ type: "skip", description }],
        results: durations.map((duration) => ({ duration })),
      },
    ],
  });
  const inner = {
    specs: [
      spec("b", "flaky", [4000, 1000]),
      spec("d", "skipped", [0], "No curl."),
      spec("e", "skipped", []),
    ],
  };
  const report = {
    suites: [
      {
        specs: [spec("a", "expected", [2000]), spec("c", "skipped", [0], "No curl.")],
        suites: [inner],
      },
    ],
    stats: { expected: 1, flaky: 1, unexpected: 2 },
  };
  expect(endToEndReport(report)).toEqual({
    passed: 2,
    failed: 2,
    notes: [
      "No curl.",
      "PASSED ONLY WHEN TRIED AGAIN: keys.spec.ts: b",
      "DID NOT RUN: e2e/keys.spec.ts: e",
    ],
    files: [{ file: "e2e/keys.spec.ts", seconds: 7 }],
  });
});

test("areas are folders of the sources, and the slowest come first", () => {
  const files = [
    { file: "src/engine/app/app.test.ts", seconds: 1 },
    { file: "src/engine/store/node.test.ts", seconds: 2 },
    { file: "e2e/keys.spec.ts", seconds: 30 },
  ];
  expect(areaTable(files).split("\n")).toEqual(["    30.0  e2e", "     3.0  src/engine"]);
  expect(slowestTable(files).split("\n")[1]).toBe("     2.0  src/engine/store/node.test.ts");
  const many = Array.from({ length: 30 }, (_, i) => ({ file: `${i}`, seconds: i }));
  expect(slowestTable(many).split("\n")).toHaveLength(20);
});
