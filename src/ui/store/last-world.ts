import type { StoreApi } from "zustand/vanilla";
import type { FrameState } from "./frame-store.ts";

const KEY = "chainlab world";

/** Id of the world that this tab showed before its reload; empty if unknown. */
export function lastWorld(): string {
  try {
    return sessionStorage.getItem(KEY) ?? "";
  } catch {
    // The browser stores nothing for this site.
    return "";
  }
}

/** Stores the id of the world on screen as long as the tab exists, including reloads. */
export function rememberWorld(frames: StoreApi<FrameState>): void {
  let known = "";
  frames.subscribe(({ frame }) => {
    const id = frame?.player?.kept?.id;
    if (!id || id === known) return;
    known = id;
    try {
      sessionStorage.setItem(KEY, id);
    } catch {
      // The last saved world is opened instead.
    }
  });
}
