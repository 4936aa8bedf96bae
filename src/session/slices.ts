import type { Host } from "./history/storage.ts";

/** Works for so long before something else has its turn. */
const SLICE_MS = 8;
/** Rounds after which the clock is looked at. */
const ROUNDS_AT_ONCE = 16;

/** Runs work to its end, in slices of a few milliseconds: one function for all of what belongs together. */
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
