/** Answers requests that come as plain data: REST, and the services by gRPC-web and Connect. */
import { type ConnectRouter, createConnectRouter, createContextValues } from "@connectrpc/connect";
import type { UniversalHandler } from "@connectrpc/connect/protocol";
import { SERVER } from "../input/limits.ts";
import type { Serve } from "../session/call.ts";
import type { AskedChain } from "./asked-chain.ts";
import type { HttpAnswer, HttpRequest } from "./http.ts";
import { answerPath } from "./rest.ts";
import { STEER, servicesOf } from "./services.ts";

/** Answers one request; `steer` answers what it would change in the lab. */
export type AnswerHttp = (request: HttpRequest, steer: Serve) => Promise<HttpAnswer>;

/** Has a chain answer. What is made for that serves all of its requests. */
export function doorOf(chain: AskedChain): AnswerHttp {
  const services = servicesOf(chain);
  const router: ConnectRouter = createConnectRouter({
    // There is no HTTP/2 where a request is data.
    grpc: false,
    jsonOptions: { registry: services.types, alwaysEmitImplicit: true },
    readMaxBytes: SERVER.callBytes,
    writeMaxBytes: SERVER.answerBytes,
  });
  services.addTo(router);
  const handlers = new Map(router.handlers.map((handler) => [handler.requestPath, handler]));
  return async (request, steer) => {
    const [path = ""] = request.path.split("?", 1);
    const handler = handlers.get(path);
    return handler ? answerCall(handler, request, steer) : answerPath(chain, request);
  };
}

async function answerCall(
  handler: UniversalHandler,
  { method, path, headers, body }: HttpRequest,
  steer: Serve,
): Promise<HttpAnswer> {
  const {
    status,
    header,
    body: pieces = [],
  } = await handler({
    httpVersion: "1.1",
    method,
    // Only its path and parameters are looked at.
    url: `http://localhost${path}`,
    header: new Headers(headers),
    body: one(body),
    signal: new AbortController().signal,
    contextValues: createContextValues().set(STEER, steer),
  });
  const chunks: BlobPart[] = [];
  for await (const piece of pieces) chunks.push(piece as Uint8Array<ArrayBuffer>);
  const content = new Uint8Array(await new Blob(chunks).arrayBuffer());
  return { status, headers: Object.fromEntries(header ?? []), body: content };
}

async function* one(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes;
}
