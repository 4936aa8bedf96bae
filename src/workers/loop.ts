import type { Player } from "../session/player.ts";

/** Time slice of the player; pending requests are answered in between. */
const BUDGET_MS = 8;

/**
 * Drives a player in time slices, so that the worker answers requests within about ten milliseconds at
 * any speed.
 * @param rested called whenever the player is idle until the next request
 */
export function drive(player: Pick<Player, "onWake" | "slice">, rested: () => void): void {
  const { port1, port2 } = new MessageChannel();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let posted = false;

  // A message comes after those already waiting, and sooner than any timer.
  const soon = (): void => {
    clearTimeout(timer);
    if (!posted) port2.postMessage(undefined);
    posted = true;
  };
  port1.onmessage = () => {
    posted = false;
    const wait = player.slice(BUDGET_MS, () => performance.now());
    if (wait === 0) soon();
    else if (wait !== Number.POSITIVE_INFINITY) timer = setTimeout(soon, wait);
    else rested();
  };
  player.onWake = soon;
  soon();
}
