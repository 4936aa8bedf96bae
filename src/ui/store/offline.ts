import type { StoreApi } from "zustand/vanilla";
import type { Client } from "../../client/client.ts";
import { answerTabs } from "../../client/tab-requests.ts";
import type { Notices } from "./notices.ts";
import { policy } from "./own-scripts.ts";

const NEW_VERSION = "A new version is there: reload to use it.";
/** A new version serves the page sooner than that, unless the browser has given the change up. */
const TAKEN_WITHIN_MS = 2_000;

const { serviceWorker } = navigator as { readonly serviceWorker?: ServiceWorkerContainer };
/** A page that is attached to a node is of no use without it, and the node answers what it is asked. */
const isServed = import.meta.env.PROD && !document.documentElement.dataset.node;

/**
 * Has the chain of this tab answer what the service worker is asked, also where the page was loaded past it, as by a
 * hard reload. Returns what starts the service worker, for the visits to come; without one (an insecure address,
 * storage that is switched off) the page runs from the network alone.
 * @param served what served the page when it began: another tab may have taken a new version since
 */
export function serveTabs(
  { client, notices }: ServedPage,
  served: ServiceWorker | undefined,
): () => void {
  if (!isServed || !serviceWorker) return () => {};
  answerTabs(serviceWorker, client);
  void claim(serviceWorker).catch(() => {});
  const versions = new Versions(serviceWorker, notices, served);
  return () => void versions.look().catch(() => {});
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

/** The versions of this page: the one that serves it, and each new one, which is offered. */
class Versions {
  readonly #container: ServiceWorkerContainer;
  readonly #notices: StoreApi<Notices>;
  #served: ServiceWorker | undefined;
  #registration: ServiceWorkerRegistration | undefined;
  #taken = false;

  constructor(
    container: ServiceWorkerContainer,
    notices: StoreApi<Notices>,
    served: ServiceWorker | undefined,
  ) {
    this.#container = container;
    this.#notices = notices;
    this.#served = served;
    this.#follow();
    container.addEventListener("controllerchange", () => this.#follow());
  }

  /** Offers the version that serves the page now, if another one did when the page was loaded. */
  #follow(): void {
    const now = this.#container.controller ?? undefined;
    if (now === this.#served) return;
    if (this.#taken) location.reload();
    else if (this.#served) this.#offer();
    this.#served = now;
  }

  /** Starts the service worker, which serves the page from the next visit on, and looks for a new one from now on. */
  async look(): Promise<void> {
    const registration = await this.#container.register(policy.createScriptURL("sw.js"), {
      updateViaCache: "none",
    });
    this.#registration = registration;
    const offerWhatWaits = (): void => {
      if (registration.waiting && this.#served) this.#offer();
    };
    const follow = (): void =>
      registration.installing?.addEventListener("statechange", offerWhatWaits);
    // Without a network there is no news.
    const lookForNews = (): void => void registration.update().catch(() => {});
    offerWhatWaits();
    follow();
    registration.addEventListener("updatefound", follow);
    // Browsers look by themselves too, some only once the service worker rests.
    if (this.#served) lookForNews();
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) lookForNews();
    });
  }

  #offer(): void {
    const take = (): void => {
      this.#taken = true;
      const waiting = this.#registration?.waiting;
      waiting?.postMessage("activate");
      // Without one that waits, another tab has taken the offer already. And where the page loads a part just as the
      // versions change, Chromium leaves the new one waiting until the page is loaded again.
      setTimeout(() => location.reload(), waiting ? TAKEN_WITHIN_MS : 0);
    };
    this.#notices.setState({
      offer: { text: NEW_VERSION, label: "Reload", take },
      spoken: NEW_VERSION,
    });
  }
}
