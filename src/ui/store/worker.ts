/**
 * Starts the engine in its worker. It is a script of its own in the page, so that the worker is fetched, and makes its
 * first block, while the page's script is still on its way; nothing else in the page knows that there is a worker.
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
    // The world to show first, if it is still there; none of this browser's for a page that another one shows.
    name: embedded ?? lastWorld(),
  });
  /** The first of each kind: a worker says no more until it is asked. */
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

/** The worker, with what it said before the page listened, or the node. */
export const engine: Port = node ? attach(node) : startWorker();
