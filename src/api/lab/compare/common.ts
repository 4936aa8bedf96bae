/** Finds the fork point of two histories by bisection. */

interface Range {
  /** The first height that both may have, and the last. */
  readonly first: number;
  readonly last: number;
}

/**
 * The last height up to which two histories are the same; one below the first if nothing is. A block's hash covers all
 * before it, so what is the same at a height is the same below it, and halving finds the place.
 * @param isSame whether block and state of a height are the same in both
 * @param hints heights at which they may well part, such as where a branch began: looked at first
 */
export async function lastCommonHeight(
  { first, last }: Range,
  isSame: (height: number) => Promise<boolean>,
  hints: readonly number[] = [],
): Promise<number> {
  let low = first - 1;
  let high = last + 1;
  const look = async (height: number): Promise<void> => {
    if (height <= low || height >= high) return;
    if (await isSame(height)) low = height;
    else high = height;
  };
  for (const hint of [last, ...hints.flatMap((height) => [height, height + 1])]) await look(hint);
  while (high - low > 1) await look(Math.floor((low + high) / 2));
  return low;
}
