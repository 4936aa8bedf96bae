/**
 * Starts the engine in its worker. It is a script of its own in the page, so that the worker is fetched, and makes its
 * first block, while the page's script is still on its way; nothing else in the page knows that there is a worker.
 */
import type { Port } from "../../client/connect.ts";
import "./kept-theme.ts";
import engineScript from "../../workers/engine.worker.ts?worker&url";
import { lastWorld } from "./last-world.ts";
import { policy } from "./own-scripts.ts";

const worker = new Worker(policy.createScriptURL(engineScript), {
  type: "module",
  // The world to show first, if it is still there.
  name: lastWorld(),
});

/** The first of each kind: a worker says no more until it is asked. */
const early: Event[] = [];
for (const type of ["message", "error"]) {
  worker.addEventListener(type, (event) => early.push(event), { once: true });
}

/** The worker, with what it said before the page listened. */
export const engine: Port = {
  postMessage: (message) => worker.postMessage(message),
  addEventListener(type, listener) {
    worker.addEventListener(type, listener);
    for (const event of early) if (event.type === type) listener(event);
  },
};
