import type { StoreApi } from "zustand/vanilla";
import type { Client } from "../../client/client.ts";
import { answerTabs } from "../../client/tab-requests.ts";
import type { Notices } from "./notices.ts";
import { policy } from "./own-scripts.ts";

const NEW_VERSION = "A new version is there: reload to use it.";
/** Maximum time until an accepted version stops waiting, unless the browser holds it back. */
const TAKEN_WITHIN_MS = 2_000;
/** Set while a tab is loaded again for a version that it has accepted and that still waits. */
const TAKEN = "chainlab new version";

const { serviceWorker } = navigator as { readonly serviceWorker?: ServiceWorkerContainer };
/**
 * A page that is attached to a node is useless without it, and the node answers requests itself.
 */
const isServed = import.meta.env.PROD && !document.documentElement.dataset.node;

/**
 * Lets the chain of this tab answer requests to the service worker, even if the page was loaded
 * bypassing it, as by a hard reload. Returns a function that starts the service worker for later
 * visits; without one (an insecure address, disabled storage) the page depends on the network.
 * @param served the script that served the page initially: another tab may have installed a new
 * version since
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

/** Makes the service worker control this page, if one exists that does not. */
async function claim(serviceWorker: ServiceWorkerContainer): Promise<void> {
  const registration = await serviceWorker.getRegistration();
  if (!serviceWorker.controller) registration?.active?.postMessage("claim");
}

/** The versions of this page: the serving one, and each new one, which is offered. */
class Versions {
  readonly #container: ServiceWorkerContainer;
  readonly #notices: StoreApi<Notices>;
  #served: ServiceWorker | undefined;
  #registration: ServiceWorkerRegistration | undefined;
  /** True once a new version is accepted: the page is loaded again as soon as that serves it. */
  #activated = takenBefore();

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

  /** Offers the version that serves the page now, if the page was loaded with another one. */
  #follow(): void {
    const now = this.#container.controller ?? undefined;
    if (now === this.#served) return;
    if (this.#activated) location.reload();
    else if (this.#served) this.#offer();
    this.#served = now;
  }

  /**
   * Starts the service worker, which serves the page from the next visit on, and checks for new
   * versions from now on.
   */
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
    // Without a network there is no update.
    const lookForNews = (): void => void registration.update().catch(() => {});
    if (!this.#activated) offerWhatWaits();
    else if (registration.waiting) {
      registration.waiting.postMessage("activate");
      setTimeout(offerWhatWaits, TAKEN_WITHIN_MS);
    } else {
      // It was activated meanwhile; the version before may have served this page.
      location.reload();
    }
    follow();
    registration.addEventListener("updatefound", follow);
    // Browsers check themselves too, some only once the service worker is idle.
    if (this.#served) lookForNews();
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) lookForNews();
    });
  }

  #offer(): void {
    this.#notices.setState({
      offer: { text: NEW_VERSION, label: "Reload", take: () => this.#take() },
      spoken: NEW_VERSION,
    });
  }

  #take(): void {
    this.#activated = true;
    const waiting = this.#registration?.waiting;
    if (!waiting) {
      // Another tab has already accepted it.
      location.reload();
      return;
    }
    waiting.postMessage("activate");
    setTimeout(() => {
      // While a tab loads a part, Chromium leaves it waiting, also past a reload if that is another tab.
      if (waiting.state !== "installed") return;
      sessionStorage.setItem(TAKEN, "");
      location.reload();
    }, TAKEN_WITHIN_MS);
  }
}

/** True once for each reload by which the tab waits for a version. */
function takenBefore(): boolean {
  try {
    const taken = sessionStorage.getItem(TAKEN) !== null;
    sessionStorage.removeItem(TAKEN);
    return taken;
  } catch {
    // The browser stores nothing for this site.
    return false;
  }
}
