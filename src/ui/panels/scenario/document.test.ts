import { expect, test } from "vitest";
import { halfPair } from "./document.ts";

test("half of a surrogate pair is found with its line, and a whole pair is text", () => {
  expect(halfPair("a\nb 😀 c\n")).toBeUndefined();
  expect(halfPair("a\nb \ud83d c")).toMatchObject({
    line: 2,
    message: "expected text, found U+D83D, half of a surrogate pair, in it",
  });
});
