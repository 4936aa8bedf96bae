import { expect, test } from "vitest";
import { errorText } from "./error-text.ts";

test.each([
  ["an error with a message", new Error("no such file"), "no such file"],
  ["a text", "no such file", "no such file"],
  [
    "the platform's error without a message",
    new DOMException("", "QuotaExceededError"),
    "QuotaExceededError",
  ],
  ["an empty text", "", "no reason was given"],
])("%s is said as it is", (_, error, text) => {
  expect(errorText(error)).toBe(text);
});

test.each([
  ["TypeError", () => Object(undefined).a.b],
  ["RangeError", () => new Array(-1)],
  ["SyntaxError", () => JSON.parse("{")],
  [
    "object",
    () => {
      throw { code: 5 };
    },
  ],
  [
    "undefined",
    () => {
      throw undefined;
    },
  ],
])("%s is called a bug, without the language's own words", (kind, wrong) => {
  let text = "";
  try {
    wrong();
  } catch (error) {
    text = errorText(error);
  }
  expect(text).toBe(`this is a bug of Chainlab (${kind}); please report it, with what led to it`);
});
