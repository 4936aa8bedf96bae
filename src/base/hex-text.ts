import { shortened } from "./shortened.ts";

/** Maximum characters shown of the invalid text. */
const SHOWN = 1000;

/** Returns true for bytes in hex, of either case. */
export const isHex = (text: string): boolean => /^([0-9a-f]{2})*$/i.test(text);

/**
 * Returns the error for a text that is not hex. `what` is the expected value, such as `the hash of
 * a block`.
 */
export const notHex = (what: string, found: string): string =>
  `expected ${what} in hex, found "${shortened(found, SHOWN)}"`;
