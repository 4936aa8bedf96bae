import { expect, test } from "vitest";
import { byName, found, matches } from "./search.ts";

test("a line is found by any of its words, in any order and case", () => {
  expect(matches("begin-block slashing: val-1 jailed", "JAILED val-1")).toBe(true);
  expect(matches("begin-block slashing: val-1 jailed", "val-2")).toBe(false);
  expect(matches("anything", "  ")).toBe(true);
});

test("how many were found is said with how many there are", () => {
  expect([found(3, 1200), found(1200, 1200)]).toEqual(["3 of 1,200", "1,200"]);
});

test("names with numbers are in the order of the numbers", () => {
  expect(["val-10", "val-2", "val-1"].sort(byName)).toEqual(["val-1", "val-2", "val-10"]);
});
