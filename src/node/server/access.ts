/** Who may steer a node: change its world, its clock or its machines. */
import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { STATUS, StatusError } from "../../engine/framework/errors.ts";
import { type Bind, isLoopback } from "./listen.ts";

/** How long a wrong token waits for its answer, unless it is said. */
const WRONG_TOKEN_MS = 1_000;

/** As gRPC numbers it. */
const PERMISSION_DENIED = 7;

export class Access {
  readonly #bind: Bind;
  readonly #token: Buffer | undefined;
  readonly #wrongTokenMs: number;

  /**
   * @param token without one the node's own page steers, and programs on this machine, where it listens to that alone
   * @param wrongTokenMs how long a wrong one waits for its answer
   */
  constructor(bind: Bind, token: string | undefined, wrongTokenMs = WRONG_TOKEN_MS) {
    this.#bind = bind;
    this.#wrongTokenMs = wrongTokenMs;
    this.#token = token === undefined ? undefined : digest(token);
  }

  /** Whether there is a token to be shown. */
  get hasToken(): boolean {
    return this.#token !== undefined;
  }

  /** Whether a text is the token. Any other waits for its answer, so that few can be tried. */
  async isToken(given: string): Promise<boolean> {
    if (this.#token !== undefined && timingSafeEqual(digest(given), this.#token)) return true;
    await new Promise((resolve) => setTimeout(resolve, this.#wrongTokenMs));
    return false;
  }

  /** Why a request may not steer, by its headers alone; undefined if it may. */
  async refusal(headers: IncomingHttpHeaders): Promise<StatusError | undefined> {
    if (!isSameOrigin(headers)) return denied("pages of other origins do not steer this chain");
    if (!this.hasToken) {
      if (isLoopback(this.#bind)) return undefined;
      return denied("this node has no token, without which only its own machine may steer it");
    }
    const [, given] = /^Bearer (.+)$/.exec(headers.authorization ?? "") ?? [];
    if (given === undefined) {
      const text = "steering needs the chain's token: authorization: Bearer TOKEN";
      return new StatusError(STATUS.unauthenticated, text);
    }
    return (await this.isToken(given)) ? undefined : wrongToken();
  }
}

export const wrongToken = (): StatusError =>
  new StatusError(STATUS.unauthenticated, "This is not the token of this chain.");

const denied = (why: string): StatusError => new StatusError(PERMISSION_DENIED, why);

/** Whether a request is no page's, or of a page that the same server gave. */
export function isSameOrigin({ origin, host }: IncomingHttpHeaders): boolean {
  if (origin === undefined) return true;
  return URL.canParse(origin) && new URL(origin).host === host;
}

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
