/** Removal of outdated notices; loaded by the notices, as there are none to remove before. */
import type { StoreApi } from "zustand/vanilla";
import type { Notices } from "./notices.ts";
import type { Frame } from "./types.ts";

/**
 * Takes off the screen what was said of another world, what is being done when nothing is being done any more, or
 * nothing can be, and why nothing could be done: while another tab played the world, or while the chain had halted.
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
