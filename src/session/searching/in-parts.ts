/**
 * Runs the items in order, one per worker at a time.
 * @param isOver true stops before the next item, checked after each; the results then have no gap
 */
export async function inParts<T, R>(
  { size }: { readonly size: number },
  items: readonly T[],
  work: (item: T) => Promise<R>,
  isOver: () => boolean,
): Promise<R[]> {
  const results: R[] = [];
  // All lanes take from the same entries.
  const entries = items.entries();
  const lane = async (): Promise<void> => {
    for (const [i, item] of entries) {
      results[i] = await work(item);
      // Returning ends the shared iterator for all lanes, as intended.
      if (isOver()) return;
    }
  };
  await Promise.all(Array.from({ length: size }, lane));
  return results;
}
