import { drive } from "../session/drive.ts";
import type { Player } from "../session/player.ts";

/** Default time slice of the player, in ms; pending requests are answered in between. */
const BUDGET_MS = 8;

/**
 * Drives a player in the worker, which answers requests within about ten milliseconds at any speed.
 * @param rested called whenever the player is idle until the next request
 * @param budget milliseconds of the next slice, if not the default
 */
export function driveHere(
  player: Pick<Player, "onWake" | "slice">,
  rested: () => void,
  budget: () => number | undefined = () => undefined,
): void {
  const { port1, port2 } = new MessageChannel();
  const turns = {
    now: () => performance.now(),
    // A message is handled after those already waiting, and before any timer.
    soon(work: () => void) {
      port1.onmessage = work;
      port2.postMessage(undefined);
    },
    later(ms: number, work: () => void) {
      const timer = setTimeout(work, ms);
      return () => clearTimeout(timer);
    },
  };
  drive(
    player,
    turns,
    () => budget() ?? BUDGET_MS,
    (rests) => rests && rested(),
  );
}
