/** Texts that only forms and votes use, separate from those of the first screen. */
import { count } from "../widgets/format.ts";

const SMALL = [
  "zero",
  "one",
  "two",
  "three",
  "four",
  "five",
  "six",
  "seven",
  "eight",
  "nine",
  "ten",
];

/**
 * `All four have`, `All 175 have`, and for a single one `The validator has`: the start of a
 * sentence about all validators.
 */
export const everyone = (n: number): string =>
  n === 1 ? "The validator has" : `All ${SMALL[n] ?? count(n)} have`;

/** Parses a number; other text is unchanged, for the engine to refuse. */
export const asNumber = (text: string): number | string =>
  /^-?\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : text;
