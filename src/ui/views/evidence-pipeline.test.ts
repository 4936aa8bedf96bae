import { expect, test } from "vitest";
import { activityOf } from "../testing.ts";
import { pipeline } from "./evidence-pipeline.ts";

let seq = 0;
const step = (subject: string, what: string, outcome = "ok", module = "evidence") => {
  seq += 1;
  return activityOf({
    seq,
    height: 9,
    kind: "step",
    where: "begin-block",
    module,
    subject,
    what,
    outcome,
  });
};

test("steps of one piece of evidence are one item, newest item first", () => {
  const items = pipeline([
    step("a", "age"),
    step("a", "slash", "ok", "slashing"),
    step("b", "age"),
  ]);
  expect(items.map((item) => [item.title, item.steps.length])).toEqual([
    ["b", 1],
    ["a", 2],
  ]);
});

test("the same question asked again is about another piece", () => {
  expect(pipeline([step("", "age"), step("", "age")])).toHaveLength(2);
});

test("the last decision is the outcome, also when it is to ignore", () => {
  const [item] = pipeline([
    step("a", "known"),
    step("a", "age", "ignored"),
    step("a", "note", "info"),
  ]);
  expect(item?.outcome).toBe("ignored");
});

test("what other modules decide by themselves is no evidence", () => {
  expect(
    pipeline([step("", "plan due", "info", "upgrade"), step("", "liveness", "ok", "slashing")]),
  ).toEqual([]);
});
