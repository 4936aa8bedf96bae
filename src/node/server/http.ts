/** HTTP/1 servers, within the limits of what a stranger may take of them. */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { HttpAnswer } from "../../doors/http.ts";
import { errorText, isBug } from "../../input/error-text.ts";
import { HEIGHT_HEADER } from "../../input/height-header.ts";
import { SERVER } from "../../input/limits.ts";
import { HeldBytes } from "./held-bytes.ts";
import { type Bind, isOwnHost } from "./listen.ts";
import { reportBug } from "./log.ts";

/** Answers a request, once. */
export type AnswerRequest = (
  request: IncomingMessage,
  response: ServerResponse,
) => void | Promise<void>;

/** Why a request is refused, with its HTTP status. */
class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** A server whose slow, idle and surplus clients are let go, and whose errors are answers in words. */
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
  // One who takes nothing of an answer does nothing, too.
  server.timeout = SERVER.idleMs;
  return server;
}

/** What refusals are written with, loaded with the first of them. */
const words = () => import("../../doors/http.ts");

/** Answers with an error; the stack of a bug goes to the log alone. */
async function refuse(response: ServerResponse, error: unknown): Promise<void> {
  if (isBug(error)) reportBug(error);
  if (response.headersSent) return void response.destroy();
  const status = error instanceof Refusal ? error.status : 500;
  const { refusal } = await words();
  send(response, refusal(status, errorText(error)));
}

/** Answers; without the body where only the headers were asked for. */
export function send(response: ServerResponse, { status, headers, body }: HttpAnswer): void {
  response.writeHead(status, { ...headers, "Content-Length": Buffer.byteLength(body) });
  // A text goes out in one piece with its headers.
  response.end(response.req.method === "HEAD" ? undefined : body);
}

const NO_BODY = new Uint8Array();

/** Reads the bodies of a server's requests: each of them is small enough, and there may be very many. */
export class Bodies {
  readonly #held = new HeldBytes();

  /** All bytes of a request, which count until its answer ends. Rejects with a Refusal if there are too many. */
  async read(request: IncomingMessage, response: ServerResponse): Promise<Uint8Array> {
    const { "content-length": length = "0", "transfer-encoding": coding } = request.headers;
    if (length === "0" && coding === undefined) return NO_BODY;
    const held = this.#held.of(response);
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > SERVER.bodyBytes)
        throw new Refusal(413, (await words()).tooLong(SERVER.bodyBytes));
      if (!held.take(chunk.length)) throw new Refusal(429, HeldBytes.TOO_MANY);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  }
}

/** The headers of a request, each as one text. */
export function flatHeaders({ headers }: IncomingMessage): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const name in headers) flat[name] = String(headers[name]);
  return flat;
}

/** Headers that pages of other origins see, and may send. */
const EXPOSED = `${HEIGHT_HEADER}, grpc-status, grpc-message, grpc-status-details-bin`;

/**
 * Lets pages of another origin read the answer. Returns true if the request only asked whether it may, and is
 * answered.
 */
export function allowOrigin(
  { method, headers }: IncomingMessage,
  response: ServerResponse,
  origin: string,
): boolean {
  response.setHeader("Access-Control-Allow-Origin", origin);
  response.setHeader("Access-Control-Expose-Headers", EXPOSED);
  if (origin !== "*") response.setHeader("Vary", "Origin");
  if (method !== "OPTIONS") return false;
  response.writeHead(204, {
    "Access-Control-Allow-Methods": "GET, HEAD, POST, OPTIONS",
    "Access-Control-Allow-Headers": headers["access-control-request-headers"] ?? "*",
    "Access-Control-Max-Age": "600",
  });
  response.end();
  return true;
}
