import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { EMPTY, toHex, toHexUpper } from "./bytes.ts";
import { fromHex } from "./from-hex.ts";

const bytes = fc.uint8Array({ maxLength: 6 });

describe("hex, by Go's rules (rules/evidence 6.2)", () => {
  test("upper, lower and mixed case of any even length are read", () => {
    expect(fromHex("00ffAbCd")).toEqual(Uint8Array.of(0, 255, 0xab, 0xcd));
    expect(fromHex("")).toEqual(EMPTY);
  });

  test("a 0x prefix is an invalid byte, reported before an odd length", () => {
    const invalid = new Error("encoding/hex: invalid byte: U+0078 'x'");
    expect(() => fromHex("0xab")).toThrow(invalid);
    expect(() => fromHex("0xabc")).toThrow(invalid);
    expect(() => fromHex("abx")).toThrow(invalid);
  });

  test("odd length", () => {
    expect(() => fromHex("abc")).toThrow(new Error("encoding/hex: odd length hex string"));
  });

  test("an invalid byte that cannot be printed, or belongs to a longer character, is named by its number", () => {
    expect(() => fromHex("a\n")).toThrow(new Error("encoding/hex: invalid byte: U+000A"));
    expect(() => fromHex("é0")).toThrow(new Error("encoding/hex: invalid byte: U+00C3 'Ã'"));
  });

  test("neighbours of the hex digits are not digits", () => {
    for (const character of "/:@G`g")
      expect(() => fromHex(`0${character}`)).toThrow("invalid byte");
  });

  test("what is written is read back, in both cases", () => {
    fc.assert(
      fc.property(bytes, (b) => {
        expect(fromHex(toHex(b))).toEqual(b);
        expect(toHexUpper(b)).toBe(toHex(b).toUpperCase());
      }),
    );
  });
});
