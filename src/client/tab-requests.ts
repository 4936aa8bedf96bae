/**
 * Messages between a service worker and the tab that answers for it, on a port for each request.
 */
import type { Client, HttpAnswer, HttpRequest } from "./client.ts";

/**
 * Sent with the port. Changed whenever the messages below change: a tab of another version then
 * does not answer, and the next one is tried.
 */
export type TabProtocol = "chainlab request 2";
const ASKS: TabProtocol = "chainlab request 2";

/**
 * A tab's first message: the time of its last use. Among several tabs, the most recently used one
 * gets the request.
 */
export interface TabHere {
  readonly usedAt: number;
}
export type TabRequest = HttpRequest;
export type TabAnswer = { readonly answer: HttpAnswer } | { readonly problem: string };

/** Makes a tab's client answer the requests of its service worker. */
export function answerTabs(serviceWorker: ServiceWorkerContainer, client: Client): void {
  let usedAt = document.hidden ? 0 : Date.now();
  const use = (): void => {
    if (!document.hidden) usedAt = Date.now();
  };
  for (const event of ["focus", "pointerdown", "visibilitychange"]) {
    addEventListener(event, use, { capture: true, passive: true });
  }
  serviceWorker.addEventListener("message", ({ data, ports: [port] }) => {
    if (data !== ASKS || port === undefined) return;
    port.onmessage = async ({ data: request }: MessageEvent<TabRequest>) =>
      port.postMessage(await answer(client, request));
    const here: TabHere = { usedAt };
    port.postMessage(here);
  });
}

async function answer(client: Client, request: TabRequest): Promise<TabAnswer> {
  try {
    return { answer: await client.http(request) };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}
