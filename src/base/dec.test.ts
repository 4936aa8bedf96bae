import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  decFromInt,
  decFromString,
  decMul,
  decMulInt,
  decMulTruncate,
  decQuo,
  decQuoInt,
  decQuoRoundUp,
  decQuoTruncate,
  decToString,
  decToText,
  ONE,
  roundInt,
  truncateInt,
  ZERO,
} from "./dec.ts";

const dec = decFromString;

describe("text", () => {
  test("has 18 decimals when written", () => {
    expect(decToString(dec("0.05"))).toBe("0.050000000000000000");
    expect(decToString(dec("-12.5"))).toBe("-12.500000000000000000");
    expect(decToString(ZERO)).toBe("0.000000000000000000");
    expect(decToString(ONE)).toBe("1.000000000000000000");
    expect(decToString(decFromInt(7))).toBe("7.000000000000000000");
    expect(decToText(dec("0.05"))).toBe("0.05");
    expect(decToText(decFromInt(-10))).toBe("-10");
    expect(decToText(ZERO)).toBe("0");
  });

  test("what is written is read back", () => {
    fc.assert(
      fc.property(fc.bigInt(), (d) => {
        expect(dec(decToString(d))).toBe(d);
      }),
    );
  });

  test("errors are upstream's", () => {
    const cases: [string, string][] = [
      ["", "decimal string cannot be empty"],
      ["-", "decimal string cannot be empty"],
      [".5", "invalid decimal length"],
      ["1.", "invalid decimal length"],
      ["1.2.3", "invalid decimal string"],
      [
        "0.1234567890123456789",
        "value '0.1234567890123456789' exceeds max precision by -1 decimal places: max precision 18",
      ],
      ["1a", "failed to set decimal string with base 10: 1a000000000000000000"],
      [(2n ** 256n).toString(), "out of range: invalid decimal string"],
    ];
    for (const [text, message] of cases) expect(() => dec(text)).toThrow(new Error(message));
  });

  test("the largest value is just below 2^256", () => {
    expect(truncateInt(dec((2n ** 256n - 1n).toString()))).toBe(2n ** 256n - 1n);
  });
});

describe("rounding (rules/staking 2.1)", () => {
  const half = dec("0.5");
  const smallest = 1n;

  test("products round halves to even, away from zero alike", () => {
    expect(decMul(smallest, half)).toBe(0n);
    expect(decMul(3n, half)).toBe(2n);
    expect(decMul(5n, half)).toBe(2n);
    expect(decMul(-3n, half)).toBe(-2n);
    expect(decMul(-5n, half)).toBe(-2n);
    expect(decMul(3n, dec("0.500000000000000001"))).toBe(2n);
    expect(decMul(1n, dec("0.500000000000000001"))).toBe(1n);
    expect(decMulTruncate(3n, half)).toBe(1n);
    expect(decMulTruncate(-3n, half)).toBe(-1n);
  });

  test("quotients round half to even, truncate or round up as named", () => {
    const [one, two, three] = [ONE, decFromInt(2), decFromInt(3)];
    expect(decToString(decQuo(two, three))).toBe("0.666666666666666667");
    expect(decToString(decQuoTruncate(two, three))).toBe("0.666666666666666666");
    expect(decToString(decQuoRoundUp(one, three))).toBe("0.333333333333333334");
    expect(decToString(decQuoTruncate(-two, three))).toBe("-0.666666666666666666");
    expect(decQuoRoundUp(one, two)).toBe(half);
    expect(decQuo(1n, two)).toBe(0n);
    expect(decQuo(3n, two)).toBe(2n);
    expect(decQuo(-3n, two)).toBe(-2n);
  });

  test("a quotient is cut at 36 decimals first, so a half and a trace beyond them is still a half", () => {
    // The exact values are just above half of the smallest unit: the first by less than 10^-18 of
    // it, the second by more.
    expect(decQuo(1n, 2n * ONE - 1n)).toBe(0n);
    expect(decQuo(1n, 2n * ONE - 10n)).toBe(1n);
  });

  test("whole numbers", () => {
    expect(decMulInt(half, 3n)).toBe(dec("1.5"));
    expect(decQuoInt(dec("1.5"), 3n)).toBe(half);
    expect(decQuoInt(-1n, 2n)).toBe(0n);
    expect(
      ["0.5", "1.5", "2.5", "-0.5", "-1.5", "2.500000000000000001"].map((t) => roundInt(dec(t))),
    ).toEqual([0n, 2n, 2n, 0n, -2n, 3n]);
    expect(truncateInt(dec("-1.9"))).toBe(-1n);
  });

  test("for any positive values the exact quotient lies between truncated and rounded up", () => {
    const positive = fc.bigInt({ min: 1n, max: 10n ** 40n });
    fc.assert(
      fc.property(positive, positive, (a, b) => {
        const [low, near, high] = [decQuoTruncate(a, b), decQuo(a, b), decQuoRoundUp(a, b)];
        expect(low * b <= a * ONE && high * b >= a * ONE).toBe(true);
        expect(high - low).toBe((a * ONE) % b === 0n ? 0n : 1n);
        expect(near === low || near === high).toBe(true);
      }),
    );
  });
});
