/** Removes outdated notices; loaded with the first notice. */
import type { StoreApi } from "zustand/vanilla";
import type { Notices } from "./notices.ts";
import type { Frame } from "./types.ts";

/**
 * Removes notices of another world, of running actions once nothing is running or can run, and of
 * refusals whose reason is over: another tab played the world, or the chain had halted.
 */
export function forgetUntrue(
  notices: StoreApi<Notices>,
  before: Frame | undefined,
  { world, player, chainStatus }: Frame,
): void {
  const { shown } = notices.getState();
  const another = before !== undefined && before.world !== world;
  const watched = before?.player?.kept?.role === "watching" && player?.kept?.role !== "watching";
  const stands = chainStatus?.state === "halted";
  const left = shown.filter(({ tone, undo, halted }) => {
    if (another) return undo?.world && undo.world !== player?.kept?.id;
    if (halted) return stands;
    return tone === "doing" ? player?.busy && !stands : tone !== "error" || !watched;
  });
  if (left.length < shown.length) notices.setState({ shown: left });
}
