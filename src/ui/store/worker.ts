import type { Client } from "../../client/client.ts";
import { connectPort } from "../../client/connect.ts";

/** Starts the engine in its worker. Nothing else in the page knows that there is one. */
export function startEngine(): Client {
  return connectPort(
    new Worker(new URL("../../workers/engine.worker.ts", import.meta.url), {
      type: "module",
      name: "engine",
    }),
  );
}
