/** The cases of a part of a search: every so many hundreds of their numbers. */
import type { Shard } from "./report.ts";

/** Numbers of cases that a part has in one piece; no batch goes beyond them. */
export const PIECE = 100;

/** Whether a case belongs to a part. */
export const isOfPart = (number: number, shard: Shard | undefined): boolean =>
  shard === undefined || Math.floor(number / PIECE) % shard.count === shard.index - 1;

/** How many of so many cases a part has. */
export function casesOfPart(cases: number, shard: Shard | undefined): number {
  if (shard === undefined || cases === Number.POSITIVE_INFINITY) return cases;
  const pieces = Math.floor(cases / PIECE);
  const whole = Math.max(0, Math.ceil((pieces - (shard.index - 1)) / shard.count)) * PIECE;
  return isOfPart(cases, shard) ? whole + (cases % PIECE) : whole;
}
