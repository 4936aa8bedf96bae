/** The cases of a part of a search: every so many pieces of their numbers. */
import type { Shard } from "./report.ts";

/** Cases of a piece at most, and of each where no number of cases ends the search. */
export const MOST_OF_PIECE = 100;

/**
 * How many cases follow each other in one part, of a search of so many; no batch goes beyond them. It follows from
 * what all parts know, and no part is left without a case while there are as many as parts.
 */
export function pieceOf(cases: number, { count }: Shard): number {
  if (cases === Number.POSITIVE_INFINITY) return MOST_OF_PIECE;
  const turns = Math.max(1, Math.ceil(cases / (count * MOST_OF_PIECE)));
  return Math.max(1, Math.floor(cases / (count * turns)));
}

/** Whether a case belongs to a part, of a search of so many cases. */
export const isOfPart = (number: number, shard: Shard | undefined, of: number): boolean =>
  shard === undefined || Math.floor(number / pieceOf(of, shard)) % shard.count === shard.index - 1;

/** How many of the first so many cases a part has, of a search of so many. */
export function casesOfPart(cases: number, shard: Shard | undefined, of: number): number {
  if (shard === undefined || cases === Number.POSITIVE_INFINITY) return cases;
  const piece = pieceOf(of, shard);
  const pieces = Math.floor(cases / piece);
  const whole = Math.max(0, Math.ceil((pieces - (shard.index - 1)) / shard.count)) * piece;
  return isOfPart(cases, shard, of) ? whole + (cases % piece) : whole;
}
