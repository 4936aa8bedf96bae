import type { Page } from "./store/page.ts";
import { VIEWS } from "./views/views.ts";

/**
 * Fetches in idle time what the next click will need; the charts' library is too large for that. Then lets a service
 * worker keep all of it for the next visit.
 */
export function preloadWhenIdle(page: Page): void {
  const parts = [
    () => import("./panels/cards/HaltCard.tsx"),
    () => import("./dialogs/Dialogs.tsx"),
    () => import("./dialogs/DoubleSign.tsx"),
    () => import("./dialogs/FaultForm.tsx"),
    () => import("./dialogs/Upgrade.tsx"),
    () => import("./panels/cards/NoticeCards.tsx"),
    () => import("./panels/cards/Bands.tsx"),
    () => import("./dialogs/Worlds.tsx"),
    () => import("./panels/story/StorySteps.tsx"),
    ...VIEWS.flatMap(({ preload }) => preload ?? []),
    () => import("./store/offline.ts").then(({ keepOffline }) => keepOffline(page.notices)),
  ];
  // Safari has no requestIdleCallback.
  const whenIdle = window.requestIdleCallback ?? ((then: () => void) => setTimeout(then, 1000));
  const next = (): void => {
    const part = parts.shift();
    // A part that cannot be fetched now is fetched when it is needed, and fails there if it must.
    if (part) part().then(() => whenIdle(next), next);
  };
  whenIdle(next);
}
