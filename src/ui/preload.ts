/** Fetches in idle time what the next click will need; the charts' library is too large for that. */
export function preloadWhenIdle(): void {
  const parts = [
    () => import("./panels/HaltCard.tsx"),
    () => import("./dialogs/Dialogs.tsx"),
    () => import("./dialogs/DoubleSign.tsx"),
    () => import("./dialogs/Trouble.tsx"),
    () => import("./dialogs/Upgrade.tsx"),
    () => import("./panels/NoticeCards.tsx"),
    () => import("./panels/StorySteps.tsx"),
    () => import("./views/Evidence.tsx"),
    () => import("./views/Upgrades.tsx"),
    () => import("./views/Governance.tsx"),
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
