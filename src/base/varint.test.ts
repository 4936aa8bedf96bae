import fc from "fast-check";
import { expect, test } from "vitest";
import { readUvarint, readVarint, uvarint, uvarintSize, writeVarint } from "./varint.ts";

test("the protobuf guide's examples", () => {
  expect(uvarint(1)).toEqual(Uint8Array.of(1));
  expect(uvarint(150)).toEqual(Uint8Array.of(0x96, 0x01));
  const zigzag = (n: number) => {
    const out = new Uint8Array(8);
    return out.slice(0, writeVarint(out, 0, n));
  };
  expect(zigzag(0)).toEqual(Uint8Array.of(0));
  expect(zigzag(-1)).toEqual(Uint8Array.of(1));
  expect(zigzag(1)).toEqual(Uint8Array.of(2));
  expect(zigzag(-64)).toEqual(Uint8Array.of(127));
});

test("every safe integer is read back, and its size is known beforehand", () => {
  fc.assert(
    fc.property(fc.maxSafeNat(), (n) => {
      const bytes = uvarint(n);
      expect(readUvarint(bytes)).toEqual({ value: n, next: bytes.length });
      expect(uvarintSize(n)).toBe(bytes.length);
    }),
  );
  fc.assert(
    fc.property(fc.integer(), (n) => {
      const out = new Uint8Array(12);
      const next = writeVarint(out, 1, n);
      expect(readVarint(out, 1)).toEqual({ value: n, next });
    }),
  );
});

test("what is no safe integer, ends early or is too large is refused", () => {
  expect(() => uvarint(-1)).toThrow("not a uvarint: -1");
  expect(() => uvarint(2 ** 53)).toThrow("not a uvarint");
  expect(() => readUvarint(Uint8Array.of(0x80))).toThrow("ends early");
  expect(() => readUvarint(new Uint8Array(9).fill(0xff))).toThrow("overflows");
});
