/** Calls parsed and serialized by the library, whichever thread answers. */
import {
  createServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type OutgoingHttpHeaders,
} from "node:http2";
import { MessageChannel, type MessagePort } from "node:worker_threads";
import { ConnectError, type ContextValues } from "@connectrpc/connect";
import type { UniversalHandler, UniversalServerResponse } from "@connectrpc/connect/protocol";
import {
  universalRequestFromNodeRequest,
  universalResponseToNodeResponse,
} from "@connectrpc/connect-node";
import { STATUS, type StatusError } from "../../../engine/framework/errors.ts";
import { escaped, withPlainMessage } from "./plain-message.ts";
import { receiveParts, sendParts } from "./port-parts.ts";
import type { RequestBytes } from "./request-bytes.ts";
import { addressOf, type StreamCall } from "./unary-calls.ts";

/** A call as data, with the ports of its request and its answer. */
export interface LibraryCall {
  readonly method: string;
  readonly url: string;
  /** Address of the client. */
  readonly address: string | undefined;
  readonly header: readonly Header[];
  readonly request: MessagePort;
  readonly answer: MessagePort;
}

/** Parts of an answer: first status and headers, then its bytes, finally its trailers. */
export type AnswerPart =
  | { readonly status: number; readonly header: readonly Header[] }
  | { readonly bytes: Uint8Array }
  | { readonly trailer: readonly Header[] };

type Header = readonly [name: string, value: string];

/** Paths of the available methods, and names of their services. */
export interface Callable {
  readonly paths: ReadonlySet<string>;
  readonly services: ReadonlySet<string>;
}

/** Forwards calls with `forward`, and returns their answers; refuses unknown methods. */
export function libraryCalls(
  callable: Callable,
  bytes: RequestBytes,
  forward: (call: LibraryCall) => void,
): (call: StreamCall) => void {
  // It never listens: it only creates the request and the response of a stream.
  const library = createServer(async (request, response) => {
    const add = response.addTrailers.bind(response);
    response.addTrailers = (trailers: OutgoingHttpHeaders) => add(withPlainMessage(trailers));
    const [path = ""] = request.url.split("?", 1);
    try {
      if (!callable.paths.has(path)) return refuseUnknown(request, response, callable.services);
      bytes.count(request, response);
      await universalResponseToNodeResponse(await answered(request, response, forward), response);
    } catch {
      // The client has closed it.
      response.stream.close();
    }
  });
  return (call) => {
    const [stream] = call;
    // A stream may be reset by the frame after its headers, and then accepts no answer.
    if (!stream.destroyed) library.emit("stream", ...call);
  };
}

async function answered(
  request: Http2ServerRequest,
  response: Http2ServerResponse,
  forward: (call: LibraryCall) => void,
): Promise<UniversalServerResponse> {
  const call = universalRequestFromNodeRequest(request, response, undefined, undefined);
  const [body, answer] = [new MessageChannel(), new MessageChannel()];
  sendParts(body.port1, copies(call.body as AsyncIterable<Uint8Array>));
  call.signal.addEventListener("abort", () => {
    body.port1.close();
    answer.port1.close();
  });
  const { method, url } = call;
  const address = addressOf(response.stream);
  forward({
    method,
    url,
    address,
    header: [...call.header],
    request: body.port2,
    answer: answer.port2,
  });
  const parts = receiveParts<AnswerPart>(answer.port1);
  const { value: head } = await parts.next();
  if (!head || !("status" in head)) throw new Error("an answer begins with its status");
  const trailer = new Headers();
  async function* bytesOf(): AsyncGenerator<Uint8Array> {
    for await (const part of parts) {
      if ("bytes" in part) yield part.bytes;
      else if ("trailer" in part)
        for (const [name, value] of part.trailer) trailer.set(name, value);
    }
  }
  return {
    status: head.status,
    header: new Headers(head.header as [string, string][]),
    body: bytesOf(),
    trailer,
  };
}

/** Copies into separate arrays: a view of a larger buffer would be sent with all of it. */
async function* copies(parts: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const part of parts) yield new Uint8Array(part);
}

/**
 * Answers a call, received as data, with its handler.
 * @param turn resolves when a part of it may be read; rejects if too many wait
 */
export function answerCall(
  handler: UniversalHandler,
  { method, url, header, request, answer }: LibraryCall,
  contextValues: ContextValues,
  turn: () => Promise<void>,
): void {
  const ended = new AbortController();
  answer.once("close", () => {
    ended.abort();
    request.close();
  });
  async function* parts(): AsyncGenerator<AnswerPart> {
    const answered = await handler({
      httpVersion: "2.0",
      method,
      url,
      header: new Headers(header as [string, string][]),
      body: admitted(receiveParts<Uint8Array>(request), turn),
      signal: ended.signal,
      contextValues,
    });
    const bytes = (answered.body as AsyncIterable<Uint8Array> | undefined)?.[
      Symbol.asyncIterator
    ]();
    try {
      // Headers are available with the first bytes.
      let read = await bytes?.next();
      yield { status: answered.status, header: [...(answered.header ?? [])] };
      for (; bytes && read && !read.done; read = await bytes.next())
        yield { bytes: new Uint8Array(read.value) };
      yield { trailer: [...(answered.trailer ?? [])] };
    } finally {
      await bytes?.return?.();
    }
  }
  sendParts(answer, parts());
}

/**
 * Parts of a request, each read when it is its turn. Rejects with a ConnectError if too many wait.
 */
async function* admitted(
  parts: AsyncIterable<Uint8Array>,
  turn: () => Promise<void>,
): AsyncGenerator<Uint8Array> {
  for await (const part of parts) {
    await turn().catch((error: StatusError) => {
      throw new ConnectError(error.message, error.code);
    });
    yield part;
  }
}

/** REST's answer for an unknown path. */
const NO_REST = `{"code":${STATUS.unimplemented}, "message":"Not Implemented", "details":[]}`;

/**
 * Refuses an unknown service with gRPC's status, which tells clients that it does not exist
 * (rules/clients 5.1).
 */
function refuseUnknown(
  { url, headers }: Http2ServerRequest,
  { stream }: Http2ServerResponse,
  services: ReadonlySet<string>,
): void {
  // Read the rest of the request: a stream ends with both of its sides.
  stream.resume();
  if (!headers["content-type"]?.startsWith("application/grpc")) {
    stream.respond({ ":status": 501, "content-type": "application/json" });
    stream.end(NO_REST);
    return;
  }
  const [service = "", method = ""] = url.slice(1).split(/\/(?=[^/]*$)/);
  const message = services.has(service)
    ? `unknown method ${method} for service ${service}`
    : `unknown service ${service}`;
  // Status and end are one frame: an answer without a body ends with its headers.
  stream.respond(
    {
      ":status": 200,
      "content-type": "application/grpc",
      "grpc-status": STATUS.unimplemented,
      "grpc-message": escaped(message),
    },
    { endStream: true },
  );
}
