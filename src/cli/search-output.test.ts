import { expect, test } from "vitest";
import type { SearchReport } from "./search-context.ts";
import { searchJunit, searchLines, searchSummary } from "./search-output.ts";

test("what was found and not made small is told of, and counts as found", () => {
  const report: SearchReport = {
    ...{ search: 1, seed: 3, all: true },
    families: [
      {
        ...{ file: "night.yaml", name: "night", digest: "", cases: 750 },
        ...{ unfinished: 0, unsound: 0, reached: [], unreached: [], unasked: [], outcomes: {} },
        properties: [{ property: "honest", kind: "never" }],
        violated: [{ property: "honest", kind: "never", cases: 23, first: 94 }],
        findings: [],
      },
    ],
  };
  expect(searchLines(report)).toBe(`night: 750 cases of seed 3
  ✗ never “honest”: 23 cases, the first is case 94, which was not made small
`);
  expect(searchSummary(report, 0)).toBe("750 cases, 1 finding\n");
  expect(searchJunit(report)).toContain(
    '<failure message="case 94 of seed 3, which was not made small"></failure>',
  );
});
