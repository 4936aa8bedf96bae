/**
 * Fixed-point decimals with 18 places, rounding exactly as LegacyDec of cosmossdk.io/math
 * (rules/staking 2.1), so that shares, slashes and tallies agree to the last digit. A Dec is a
 * bigint scaled by 10^18: use the language's operators to add, subtract and compare.
 */
export type Dec = bigint;

const PRECISION = 18;
const SCALE = 10n ** 18n;
const HALF = SCALE / 2n;
const LIMIT = 2n ** 256n * SCALE;

export const ZERO: Dec = 0n;
export const ONE: Dec = SCALE;

/** Parses `-1`, `0.5`, `12.345`; throws with upstream's texts. */
export function decFromString(text: string): Dec {
  const negative = text.startsWith("-");
  const unsigned = negative ? text.slice(1) : text;
  if (unsigned === "") throw new Error("decimal string cannot be empty");
  const parts = unsigned.split(".");
  if (parts.length > 2) throw new Error("invalid decimal string");
  const [whole = "", fraction] = parts;
  if (fraction !== undefined && (whole === "" || fraction === "")) {
    throw new Error("invalid decimal length");
  }
  const places = fraction?.length ?? 0;
  if (places > PRECISION) {
    // Upstream prints the excess as a negative number.
    throw new Error(
      `value '${unsigned}' exceeds max precision by ${PRECISION - places} decimal places: max precision ${PRECISION}`,
    );
  }
  const digits = whole + (fraction ?? "") + "0".repeat(PRECISION - places);
  if (!/^[+-]?[0-9]+$/.test(digits)) {
    throw new Error(`failed to set decimal string with base 10: ${digits}`);
  }
  const magnitude = digits.startsWith("-") ? -BigInt(digits.slice(1)) : BigInt(digits);
  if (magnitude >= LIMIT || magnitude <= -LIMIT) {
    throw new Error("out of range: invalid decimal string");
  }
  return negative ? -magnitude : magnitude;
}

export function decFromInt(value: number | bigint): Dec {
  return BigInt(value) * SCALE;
}

/** Always with 18 decimals: `0.050000000000000000`. */
export function decToString(value: Dec): string {
  const digits = (value < 0n ? -value : value).toString().padStart(PRECISION + 1, "0");
  return `${value < 0n ? "-" : ""}${digits.slice(0, -PRECISION)}.${digits.slice(-PRECISION)}`;
}

/** For display, without trailing zeros: `0.05`, `1`. */
export const decToText = (value: Dec): string => decToString(value).replace(/\.?0+$/, "");

export function decMul(a: Dec, b: Dec): Dec {
  return chopHalfEven(a * b);
}

export function decMulTruncate(a: Dec, b: Dec): Dec {
  return (a * b) / SCALE;
}

export function decMulInt(a: Dec, b: bigint): Dec {
  return a * b;
}

/** As upstream, the quotient is truncated to 36 places before it is rounded to 18. */
export function decQuo(a: Dec, b: Dec): Dec {
  return chopHalfEven((a * SCALE * SCALE) / b);
}

export function decQuoTruncate(a: Dec, b: Dec): Dec {
  return (a * SCALE) / b;
}

/**
 * Adds one unit for a remainder. For negative operands the condition is upstream's, although it is
 * odd.
 */
export function decQuoRoundUp(a: Dec, b: Dec): Dec {
  const scaled = a * SCALE;
  const quotient = scaled / b;
  const remainder = scaled - quotient * b;
  const sameSign = quotient < 0n === b < 0n;
  const up = sameSign ? remainder > 0n : remainder < 0n;
  return up ? quotient + 1n : quotient;
}

/** Truncates toward zero. */
export function decQuoInt(a: Dec, b: bigint): Dec {
  return a / b;
}

/** Integer part, rounded toward zero. */
export function truncateInt(value: Dec): bigint {
  return value / SCALE;
}

/** Nearest integer, halves to even. */
export function roundInt(value: Dec): bigint {
  return chopHalfEven(value);
}

/** Divides by the scale, rounding halves to even; negative values mirror positive ones. */
function chopHalfEven(value: bigint): bigint {
  if (value < 0n) return -chopHalfEven(-value);
  const quotient = value / SCALE;
  const remainder = value - quotient * SCALE;
  if (remainder < HALF) return quotient;
  if (remainder > HALF) return quotient + 1n;
  return quotient + (quotient & 1n);
}
