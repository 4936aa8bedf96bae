import { shortened } from "./shortened.ts";

/** Characters of what was found that are shown. */
const SHOWN = 1000;

/** Returns true for bytes in hex, of either case. */
export const isHex = (text: string): boolean => /^([0-9a-f]{2})*$/i.test(text);

/** The refusal of a text that is not hex. @param what it was to be, such as `the hash of a block` */
export const notHex = (what: string, found: string): string =>
  `expected ${what} in hex, found "${shortened(found, SHOWN)}"`;
