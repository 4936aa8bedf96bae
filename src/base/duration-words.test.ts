import { expect, test } from "vitest";
import { durationWords } from "./duration-words.ts";
import { SECOND } from "./time.ts";

test.each([
  [0n, "0 seconds"],
  [SECOND, "1 second"],
  [SECOND + 500n * 1_000_000n, "1.5 seconds"],
  [600n * SECOND, "10 minutes"],
  [5400n * SECOND, "1 hour 30 minutes"],
  [21n * 86_400n * SECOND, "21 days"],
  [86_401n * SECOND, "1 day 1 second"],
  [-90n * SECOND, "minus 1 minute 30 seconds"],
])("%d ns are %s in words", (duration, words) => {
  expect(durationWords(duration)).toBe(words);
});
