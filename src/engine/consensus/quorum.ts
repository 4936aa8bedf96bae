/**
 * Maximum voting power of a set: 2⁵⁰ − 1 (rules/consensus 4.3). CometBFT's limit is MaxInt64 / 8 so
 * that priorities fit an int64; this is an eighth of the largest integer exact in a double, and
 * everything below relies on it: priorities reach at most 6¼ times the total while being rescaled.
 * With a power of one per 10⁶ base units it allows 1.1·10²¹ base units of bonded stake.
 */
export const MAX_TOTAL_VOTING_POWER = Math.floor(Number.MAX_SAFE_INTEGER / 8);

/** Largest integer not above `total`·2/3, exactly (`total` ≤ MAX_TOTAL_VOTING_POWER). */
export function twoThirdsOf(total: number): number {
  const doubled = total * 2;
  return (doubled - (doubled % 3)) / 3;
}

/** Smallest power that decides: floor(total·2/3) + 1 (rules/consensus 5.1). */
export function powerNeeded(total: number): number {
  return twoThirdsOf(total) + 1;
}

/**
 * Returns true for strictly more than two thirds of the power, in integers: neither 2 of 3 nor 4 of
 * 6 are enough.
 */
export function hasTwoThirds(power: number, total: number): boolean {
  return power > twoThirdsOf(total);
}

/**
 * Largest integer not above `total`/3: the trust level that a light client's skipping verification
 * must exceed.
 */
export function oneThirdOf(total: number): number {
  return (total - (total % 3)) / 3;
}
