/** Texts that only forms and votes read and write, apart from those of the first screen. */
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

/** `All four have`, `All 175 have`, and of one `The validator has`: the beginning of what all validators did. */
export const everyone = (n: number): string =>
  n === 1 ? "The validator has" : `All ${SMALL[n] ?? count(n)} have`;

/** A number if it is written as one; otherwise the text as it is, for the engine to refuse. */
export const asNumber = (text: string): number | string =>
  /^-?\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : text;
