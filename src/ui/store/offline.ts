import type { StoreApi } from "zustand/vanilla";
import type { Client } from "../../client/client.ts";
import { answerTabs } from "../../client/tab-requests.ts";
import type { Notices } from "./notices.ts";
import { policy } from "./own-scripts.ts";

const NEW_VERSION = "A new version is there: reload to use it.";

const { serviceWorker } = navigator as { readonly serviceWorker?: ServiceWorkerContainer };
/** A page that is attached to a node is of no use without it, and the node answers what it is asked. */
const isServed = import.meta.env.PROD && !document.documentElement.dataset.node;

/**
 * Has the chain of this tab answer what the service worker is asked, also where the page was loaded past it, as by a
 * hard reload. Returns what starts the service worker, for the visits to come; without one (an insecure address,
 * storage that is switched off) the page runs from the network alone.
 */
export function serveTabs({ client, notices }: ServedPage): () => void {
  if (!isServed || !serviceWorker) return () => {};
  answerTabs(serviceWorker, client);
  void claim(serviceWorker).catch(() => {});
  return () => void keepOffline(serviceWorker, notices).catch(() => {});
}

interface ServedPage {
  readonly client: Client;
  readonly notices: StoreApi<Notices>;
}

/** Has the service worker serve this page, if there is one that does not. */
async function claim(serviceWorker: ServiceWorkerContainer): Promise<void> {
  const registration = await serviceWorker.getRegistration();
  if (!serviceWorker.controller) registration?.active?.postMessage("claim");
}

/** Starts the service worker, which serves the page from the next visit on, and offers each new version that it finds. */
async function keepOffline(
  serviceWorker: ServiceWorkerContainer,
  notices: StoreApi<Notices>,
): Promise<void> {
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
  // Without a network there is no news.
  const lookForNews = (): void => void registration.update().catch(() => {});
  offerWhatWaits();
  follow();
  registration.addEventListener("updatefound", follow);
  // Browsers look by themselves too, some only once the service worker rests.
  if (served) lookForNews();
  serviceWorker.addEventListener("controllerchange", () => {
    if (taken) location.reload();
    else if (served) offer();
    served = serviceWorker.controller;
  });
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) lookForNews();
  });
}
