import { expect, test } from "vitest";
import { shortened } from "./shortened.ts";

test("a text is cut where it is too long, and never within a character", () => {
  expect(shortened("abcd", 4)).toBe("abcd");
  expect(shortened("abcde", 4)).toBe("abc…");
  expect(shortened("ab🚀cd", 4)).toBe("ab…");
});
