import type { Player } from "./player.ts";

/** The platform's clock and scheduler, for work in time slices. */
export interface Turns {
  /** Monotonic clock, in milliseconds. */
  now(): number;
  /** Calls `work` after all queued work, and before any timer. */
  soon(work: () => void): void;
  /** Calls `work` after a number of milliseconds; returns a function that cancels it. */
  later(ms: number, work: () => void): () => void;
}

/**
 * Drives a player in time slices, so that requests are answered in between at any speed. Returns a
 * function that stops it.
 * @param budget milliseconds of the next slice
 * @param worked called after every slice; its argument is true if the player is idle until the next
 * request
 */
export function drive(
  player: Pick<Player, "onWake" | "slice">,
  { now, soon, later }: Turns,
  budget: () => number,
  worked: (rests: boolean) => void,
): () => void {
  let cancel = (): void => {};
  let posted = false;
  let over = false;

  const wake = (): void => {
    cancel();
    if (!posted) soon(work);
    posted = true;
  };
  const work = (): void => {
    posted = false;
    if (over) return;
    const wait = player.slice(budget(), now);
    const rests = wait === Number.POSITIVE_INFINITY;
    if (wait === 0) wake();
    else if (!rests) cancel = later(wait, wake);
    worked(rests);
  };
  player.onWake = wake;
  wake();
  return () => {
    over = true;
    cancel();
  };
}
