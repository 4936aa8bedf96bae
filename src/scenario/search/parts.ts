/** The cases of one part of a search: every n-th piece of consecutive numbers. */
import type { Shard } from "./report.ts";

/** Maximum cases of a piece, and the fixed size if no number of cases ends the search. */
export const MOST_OF_PIECE = 100;

/**
 * Number of consecutive cases in one part of a search with a number of cases; no batch crosses this
 * boundary. All parts compute the same number, and no part is empty if there are at least as many
 * cases as parts.
 */
export function pieceOf(cases: number, { count }: Shard): number {
  if (cases === Number.POSITIVE_INFINITY) return MOST_OF_PIECE;
  const turns = Math.max(1, Math.ceil(cases / (count * MOST_OF_PIECE)));
  return Math.max(1, Math.floor(cases / (count * turns)));
}

/** True if a case belongs to a part. @param of total number of cases of the search */
export const isOfPart = (number: number, shard: Shard | undefined, of: number): boolean =>
  shard === undefined || Math.floor(number / pieceOf(of, shard)) % shard.count === shard.index - 1;

/**
 * Number of a part's cases among the first `cases`. @param of total number of cases of the search
 */
export function casesOfPart(cases: number, shard: Shard | undefined, of: number): number {
  if (shard === undefined || cases === Number.POSITIVE_INFINITY) return cases;
  const piece = pieceOf(of, shard);
  const pieces = Math.floor(cases / piece);
  const whole = Math.max(0, Math.ceil((pieces - (shard.index - 1)) / shard.count)) * piece;
  return isOfPart(cases, shard, of) ? whole + (cases % piece) : whole;
}
