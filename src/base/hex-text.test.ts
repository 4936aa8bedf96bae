import { expect, test } from "vitest";
import { isHex, notHex } from "./hex-text.ts";

test.each([
  ["", true],
  ["0aF9", true],
  ["abc", false],
  ["zz", false],
  ["0x12", false],
])("%j is hex: %s", (text, is) => expect(isHex(text)).toBe(is));

test("what is refused is shown, if not without end", () => {
  expect(notHex("a key", "zz")).toBe('expected a key in hex, found "zz"');
  expect(notHex("a key", "z".repeat(5_000))).toHaveLength(
    1_000 + 'expected a key in hex, found ""'.length,
  );
});
