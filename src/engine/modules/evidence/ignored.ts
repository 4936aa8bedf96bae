import { consAddress } from "../../../base/bech32.ts";
import { formatRfc3339, goTimeString, type Time } from "../../../base/time.ts";

/** Reason why an infraction is not punished. */
export type IgnoredCause =
  | { readonly kind: "no_block"; readonly height: number }
  | { readonly kind: "invalid"; readonly error: string }
  | {
      readonly kind: "unknown_validator" | "unbonded" | "no_public_key" | "tombstoned";
      readonly address: Uint8Array;
    }
  | TooOld;

/**
 * `oldest` and `minHeight` are the limits that are still accepted; the documents have no limit for
 * heights.
 */
export interface TooOld {
  readonly kind: "too_old";
  readonly height: number;
  readonly time: Time;
  readonly oldest: Time;
  readonly minHeight?: number;
}

/** Returns the cause as text, also used in the error of a refused submission. */
export function ignoredText(cause: IgnoredCause): string {
  switch (cause.kind) {
    case "no_block":
      return `there is no block ${cause.height} to take its time from`;
    case "invalid":
      return cause.error;
    case "unknown_validator":
      return `validator ${consAddress(cause.address)} does not exist`;
    case "unbonded":
      return `validator ${consAddress(cause.address)} is unbonded`;
    case "no_public_key":
      return `expected public key for validator ${consAddress(cause.address)} not found`;
    case "tombstoned":
      return `validator ${consAddress(cause.address)} already tombstoned`;
    case "too_old": {
      const { height, time, oldest, minHeight } = cause;
      const limit = `evidence can not be older than ${goTimeString(oldest)}`;
      const limits = minHeight === undefined ? limit : `min height is ${minHeight} and ${limit}`;
      return `evidence from height ${height} (created at: ${formatRfc3339(time)}) is too old; ${limits}`;
    }
    default:
      return cause satisfies never;
  }
}
