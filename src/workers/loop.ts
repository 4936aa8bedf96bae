import { drive } from "../session/drive.ts";
import type { Player } from "../session/player.ts";

/** Usual time slice of the player; pending requests are answered in between. */
const BUDGET_MS = 8;

/**
 * Drives a player in the worker, which answers requests within about ten milliseconds at any speed.
 * @param rested called whenever the player is idle until the next request
 * @param budget milliseconds of the next slice, where they are not the usual ones
 */
export function driveHere(
  player: Pick<Player, "onWake" | "slice">,
  rested: () => void,
  budget: () => number | undefined = () => undefined,
): void {
  const { port1, port2 } = new MessageChannel();
  const turns = {
    now: () => performance.now(),
    // A message comes after those already waiting, and sooner than any timer.
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
