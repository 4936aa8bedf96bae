import type { Client } from "../../client/client.ts";
import { connectPort } from "../../client/connect.ts";
import engineScript from "../../workers/engine.worker.ts?worker&url";
import { policy } from "./own-scripts.ts";

/**
 * Starts the engine in its worker. Nothing else in the page knows that there is one.
 * @param world id of the world to show first, if it is still there: the worker is named after it
 */
export function startEngine(world: string): Client {
  const client = connectPort(
    new Worker(policy.createScriptURL(engineScript), { type: "module", name: world }),
  );
  addEventListener("pagehide", () => client.leave());
  // A phone may end a hidden page without another word.
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) client.leave();
  });
  return client;
}
