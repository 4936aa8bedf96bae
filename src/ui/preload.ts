import { isAnswered, type Page } from "./store/page.ts";
import { fetchedAhead } from "./widgets/lazy-part.tsx";

/**
 * Lets other tabs ask this one's chain, and fetches in idle time what the next click will need. Then lets a service
 * worker keep all of it for the next visit. It begins when the engine has answered.
 */
export function preloadWhenIdle(page: Page): void {
  let at = 0;
  let keep: (() => void) | undefined;
  const served = navigator.serviceWorker?.controller ?? undefined;
  // Safari has no requestIdleCallback.
  const whenIdle = window.requestIdleCallback ?? ((then: () => void) => setTimeout(then, 1000));
  const next = (): void => {
    // A part that is fetched may have parts of its own, which are fetched after it.
    const part = fetchedAhead[at];
    at += 1;
    // One that cannot be fetched now is fetched when it is needed, and fails there if it must.
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
