import { fromUtf8, utf8 } from "../../primitives/bytes.ts";
import type { Codec } from "../../store/kv-store.ts";

/**
 * Supply of any denom must stay below this many smallest units, so that every voting power
 * (tokens ÷ 10^6) and every sum of powers is exact in a double.
 */
export const SUPPLY_LIMIT = 2n * 10n ** 21n;

/** Amounts are stored as decimal digits. */
export const amountCodec: Codec<bigint> = {
  late: true,
  encode: (amount) => utf8(amount.toString()),
  decode: (bytes) => BigInt(fromUtf8(bytes)),
};
