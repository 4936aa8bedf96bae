import { expect, test } from "vitest";
import { readSamples, UsageError } from "./bench.ts";

test("a benchmark takes its usual number of samples, a tenth when quick, or the number given", () => {
  expect(readSamples([], 61)).toBe(61);
  expect(readSamples(["--quick"], 61)).toBe(7);
  expect(readSamples(["--quick", "--samples", "3"], 61)).toBe(3);
});

test.each([["--samples", "0"], ["--samples", "many"], ["--sample"]])(
  "%s %s is refused",
  (...args) => {
    expect(() => readSamples(args, 61)).toThrow(UsageError);
  },
);
