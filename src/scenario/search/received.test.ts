import { expect, test } from "vitest";
import { readBatch, readBatchResult, readFinding, readShrinkRequest } from "./received.ts";

const family = { file: "a.yaml", text: "name: a", imports: { constructor: "name: b" } };
const batch = { family, seed: 7, first: 100, count: 50, untilFirst: false };
const violated = (number: number) => ({
  number,
  violation: { property: "honest", kind: "never", height: 3, message: "a slash was found" },
});
const result = {
  first: 100,
  count: 50,
  violated: [violated(100), violated(149)],
  unfinished: 1,
  firstUnfinished: { number: 149, step: 2, message: "no block" },
  asked: ["honest"],
  unsound: 50,
  reached: ["an upgrade"],
  outcomes: { "error/sdk/5": 2 },
};
const request = { family, seed: 7, found: violated(12) };
const finding = {
  seed: 7,
  number: 12,
  violation: { ...violated(12).violation, step: 2 },
  stepsBefore: 4,
  steps: [{ verb: "run", words: "run 3", height: 3, without: "holds" }],
  scenario: "scenario: 1\nname: shrunk\nsteps: [{ run: 3 }]\n",
  log: [{ words: "left step 1 out", kept: true }],
  counterfactual: {
    words: "had it not",
    scenario: "scenario: 1\nname: other\nsteps: [{ run: 3 }]\n",
  },
};
const requested = readShrinkRequest(request);

test("what fits is read as it is, names of JavaScript's own included", () => {
  expect(readBatch(batch)).toEqual(batch);
  expect(readBatchResult(result, batch)).toEqual(result);
  expect(requested).toEqual(request);
  expect(readFinding(finding, requested)).toEqual(finding);
});

test.each([
  ["count", { ...batch, count: 0 }],
  ["count", { ...batch, count: 10_001 }],
  ["seed", { ...batch, seed: 2 ** 32 }],
  ["first", { ...batch, first: -1 }],
  ["untilFirst", { ...batch, untilFirst: undefined }],
  ["family.text", { ...batch, family: { ...family, text: 5 } }],
  ["family.imports", { ...batch, family: { ...family, imports: null } }],
  ["more", { ...batch, more: 1 }],
])("a batch whose %s does not fit is none", (place, value) => {
  expect(() => readBatch(value)).toThrow(`${place}: `);
});

test.each([
  ["first: expected 100, found 0", { ...result, first: 0 }],
  ["count: expected 50, found 49", { ...result, count: 49 }],
  ["violated[0].number: expected one from 100 to 149, found 99", { violated: [violated(99)] }],
  ["violated[0].number: expected one from 100 to 149, found 150", { violated: [violated(150)] }],
  [
    "violated[1].number: expected one from 112 to 149, found 111",
    { violated: [violated(112), violated(111)] },
  ],
  [
    "violated[1].violation.property: expected each property of a case once, found 112",
    { violated: [violated(112), violated(112)] },
  ],
  [
    "firstUnfinished.number: expected one from 100 to 149, found 150",
    { firstUnfinished: { number: 150, step: 0, message: "" } },
  ],
  [
    "outcomes: expected a map of counts by the names of outcomes, as chainlab coverage lists them, found a map",
    { outcomes: { constructor: 1 } },
  ],
  ["unsound: expected at most the 50 cases, found 51", { unsound: 51 }],
  ["error/sdk/5: expected at most the 50 cases, found 51", { outcomes: { "error/sdk/5": 51 } }],
])("a result is not used of which is said: %s", (message, other) => {
  expect(() => readBatchResult({ ...result, ...other }, batch)).toThrow(message);
});

test("a guided batch comes back with what its cases reached first, and no other does", () => {
  const guided = { ...batch, corpus: [[3], [3, 40]] };
  const learned = { ...result, features: { "halt/crashed/BeginBlock ×1": 149 } };
  expect(readBatch(guided)).toEqual(guided);
  expect(readBatchResult(learned, guided)).toEqual(learned);
  expect(() => readBatchResult(result, guided)).toThrow("features: expected a map, found none");
  expect(() => readBatchResult(learned, batch)).toThrow("features: expected none, found a map");
  expect(() => readBatchResult({ ...learned, features: { late: 150 } }, guided)).toThrow(
    "features.late: expected one from 100 to 149, found 150",
  );
  expect(() => readBatch({ ...batch, corpus: [[40, 3]] })).toThrow(
    "corpus[0]: expected numbers of cases in the order in which they were made",
  );
  expect(() => readBatch({ ...batch, corpus: [[]] })).toThrow("corpus[0]: expected at least one");
});

test("a batch may end early with a violated case alone", () => {
  const early = { ...result, count: 1, violated: [violated(100)], unfinished: 0, unsound: 0 };
  const one = { ...early, outcomes: {} };
  expect(readBatchResult(one, { ...batch, untilFirst: true })).toEqual(one);
  expect(() => readBatchResult(one, batch)).toThrow("count: expected 50, found 1");
  expect(() => readBatchResult({ ...one, violated: [] }, { ...batch, untilFirst: true })).toThrow(
    "count: expected 50, found 1",
  );
});

test("a finding is of the case that was asked for, by the same property", () => {
  expect(() => readFinding({ ...finding, number: 13 }, requested)).toThrow(
    "expected case 12 of seed 7, found case 13 of seed 7",
  );
  const mutation = readShrinkRequest({ ...request, ancestors: [3, 9] });
  expect(readFinding({ ...finding, ancestors: [3, 9] }, mutation)).toMatchObject({ number: 12 });
  expect(() => readFinding(finding, mutation)).toThrow(
    "expected case 3/9/12 of seed 7, found case 12 of seed 7",
  );
  const other = { ...finding, violation: { ...finding.violation, property: "other" } };
  expect(() => readFinding(other, requested)).toThrow(
    "violation.property: expected honest, found other",
  );
  expect(() => readFinding({ ...finding, log: "none" }, requested)).toThrow(
    'log: expected a list of what was tried, found "none"',
  );
  expect(() => readFinding({ ...finding, scenario: "not yaml: [" }, requested)).toThrow(
    'scenario: expected a sound scenario, found "not yaml: ["',
  );
  expect(() => readBatch(5)).toThrow(
    "expected a map with family, seed, first, count, untilFirst, corpus, found 5",
  );
});
