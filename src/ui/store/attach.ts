/** The node that serves this page, in place of an engine in a worker. */
import { socketPort } from "../../client/socket-port.ts";

const KEY = "chainlab token";

/** The token as long as the tab is there, reloads included. */
const token = {
  known: "",
  get(): string {
    try {
      return sessionStorage.getItem(KEY) ?? token.known;
    } catch {
      return token.known;
    }
  },
  set(given: string): void {
    token.known = given;
    try {
      sessionStorage.setItem(KEY, given);
    } catch {
      // A browser that keeps nothing: it is asked for again after a reload.
    }
  },
};

/** @param path of the node's socket, below the page's folder */
export function attachTo(path: string) {
  const address = new URL(path, document.baseURI);
  address.protocol = address.protocol.replace("http", "ws");
  return socketPort(address.href, token);
}
