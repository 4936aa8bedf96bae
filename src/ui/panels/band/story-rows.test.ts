import { expect, test } from "vitest";
import type { StoryStep } from "../../store/types.ts";
import { storyRows } from "./story-rows.ts";

let index = 0;
const step = (verb: string, state: string, note = ""): StoryStep => {
  index += 1;
  return {
    index,
    verb,
    state,
    note,
    expected: "",
    found: "",
    message: state === "failed" ? "found 3" : "",
  };
};

test("a note is noted, silent steps between are summed up", () => {
  const rows = storyRows([
    step("run", "ok"),
    step("upgrade", "ok", "A proposal passes."),
    step("expect", "ok"),
    step("expect", "ok"),
    step("run", "ok"),
  ]);
  expect(rows.map((row) => row.text)).toEqual(["run", "A proposal passes.", "run, 2 checks"]);
});

test("what fails is never summed up and says what was found", () => {
  const rows = storyRows([step("expect", "ok"), step("expect", "failed"), step("run", "pending")]);
  expect(rows.map((row) => [row.state, row.message])).toEqual([
    ["ok", ""],
    ["failed", "found 3"],
    ["pending", ""],
  ]);
});

test("a sum is running while one of its steps is", () => {
  expect(
    storyRows([step("run", "ok"), step("expect", "running"), step("run", "pending")])[0],
  ).toMatchObject({ state: "running" });
});
