/** Finds the fork point of two histories by bisection. */

interface Range {
  /** The first height that both may have, and the last. */
  readonly first: number;
  readonly last: number;
}

/**
 * The last height up to which two histories are equal; one below the first if none is. A block's
 * hash covers all previous blocks, so equality at a height implies equality below it, and bisection
 * finds the fork point.
 * @param isSame true if block and state of a height are the same in both
 * @param hints heights at which they are likely to fork, such as a branch point: checked first
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
