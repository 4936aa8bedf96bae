/**
 * Starts the engine in its worker. A separate script in the page, so that the worker is fetched,
 * and makes its first block, while the page's script is still loading; nothing else in the page
 * uses the worker directly.
 */
import type { Port } from "../../client/connect.ts";
import "./kept-theme.ts";
import engineScript from "../../workers/engine.worker.ts?worker&url";
import { lastWorld } from "./last-world.ts";
import { policy } from "./own-scripts.ts";

/** Path where the serving node attaches pages; undefined for a page that runs its own chain. */
const { node, embedded } = document.documentElement.dataset;

function startWorker(): Port {
  const worker = new Worker(policy.createScriptURL(engineScript), {
    type: "module",
    // The world to show first, if it still exists; an embedded page shows none of this browser's.
    name: embedded ?? lastWorld(),
  });
  /** Stores the first event of each kind: a worker sends no more until it is called. */
  const early: Event[] = [];
  for (const type of ["message", "error"]) {
    worker.addEventListener(type, (event) => early.push(event), { once: true });
  }
  return {
    postMessage: (message) => worker.postMessage(message),
    addEventListener(type, listener) {
      worker.addEventListener(type, listener);
      for (const event of early) if (event.type === type) listener(event);
    },
  };
}

/** A port to the node, whose script is loaded meanwhile. */
function attach(path: string): Port {
  const port = import("./attach.ts").then(({ attachTo }) => attachTo(path));
  return {
    postMessage: (message) => void port.then((to) => to.postMessage(message)),
    addEventListener: (...heard) => void port.then((to) => to.addEventListener(...heard)),
    start: () => void port.then((to) => to.start?.()),
  };
}

/** The worker, with its events from before the page listened, or the node. */
export const engine: Port = node ? attach(node) : startWorker();
