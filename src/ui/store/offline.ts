import type { StoreApi } from "zustand/vanilla";
import type { Notices } from "./notices.ts";
import { policy } from "./own-scripts.ts";

const NEW_VERSION = "A new version is there: reload to use it.";

/**
 * Starts the service worker, which serves the page from the next visit on, and offers each new version that it finds.
 * Without one (an insecure address, storage that is switched off) the page runs from the network alone.
 */
export async function keepOffline(notices: StoreApi<Notices>): Promise<void> {
  const { serviceWorker } = navigator;
  // A page that is attached to a node is of no use without it.
  if (!import.meta.env.PROD || !serviceWorker || document.documentElement.dataset.node) return;
  let served = serviceWorker.controller;
  const registration = await serviceWorker.register(policy.createScriptURL("sw.js"), {
    updateViaCache: "none",
  });

  let taken = false;
  const take = (): void => {
    taken = true;
    // Without one that waits, another tab has taken the offer already.
    if (registration.waiting) registration.waiting.postMessage("activate");
    else location.reload();
  };
  const offer = (): void =>
    notices.setState({
      offer: { text: NEW_VERSION, label: "Reload", take },
      spoken: NEW_VERSION,
    });

  const offerWhatWaits = (): void => {
    if (registration.waiting && served) offer();
  };
  const follow = (): void =>
    registration.installing?.addEventListener("statechange", offerWhatWaits);
  offerWhatWaits();
  follow();
  registration.addEventListener("updatefound", follow);
  serviceWorker.addEventListener("controllerchange", () => {
    if (taken) location.reload();
    else if (served) offer();
    served = serviceWorker.controller;
  });
  document.addEventListener("visibilitychange", () => {
    // Without a network there is no news.
    if (!document.hidden) registration.update().catch(() => {});
  });
}
