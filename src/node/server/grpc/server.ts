/** gRPC over plaintext HTTP/2, and the same services as gRPC-web and Connect over HTTP/1. */
import { createServer, type ServerHttp2Session } from "node:http2";
import { createContextValues } from "@connectrpc/connect";
import { connectNodeAdapter } from "@connectrpc/connect-node";
import type { AskedChain } from "../../../doors/asked-chain.ts";
import { type Services, STEER, servicesOf } from "../../../doors/services.ts";
import { Watch } from "../../../gen/lab/v1/watch_pb.ts";
import { SERVER } from "../../../input/limits.ts";
import type { Serve } from "../../../session/call.ts";
import { serve, serveWatcher } from "../../../session/serve.ts";
import { Access } from "../access.ts";
import { askedChain } from "../asked.ts";
import { type Bind, type Listening, listen } from "../listen.ts";
import type { Served } from "../served.ts";
import { escaped, withPlainMessage } from "./plain-message.ts";
import { reflect } from "./reflection.ts";
import { answerUnary } from "./unary.ts";
import { watch } from "./watch.ts";

type Options = Parameters<typeof connectNodeAdapter>[0];
type Handler = ReturnType<typeof connectNodeAdapter>;

/** Answers the services of a chain over either version of HTTP, and leaves other paths to `fallback`. */
export function answerServices(served: Served, access: Access, fallback: Handler): Handler {
  const asked = askedChain(served);
  return adapted(served, access, asked, servicesOf(asked), fallback);
}

const adapted = (
  served: Served,
  access: Access,
  asked: AskedChain,
  services: Services,
  fallback: Handler,
): Handler =>
  connectNodeAdapter({
    routes(router) {
      const answered = services.addTo(router);
      watch(router, served.chain, served.chain.placeOf({ steers: false }, access.hasToken), asked);
      reflect(router, [Watch, ...answered], services.files);
    },
    contextValues: steerBy(served, access),
    fallback,
    jsonOptions: { registry: services.types, alwaysEmitImplicit: true },
    readMaxBytes: SERVER.callBytes,
    writeMaxBytes: SERVER.answerBytes,
  });

/** Who may steer does so as an attached page does. */
const steerBy =
  ({ chain }: Served, access: Access): NonNullable<Options["contextValues"]> =>
  ({ headers }) => {
    const steer: Serve = async (call, post) => {
      chain.requested();
      const refusal = await access.refusal(headers);
      const place = chain.placeOf({ steers: refusal === undefined }, access.hasToken);
      return refusal ? serveWatcher(place, call, post, refusal) : serve(place, call, post);
    };
    return createContextValues().set(STEER, steer);
  };

export function openGrpc(served: Served, bind: Bind): Promise<Listening> {
  const asked = askedChain(served);
  const services = servicesOf(asked);
  const access = new Access(bind, served.token);
  const answer = adapted(served, access, asked, services, unknownService);
  const settings = { maxConcurrentStreams: SERVER.streams };
  const server = createServer({ settings }, (request, response) => {
    if (answerUnary(services.queries, asked, request, response)) return;
    const add = response.addTrailers.bind(response);
    response.addTrailers = (trailers) => add(withPlainMessage(trailers));
    answer(request, response);
  });
  server.maxConnections = SERVER.connections;
  server.on("session", letGoIdle);
  return listen(server, bind);
}

/** Ends a connection on which nothing is asked and nothing is told for a while. */
function letGoIdle(session: ServerHttp2Session): void {
  let open = 0;
  session.on("stream", (stream) => {
    open += 1;
    stream.once("close", () => {
      open -= 1;
    });
  });
  session.setTimeout(SERVER.idleMs, () => {
    if (open === 0) session.close();
  });
}

/** Answers as gRPC does, without which a client cannot tell that a service is not there (rules/clients 5.1). */
const unknownService: Handler = (request, response) => {
  const { url = "" } = request;
  const service = url.slice(1, url.lastIndexOf("/"));
  const headers = {
    "content-type": "application/grpc",
    "grpc-status": "12",
    "grpc-message": `unknown service ${escaped(service)}`,
  };
  // Status and end are one frame: an answer without a body ends with its headers.
  if ("stream" in response)
    response.stream.respond({ ":status": 200, ...headers }, { endStream: true });
  else response.writeHead(200, headers).end();
};
