import type { StoreApi } from "zustand/vanilla";
import type { FrameState } from "./frame-store.ts";

const KEY = "chainlab world";

/** Id of the world that this tab showed before it was reloaded; empty if none is known. */
export function lastWorld(): string {
  try {
    return sessionStorage.getItem(KEY) ?? "";
  } catch {
    // A browser that keeps nothing for this site.
    return "";
  }
}

/** Keeps the id of the world on screen for as long as the tab is there, reloads included. */
export function rememberWorld(frames: StoreApi<FrameState>): void {
  let known = "";
  frames.subscribe(({ frame }) => {
    const id = frame?.player?.kept?.id;
    if (!id || id === known) return;
    known = id;
    try {
      sessionStorage.setItem(KEY, id);
    } catch {
      // The world that was saved last is opened instead.
    }
  });
}
