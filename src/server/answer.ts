/** Answers requests received as plain data: REST, and the services by gRPC-web and Connect. */
import { type ConnectRouter, createConnectRouter, createContextValues } from "@connectrpc/connect";
import type { UniversalHandler } from "@connectrpc/connect/protocol";
import { SERVER } from "../base/limits.ts";
import type { Serve } from "../session/call.ts";
import type { HttpAnswer, HttpRequest } from "./http.ts";
import { OpenStreams } from "./open-streams.ts";
import type { QueriedChain } from "./queried-chain.ts";
import { answerPath } from "./rest.ts";
import { CONTROL, servicesOf } from "./services.ts";

/**
 * Answers one request, or one part of a streamed answer; `steer` answers calls that change the lab.
 */
export type AnswerHttp = (request: HttpRequest, control: Serve) => Promise<HttpAnswer>;

/**
 * Serves HTTP requests to a chain. All requests share one set of services. @param add adds services
 * to those of the chain
 */
export function httpHandler(chain: QueriedChain, add: (router: ConnectRouter) => void): AnswerHttp {
  const services = servicesOf(chain);
  const router: ConnectRouter = createConnectRouter({
    // There is no HTTP/2 for requests as data.
    grpc: false,
    jsonOptions: { registry: services.types, alwaysEmitImplicit: true },
    readMaxBytes: SERVER.callBytes,
    writeMaxBytes: SERVER.answerBytes,
  });
  services.addTo(router);
  add(router);
  const streams = new OpenStreams();
  const handlers = new Map(router.handlers.map((handler) => [handler.requestPath, handler]));
  return async (request, control) => {
    if (!request.path.startsWith("/")) return streams.next(request);
    const [path = ""] = request.path.split("?", 1);
    const handler = handlers.get(path);
    if (handler === undefined) return answerPath(chain, request);
    const ended = new AbortController();
    const { status, header, body = [] } = await callOf(handler, request, control, ended.signal);
    const headers = Object.fromEntries(header ?? []);
    const parts = body as AsyncIterable<Uint8Array>;
    if (handler.method.methodKind === "unary")
      return { status, headers, body: await joined(parts) };
    return { status, headers, ...(await streams.open(parts, ended)) };
  };
}

const callOf = (
  handler: UniversalHandler,
  { method, path, headers, body }: HttpRequest,
  control: Serve,
  signal: AbortSignal,
) =>
  handler({
    httpVersion: "1.1",
    method,
    // Only its path and parameters are used.
    url: `http://localhost${path}`,
    header: new Headers(headers),
    body: one(body),
    signal,
    contextValues: createContextValues().set(CONTROL, control),
  });

async function joined(parts: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: BlobPart[] = [];
  for await (const part of parts) chunks.push(part as Uint8Array<ArrayBuffer>);
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}

async function* one(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes;
}
