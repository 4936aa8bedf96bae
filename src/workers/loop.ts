import type { Player } from "../session/player.ts";

/** So long at a time; then whoever has asked for something is answered. */
const BUDGET_MS = 8;

/**
 * Drives a player for good: at any speed the worker is free again within about ten milliseconds.
 * @param rested called whenever there is nothing more to do until somebody asks for something
 */
export function drive(player: Player, rested: () => void): void {
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
