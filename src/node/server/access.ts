/** Access control of a node: changes of its world, its clock or its machines. */
import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { isIPv6 } from "node:net";
import { STATUS, StatusError } from "../../engine/framework/errors.ts";
import { type Bind, isLoopback } from "./listen.ts";

/**
 * Default delay of the answer to the first wrong token of an address, in ms; it doubles with each
 * further one.
 */
const WRONG_TOKEN_MS = 1_000;
/** Maximum delay, as a multiple of the first. */
const LONGEST = 30;
/** Maximum pending wrong tokens of one address, and maximum stored addresses. */
const WAITING_TOKENS = 8;
const ADDRESSES = 1_000;

/** gRPC's number of the code. */
const PERMISSION_DENIED = 7;

/** The wrong tokens of an address. */
interface Guesses {
  /** Number of wrong tokens since the last right one. */
  wrong: number;
  waiting: number;
  /** Settled when none is pending. */
  last: Promise<unknown>;
}

/** Wrong tokens by address, at all servers of a node. */
export class TokenGuesses {
  readonly #of = new Map<string, Guesses>();

  of(address: string | undefined): Guesses {
    const none = { wrong: 0, waiting: 0, last: Promise.resolve() };
    if (address === undefined) return none;
    const guesses = this.#of.get(address) ?? none;
    // Evicts the address that has been inactive for longest.
    this.#of.delete(address);
    this.#of.set(address, guesses);
    for (const [one, { waiting }] of this.#of) {
      if (this.#of.size <= ADDRESSES) break;
      if (waiting === 0) this.#of.delete(one);
    }
    return guesses;
  }
}

export class Access {
  readonly #bind: Bind;
  readonly #token: Buffer | undefined;
  readonly #wrongTokenMs: number;
  readonly #guesses: TokenGuesses;

  /**
   * @param token without one, the node's own page and programs on this machine have control, if it
   * listens only to this machine
   * @param wrongTokenMs delay of the answer to an address's first wrong token
   */
  constructor(
    bind: Bind,
    token: string | undefined,
    wrongTokenMs = WRONG_TOKEN_MS,
    guesses = new TokenGuesses(),
  ) {
    this.#bind = bind;
    this.#wrongTokenMs = wrongTokenMs;
    this.#guesses = guesses;
    this.#token = token === undefined ? undefined : digest(token);
  }

  /** True if clients must show a token. */
  get hasToken(): boolean {
    return this.#token !== undefined;
  }

  /**
   * Returns true if a text is the token. A right one is accepted at once, so that other users of
   * the same address cannot delay it; wrong ones of an address are answered in sequence, each later
   * than the one before. Rejects with a StatusError while too many are pending: then no token of
   * that address is compared, since the answer's timing would reveal a right guess.
   * @param address of the client; the hosts of an IPv6 network count as one
   */
  async isToken(input: string, address?: string): Promise<boolean> {
    const guesses = this.#guesses.of(address && networkOf(address));
    if (guesses.waiting >= WAITING_TOKENS) {
      const text = "too many wrong tokens of this address wait for their answer; ask again later";
      throw new StatusError(STATUS.resourceExhausted, text);
    }
    if (this.#token !== undefined && timingSafeEqual(digest(input), this.#token)) {
      guesses.wrong = 0;
      return true;
    }
    guesses.waiting += 1;
    guesses.last = guesses.last.then(async () => {
      const wait = this.#wrongTokenMs * Math.min(2 ** guesses.wrong, LONGEST);
      guesses.wrong += 1;
      await new Promise((resolve) => setTimeout(resolve, wait));
      guesses.waiting -= 1;
    });
    await guesses.last;
    return false;
  }

  /**
   * Reason why a request may not control the lab, judged by its headers and its address only;
   * undefined if it may.
   */
  async refusal(headers: IncomingHttpHeaders, address?: string): Promise<StatusError | undefined> {
    if (!isSameOrigin(headers)) return denied("pages of other origins cannot control this chain");
    if (!this.hasToken) {
      if (isLoopback(this.#bind)) return undefined;
      return denied("this node has no token, without which only its own machine may steer it");
    }
    const [, input] = /^Bearer (.+)$/.exec(headers.authorization ?? "") ?? [];
    if (input === undefined) {
      const text = "control needs the chain's token: authorization: Bearer TOKEN";
      return new StatusError(STATUS.unauthenticated, text);
    }
    try {
      return (await this.isToken(input, address)) ? undefined : wrongToken();
    } catch (error) {
      if (error instanceof StatusError) return error;
      throw error;
    }
  }
}

export const wrongToken = (): StatusError =>
  new StatusError(STATUS.unauthenticated, "This is not the token of this chain.");

const denied = (why: string): StatusError => new StatusError(PERMISSION_DENIED, why);

/** True for a request from outside a page, or from a page of the same server. */
export function isSameOrigin({ origin, host }: IncomingHttpHeaders): boolean {
  if (origin === undefined) return true;
  return URL.canParse(origin) && new URL(origin).host === host;
}

/** The part of an address that its host cannot choose. */
function networkOf(address: string): string {
  if (!isIPv6(address) || address.startsWith("::ffff:")) return address;
  const [before = "", after = ""] = address.split("::");
  const [head, tail] = [before, after].map((groups) => groups.split(":").filter(Boolean));
  const zeros = Array(8 - (head?.length ?? 0) - (tail?.length ?? 0)).fill("0");
  return [...(head ?? []), ...zeros, ...(tail ?? [])].slice(0, 4).join(":");
}

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
