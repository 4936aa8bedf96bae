import { expect, test } from "vitest";
import { nearbyTests } from "./nearby-tests.ts";

const importers = new Map([
  ["tally.ts", ["tally.test.ts", "end.ts"]],
  ["end.ts", ["end.test.ts", "end.browser.test.ts", "module.ts"]],
  ["module.ts", ["module.test.ts", "app.ts"]],
  ["app.ts", ["app.test.ts"]],
  ["loop.ts", ["loop.ts"]],
]);

test("a changed file is tested by what imports it, and by what imports that, nearest first", () => {
  expect(nearbyTests(["tally.ts"], importers)).toEqual(["tally.test.ts", "end.test.ts"]);
});

test("where no test is so near, the nearest there are run", () => {
  const far = new Map([
    ...importers,
    ["dec.ts", ["a.ts"]],
    ["a.ts", ["b.ts"]],
    ["b.ts", ["tally.ts"]],
  ]);
  expect(nearbyTests(["dec.ts"], far)).toEqual(["tally.test.ts"]);
});

test("a changed test runs itself, and a file that nothing imports runs none", () => {
  expect(nearbyTests(["end.test.ts"], importers)).toEqual(["end.test.ts"]);
  expect(nearbyTests(["loop.ts", "alone.ts"], importers)).toEqual([]);
});

test("of tests that are as near, those beside the file come first", () => {
  const beside = new Map([
    ["gov/tally.ts", ["app/app.test.ts", "gov/tally.test.ts", "gov/end.test.ts"]],
  ]);
  expect(nearbyTests(["gov/tally.ts"], beside)).toEqual([
    "gov/tally.test.ts",
    "gov/end.test.ts",
    "app/app.test.ts",
  ]);
});
