import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { namesAt, optionsAt, positionAt, referencesTo } from "./complete.ts";
import { outcomesOf } from "./outcomes.ts";
import type { Schema } from "./schema.ts";

const SCHEMA = JSON.parse(readFileSync("public/scenario.schema.json", "utf8")) as Schema;

/** Returns the labels of the completions at the end of a text. */
function offered(text: string): readonly string[] {
  const { path, writes } = positionAt(text, text.length);
  return optionsAt(SCHEMA, path, writes).map(({ label }) => label);
}

describe("completion offers", () => {
  test.each([
    ["scen", "scenario"],
    ["genesis:\n  pro", "profile"],
    ["genesis: { validators: 4, pro", "profile"],
    ["genesis:\n  profile: ", "sdk-0.53"],
    ["genesis: { profile: ", "sdk-0.53"],
    ["genesis:\n  gov:\n    quo", "quorum"],
    ["binaries:\n  v2:\n    hand", "handlers"],
    ["steps:\n  - ru", "run"],
    ["steps:\n  - run: 3\n    no", "note"],
    ["steps:\n  - run: { un", "until"],
    ["steps:\n  - run:\n      until: ", "halted"],
    ["steps:\n  - run: 3\n  - fault: { kind: ", "double_sign"],
    ["steps:\n  - nodes:\n      which: all\n      sidecar: { mode: ", "staged"],
  ])("at the end of %j also %s", (text, label) => {
    expect(offered(text)).toContain(label);
  });

  test("nothing where any text may stand", () => {
    expect(offered("name: ")).toEqual([]);
  });
});

test("what became of steps is known up to the first that was changed since", () => {
  const steps = [
    { index: 0, json: "a" },
    { index: -1, json: "off" },
    { index: 1, json: "changed" },
    { index: 2, json: "c" },
  ];
  const of = (state: string, index: number) => ({
    ...{ index, state, verb: "run", note: "", message: "", expected: "", found: "", does: "" },
  });
  const story = { steps: [of("ok", 0), of("ok", 1), of("failed", 2)] };
  expect(outcomesOf(steps, ["a", "b", "c"], story)).toEqual([
    { state: "ok", message: "" },
    undefined,
    undefined,
    undefined,
  ]);
  expect(outcomesOf(steps, undefined, story)).toEqual(steps.map(() => undefined));
});

const NAMES = {
  ...{ nodes: ["val-0"], accounts: ["ann", "val-0"], binaries: ["v1", "v2"] },
  ...{ plans: ["v2"], results: ["twice"] },
};

test.each([
  [["steps", "nodes", "which"], ["val-0"]],
  [["steps", "vote", "by"], ["val-0"]],
  [
    ["steps", "propose", "from"],
    ["ann", "val-0"],
  ],
  [
    ["binaries", "v2", "from"],
    ["v1", "v2"],
  ],
  [
    ["steps", "nodes", "binary"],
    ["v1", "v2"],
  ],
  [["steps", "upgrade", "name"], ["v2"]],
  [["steps", "vote", "proposal"], ["$twice"]],
  [["steps", "run", "to"], []],
  [["steps", "constructor"], []],
] as const)("as the value of %j stand the names that the file has for it", (path, expected) => {
  expect(namesAt(path, NAMES).map(({ label }) => label)).toEqual(expected);
});

test("between the braces of a reference stand results, accounts and addresses", () => {
  const labels = referencesTo(NAMES).map(({ label }) => label);
  expect(labels).toEqual(
    expect.arrayContaining(["twice", "twice.evidence", "ann", "val-0.valcons", "gov"]),
  );
});
