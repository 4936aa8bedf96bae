import { ScalarType } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { type IntegerType, integerType, parseInteger } from "./integers.ts";

const BOUNDS = [
  [ScalarType.INT64, -(2n ** 63n), 2n ** 63n - 1n],
  [ScalarType.UINT64, 0n, 2n ** 64n - 1n],
  [ScalarType.INT32, -2147483648, 2147483647],
  [ScalarType.UINT32, 0, 4294967295],
] as const;

test.each(BOUNDS)(
  "type %s reads exactly what lies within its bounds",
  (scalar, least, greatest) => {
    const type = integerType(scalar) as IntegerType;
    const read = (value: bigint) => parseInteger(type, String(value));
    expect([read(BigInt(least)), read(BigInt(greatest)), read(7n)]).toEqual([
      least,
      greatest,
      typeof least === "bigint" ? 7n : 7,
    ]);
    expect([read(BigInt(least) - 1n), read(BigInt(greatest) + 1n)]).toEqual([undefined, undefined]);
  },
);

test("what is not written as an integer in decimal is none", () => {
  const type = integerType(ScalarType.INT64) as IntegerType;
  for (const text of ["", " 1", "1.0", "1e3", "0x1", "+1", "--1", "one", "1".repeat(21)]) {
    expect([text, parseInteger(type, text)]).toEqual([text, undefined]);
  }
});

test("texts, booleans and bytes are no integers", () => {
  for (const scalar of [ScalarType.STRING, ScalarType.BOOL, ScalarType.BYTES, undefined]) {
    expect(integerType(scalar)).toBeUndefined();
  }
});
