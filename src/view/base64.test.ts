import { expect, test } from "vitest";
import { utf8 } from "../base/bytes.ts";
import { fromBase64, toBase64 } from "./base64.ts";

test("bytes are written with padding and read back", () => {
  expect(toBase64(utf8("any"))).toBe("YW55");
  expect(toBase64(utf8("a"))).toBe("YQ==");
  expect(fromBase64("YQ==")).toEqual(utf8("a"));
});

test.each(["YQ=", "YQ", "YR==", "YQ==YQ==", "Y Q==", "-_-_", "é"])("%s is refused", (text) => {
  expect(() => fromBase64(text)).toThrow();
});
