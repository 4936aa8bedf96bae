import { isAnswered, type Page } from "./store/page.ts";
import { fetchedAhead } from "./widgets/lazy-part.tsx";

/**
 * Answers other tabs' requests to this one's chain, and fetches parts for the next click in idle
 * time. Then lets a service worker cache everything for the next visit. Starts when the engine has
 * answered.
 */
export function preloadWhenIdle(page: Page): void {
  let at = 0;
  let keep: (() => void) | undefined;
  const served = navigator.serviceWorker?.controller ?? undefined;
  // Safari has no requestIdleCallback.
  const whenIdle = window.requestIdleCallback ?? ((then: () => void) => setTimeout(then, 1000));
  const next = (): void => {
    // A fetched part may have parts of its own, which are fetched after it.
    const part = fetchedAhead[at];
    at += 1;
    // If it cannot be fetched now, it is fetched on use, and reports a failure there.
    if (part) part().then(() => whenIdle(next), next);
    else keep?.();
  };
  const begin = (): void =>
    void import("./store/offline.ts")
      .then(({ serveTabs }) => {
        keep = serveTabs(page, served);
      })
      .then(next, next);
  const stop = page.frames.subscribe((state) => {
    if (!isAnswered(state)) return;
    stop();
    whenIdle(begin);
  });
}
