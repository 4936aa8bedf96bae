/**
 * The most voting power a set may have: 2⁵⁰ − 1 (rules/consensus 4.3). CometBFT caps it at MaxInt64 / 8 so
 * that priorities never leave an int64; this is the same eighth of what a double holds exactly, and
 * everything below relies on it: priorities reach at most 6¼ times the total while being rescaled. With a
 * power of one per 10⁶ base units it allows 1.1·10²¹ base units of bonded stake.
 */
export const MAX_TOTAL_VOTING_POWER = Math.floor(Number.MAX_SAFE_INTEGER / 8);

/** The greatest integer not above `total`·2/3, exactly (`total` ≤ MAX_TOTAL_VOTING_POWER). */
export function twoThirdsOf(total: number): number {
  const doubled = total * 2;
  return (doubled - (doubled % 3)) / 3;
}

/** The least power that decides: floor(total·2/3) + 1 (rules/consensus 5.1). */
export function powerNeeded(total: number): number {
  return twoThirdsOf(total) + 1;
}

/** Strictly more than two thirds of the power, counted in integers: 2 of 3 are not enough, nor 4 of 6. */
export function hasTwoThirds(power: number, total: number): boolean {
  return power > twoThirdsOf(total);
}

/** The greatest integer not above `total`/3: the trust level a light client's jump must exceed. */
export function oneThirdOf(total: number): number {
  return (total - (total % 3)) / 3;
}
