import fc from "fast-check";
import { expect, test } from "vitest";
import {
  compare,
  concat,
  EMPTY,
  equal,
  fromUtf8,
  prefixEnd,
  readU64be,
  startsWith,
  toHex,
  u64be,
  u64le,
  utf8,
} from "./bytes.ts";

const bytes = fc.uint8Array({ maxLength: 6 });

test("compare orders as the bytes' hex texts do", () => {
  fc.assert(
    fc.property(bytes, bytes, (a, b) => {
      const [x, y] = [toHex(a), toHex(b)];
      expect(Math.sign(compare(a, b))).toBe(x < y ? -1 : x > y ? 1 : 0);
      expect(equal(a, b)).toBe(x === y);
    }),
  );
});

test("a key has a prefix exactly when it lies from the prefix up to the prefix's end", () => {
  const nearEnd = fc.uint8Array({ maxLength: 3 }).map((b) => b.map((x) => 254 + (x % 2)));
  fc.assert(
    fc.property(nearEnd, nearEnd, (prefix, key) => {
      const end = prefixEnd(prefix);
      const inside = compare(key, prefix) >= 0 && (!end || compare(key, end) < 0);
      expect(inside).toBe(startsWith(key, prefix));
    }),
  );
  expect(prefixEnd(Uint8Array.of(1, 255))).toEqual(Uint8Array.of(2));
  expect(prefixEnd(EMPTY)).toBeUndefined();
});

test("concat joins", () => {
  expect(concat(Uint8Array.of(1), EMPTY, Uint8Array.of(2, 3))).toEqual(Uint8Array.of(1, 2, 3));
});

test("64-bit integers, big and little endian", () => {
  expect(u64be(258)).toEqual(Uint8Array.of(0, 0, 0, 0, 0, 0, 1, 2));
  expect(u64le(258n)).toEqual(Uint8Array.of(2, 1, 0, 0, 0, 0, 0, 0));
  expect(readU64be(u64be(2n ** 64n - 1n))).toBe(2n ** 64n - 1n);
  expect(readU64be(concat(Uint8Array.of(9), u64be(7)).subarray(1))).toBe(7n);
  expect(readU64be(concat(Uint8Array.of(9), u64be(7)), 1)).toBe(7n);
});

test("UTF-8 is strict", () => {
  expect(utf8("é")).toEqual(Uint8Array.of(0xc3, 0xa9));
  expect(fromUtf8(Uint8Array.of(0xc3, 0xa9))).toBe("é");
  expect(() => fromUtf8(Uint8Array.of(0xff))).toThrow("expected UTF-8, found other bytes");
  expect(() => utf8("\ud800")).toThrow("expected well-formed text, found a lone surrogate");
  expect(fromUtf8(Uint8Array.of(0xef, 0xbb, 0xbf, 0x61))).toBe("\ufeffa");
});

test("what is written as UTF-8 reads back as it was", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
      expect(fromUtf8(utf8(text))).toBe(text);
    }),
  );
});
