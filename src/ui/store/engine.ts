import type { Client } from "../../client/client.ts";
import { connectPort } from "../../client/connect.ts";
import { engine } from "./worker.ts";

/** Connects to the engine, and saves when the page may end. */
export function connectEngine(): Client {
  const client = connectPort(engine);
  addEventListener("pagehide", () => client.leave());
  // A phone may end a hidden page without notice.
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) client.leave();
  });
  return client;
}
