import type { Host } from "./history/storage.ts";

/** Time slice per iteration, in ms. */
const SLICE_MS = 8;
/** Rounds between two checks of the clock. */
const ROUNDS_AT_ONCE = 16;

/**
 * Runs a function to its end, in slices of a few milliseconds; related work should share one
 * function.
 */
export function inSlices({
  clock,
  delay,
}: Pick<Host, "clock" | "delay">): <T>(work: Generator<void, T>) => Promise<T> {
  let end = clock() + SLICE_MS;
  let rounds = 0;
  return async (work) => {
    for (;;) {
      const { done, value } = work.next();
      if (done) return value;
      rounds += 1;
      if (rounds % ROUNDS_AT_ONCE > 0 || clock() < end) continue;
      await delay(0);
      end = clock() + SLICE_MS;
    }
  };
}
