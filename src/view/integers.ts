import { ScalarType } from "@bufbuild/protobuf";

/** An integer type of protobuf: its name, its bounds, and the type of its values in memory. */
export interface IntegerType {
  readonly name: string;
  readonly least: bigint;
  readonly greatest: bigint;
  readonly fromBigInt: (value: bigint) => bigint | number;
}

const signed = (bits: bigint): Pick<IntegerType, "least" | "greatest"> => ({
  least: -(2n ** (bits - 1n)),
  greatest: 2n ** (bits - 1n) - 1n,
});
const unsigned = (bits: bigint): Pick<IntegerType, "least" | "greatest"> => ({
  least: 0n,
  greatest: 2n ** bits - 1n,
});
const same = (value: bigint): bigint => value;

/** The integer types that the chain's messages use. */
const TYPES = new Map<ScalarType | undefined, IntegerType>([
  [ScalarType.INT64, { name: "a 64-bit integer", ...signed(64n), fromBigInt: same }],
  [
    ScalarType.UINT64,
    { name: "a 64-bit integer that is not negative", ...unsigned(64n), fromBigInt: same },
  ],
  [ScalarType.INT32, { name: "a 32-bit integer", ...signed(32n), fromBigInt: Number }],
  [
    ScalarType.UINT32,
    { name: "a 32-bit integer that is not negative", ...unsigned(32n), fromBigInt: Number },
  ],
]);

/** Undefined for a scalar type that is not an integer. */
export const integerType = (scalar: ScalarType | undefined): IntegerType | undefined =>
  TYPES.get(scalar);

/** Parses a decimal integer; undefined if the text is none or out of bounds. */
export function parseInteger(type: IntegerType, text: string): bigint | number | undefined {
  if (!/^-?\d{1,20}$/.test(text)) return undefined;
  const value = BigInt(text);
  return value >= type.least && value <= type.greatest ? type.fromBigInt(value) : undefined;
}
