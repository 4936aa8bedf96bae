/** The node that serves this page, in place of an engine in a worker. */
import { socketPort } from "../../client/socket-port.ts";

const KEY = "chainlab token";

/** The token, stored as long as the tab exists, including reloads. */
const token = {
  known: "",
  get(): string {
    try {
      return sessionStorage.getItem(KEY) ?? token.known;
    } catch {
      return token.known;
    }
  },
  set(input: string): void {
    token.known = input;
    try {
      sessionStorage.setItem(KEY, input);
    } catch {
      // The browser stores nothing: the user is asked again after a reload.
    }
  },
};

/** @param path of the node's socket, relative to the page's folder */
export function attachTo(path: string) {
  const address = new URL(path, document.baseURI);
  address.protocol = address.protocol.replace("http", "ws");
  return socketPort(address.href, token);
}
