/** Who may steer a node: change its world, its clock or its machines. */
import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { type Bind, isLoopback } from "./listen.ts";

export class Access {
  readonly #bind: Bind;
  readonly #token: Buffer | undefined;

  /** @param token without one the node's own page steers, and programs on this machine, where it listens to that alone */
  constructor(bind: Bind, token: string | undefined) {
    this.#bind = bind;
    this.#token = token === undefined ? undefined : digest(token);
  }

  /** Whether there is a token to be shown. */
  get hasToken(): boolean {
    return this.#token !== undefined;
  }

  /** Whether a text is the token; takes as long for any. */
  isToken(given: string): boolean {
    return this.#token !== undefined && timingSafeEqual(digest(given), this.#token);
  }

  /** Whether a request may steer, by its headers alone. Pages of other origins never may. */
  maySteer(headers: IncomingHttpHeaders): boolean {
    if (!isSameOrigin(headers)) return false;
    if (this.#token === undefined) return isLoopback(this.#bind);
    const [, given = ""] = /^Bearer (.+)$/.exec(headers.authorization ?? "") ?? [];
    return this.isToken(given);
  }
}

/** Whether a request is no page's, or of a page that the same server gave. */
export function isSameOrigin({ origin, host }: IncomingHttpHeaders): boolean {
  if (origin === undefined) return true;
  return URL.canParse(origin) && new URL(origin).host === host;
}

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
