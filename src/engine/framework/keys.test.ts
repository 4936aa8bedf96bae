import { expect, test } from "vitest";
import { fromUtf8, toHex } from "../../base/bytes.ts";
import { parseRfc3339 } from "../../base/time.ts";
import { addressKey, TIME_KEY_LENGTH, timeKey } from "./keys.ts";

test("every address of a key has its length before it", () => {
  expect(toHex(addressKey(0x21))).toBe("21");
  expect(toHex(addressKey(0x34, Uint8Array.of(7, 8), Uint8Array.of(9)))).toBe("340207080109");
});

test("a moment is text of fixed length that sorts as time does", () => {
  const key = (text: string): string => fromUtf8(timeKey(parseRfc3339(text)));
  expect(key("2006-01-02T15:04:05Z")).toBe("2006-01-02T15:04:05.000000000");
  expect(key("2006-01-02T15:04:05.12Z")).toBe("2006-01-02T15:04:05.120000000");
  expect(key("2006-01-02T15:04:05Z") < key("2006-01-02T15:04:05.12Z")).toBe(true);
  expect(timeKey(0n)).toHaveLength(TIME_KEY_LENGTH);
});
