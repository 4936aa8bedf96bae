/** HTTP/1 servers with resource limits for untrusted clients. */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { errorText, isBug } from "../../base/error-text.ts";
import { HEIGHT_HEADER } from "../../base/height-header.ts";
import { SERVER } from "../../base/limits.ts";
import { shortened } from "../../base/shortened.ts";
import { visibleText } from "../../base/visible-text.ts";
import { STATUS, StatusError } from "../../engine/framework/errors.ts";
import type { HttpAnswer } from "../../server/http.ts";
import { isSameOrigin } from "./access.ts";
import { ByteBudget } from "./byte-budget.ts";
import type { RunningChain } from "./chain.ts";
import { type Bind, isLoopback, isOwnHost } from "./listen.ts";
import { reportBug } from "./log.ts";
import { SECURITY_HEADERS } from "./security-headers.mjs";
import type { Served } from "./served.ts";

/** Answers a request, once. */
export type AnswerRequest = (
  request: IncomingMessage,
  response: ServerResponse,
) => void | Promise<void>;

/** Error of a refused request, with its HTTP status. */
class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/**
 * A server that disconnects slow, idle and surplus clients, and answers errors with readable
 * messages.
 */
export function httpServer(bind: Bind, answer: AnswerRequest): Server {
  const server = createServer(
    {
      maxHeaderSize: SERVER.headerBytes,
      headersTimeout: SERVER.headersMs,
      requestTimeout: SERVER.requestMs,
      keepAliveTimeout: SERVER.idleMs,
      connectionsCheckingInterval: 1_000,
    },
    async (request, response) => {
      try {
        for (const name in SECURITY_HEADERS) response.setHeader(name, SECURITY_HEADERS[name] ?? "");
        if (!isOwnHost(request.headers.host, bind)) {
          throw new Refusal(403, "this is no name of the node: ask for it by its address");
        }
        await answer(request, response);
      } catch (error) {
        await refuse(response, error);
      }
    },
  );
  server.maxConnections = SERVER.connections;
  // A client that reads nothing of an answer counts as idle.
  server.timeout = SERVER.idleMs;
  return server;
}

/** Format of errors, loaded with the first of them. */
const words = () => import("../../server/http.ts");

/** Answers with an error; the stack of a bug is only logged. */
async function refuse(response: ServerResponse, error: unknown): Promise<void> {
  if (isBug(error)) reportBug(error);
  if (response.headersSent) return void response.destroy();
  const status = refusedWith(error) ?? 500;
  const { refusal } = await words();
  send(response, refusal(status, errorText(error)));
}

/** The HTTP status for a request refused before parsing. */
export function refusedWith(error: unknown): number | undefined {
  if (error instanceof StatusError && error.code === STATUS.resourceExhausted) return 429;
  return error instanceof Refusal ? error.status : undefined;
}

/** Sends an answer; without the body for a HEAD request. */
export function send(response: ServerResponse, { status, headers, body }: HttpAnswer): void {
  response.writeHead(status, { ...headers, "Content-Length": Buffer.byteLength(body) });
  // A text is sent in one chunk with its headers.
  response.end(response.req.method === "HEAD" ? undefined : body);
}

const NO_BODY = new Uint8Array();

const HEALTH = /^\/health\/?(\?|$)/;

/**
 * All bytes of a request when it is its turn; they count until its answer ends. A health check
 * skips the queue: it costs nothing, and monitors take a late answer for none. Rejects with an
 * error that `refusedWith` handles if there are too many bytes, or too many requests wait.
 * @param isHealth true if a body contains no more than a health check
 */
export async function readBody(
  chain: RunningChain,
  request: IncomingMessage,
  response: ServerResponse,
  isHealth = (_body: Uint8Array): boolean => false,
): Promise<Uint8Array> {
  const gone = (): boolean => response.destroyed;
  const { "content-length": length = "0", "transfer-encoding": coding } = request.headers;
  if (length === "0" && coding === undefined) {
    if (!HEALTH.test(request.url ?? "")) await chain.turn(gone);
    return NO_BODY;
  }
  const held = chain.admission.bytes.of(response);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > SERVER.bodyBytes) throw new Refusal(413, (await words()).tooLong(SERVER.bodyBytes));
    if (!held.reserve(chunk.length)) throw new Refusal(429, ByteBudget.TOO_MANY);
    chunks.push(chunk);
  }
  const body = Buffer.concat(chunks);
  if (!isHealth(body)) await chain.turn(gone);
  return body;
}

/** Throws a Refusal for a request from a foreign page. */
export function refuseForeign(request: Pick<IncomingMessage, "headers">, served: Served): void {
  const why = foreignPage(request, served);
  if (why !== undefined) throw new Refusal(403, why);
}

/** The headers of a request, each joined to one text. */
export function flatHeaders({ headers }: IncomingMessage): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const name in headers) flat[name] = String(headers[name]);
  return flat;
}

/**
 * Reason why a request from another site's page is refused; undefined if it is allowed. The node's
 * own pages are always allowed.
 */
export function foreignPage(
  { headers }: Pick<IncomingMessage, "headers">,
  { cors, chain }: Served,
): string | undefined {
  const { origin, host = "", "sec-fetch-site": site } = headers;
  const allowed = cors.split(",");
  if (allowed.includes("*")) return undefined;
  if (origin !== undefined) {
    if (allowed.includes(origin) || isSameOrigin(headers) || isOwnPage(origin, host, chain.ports))
      return undefined;
    const shown = shortened(visibleText(origin), SHOWN_ORIGIN);
    return `pages of ${shown} may not ask this node: start it with --cors ${shown} to let them`;
  }
  // Images and frames send no origin, but the site of their page.
  const isForeign = site === "cross-site" || site === "same-site";
  const isLink =
    headers["sec-fetch-mode"] === "navigate" && headers["sec-fetch-dest"] === "document";
  if (!isForeign || isLink) return undefined;
  return "pages of other sites may not ask this node: start it with --cors ORIGIN to let those of an origin";
}

/**
 * True if an origin is another server of the same node: with the requested host name, or a loopback
 * name.
 */
function isOwnPage(origin: string, host: string, ports: ReadonlySet<number>): boolean {
  const at = `http://${host}`;
  if (!URL.canParse(origin) || !URL.canParse(at)) return false;
  const [from, to] = [new URL(origin), new URL(at)];
  const isHere = ({ hostname }: URL): boolean =>
    isLoopback({ host: hostname.replace(/^\[|\]$/g, ""), port: 0 });
  const isSameName = from.hostname === to.hostname || (isHere(from) && isHere(to));
  return from.protocol === "http:" && isSameName && ports.has(Number(from.port || 80));
}

/** Headers that pages of other origins may read, and send. */
const EXPOSED = `${HEIGHT_HEADER}, grpc-status, grpc-message, grpc-status-details-bin`;
const SHOWN_ORIGIN = 100;

/**
 * Sets CORS headers for pages of the allowed origins. Returns true for a preflight request, which
 * it answers. Throws a Refusal for any request of another origin.
 */
export function allowOrigin(
  request: IncomingMessage,
  response: ServerResponse,
  served: Served,
): boolean {
  refuseForeign(request, served);
  const { method, headers } = request;
  const any = served.cors === "*";
  if (any || headers.origin !== undefined)
    response.setHeader("Access-Control-Allow-Origin", any ? "*" : (headers.origin ?? ""));
  response.setHeader("Access-Control-Expose-Headers", EXPOSED);
  if (!any) response.setHeader("Vary", "Origin");
  if (method !== "OPTIONS") return false;
  response.writeHead(204, {
    "Access-Control-Allow-Methods": "GET, HEAD, POST, OPTIONS",
    "Access-Control-Allow-Headers": headers["access-control-request-headers"] ?? "*",
    "Access-Control-Max-Age": "600",
  });
  response.end();
  return true;
}
