/** gRPC over plaintext HTTP/2, and the same services as gRPC-web and Connect over HTTP/1. */
import { createServer, type OutgoingHttpHeaders } from "node:http2";
import { connectNodeAdapter } from "@connectrpc/connect-node";
import { SERVER } from "../../../input/limits.ts";
import { Access } from "../access.ts";
import { type Bind, type Listening, listen } from "../listen.ts";
import type { Served } from "../served.ts";
import { routesOf } from "./routes.ts";

type Handler = ReturnType<typeof connectNodeAdapter>;

/** Answers the services of a chain over either version of HTTP, and leaves other paths to `fallback`. */
export function answerServices(served: Served, access: Access, fallback: Handler): Handler {
  const { routes, types } = routesOf(served, access);
  return connectNodeAdapter({
    routes,
    fallback,
    jsonOptions: { registry: types, alwaysEmitImplicit: true },
    readMaxBytes: SERVER.callBytes,
    writeMaxBytes: SERVER.answerBytes,
  });
}

export function openGrpc(served: Served, bind: Bind): Promise<Listening> {
  const answer = answerServices(served, new Access(bind, served.token), unknownService);
  const settings = { maxConcurrentStreams: SERVER.streams };
  const server = createServer({ settings }, (request, response) => {
    const add = response.addTrailers.bind(response);
    response.addTrailers = (trailers) => add(withPlainMessage(trailers));
    return answer(request, response);
  });
  server.maxConnections = SERVER.connections;
  return listen(server, bind);
}

/**
 * Trailers whose message is escaped as the protocol has it: of what can be printed only the percent sign. The library
 * escapes more, which some clients do not read back.
 */
function withPlainMessage(trailers: OutgoingHttpHeaders): OutgoingHttpHeaders {
  const { "grpc-message": message } = trailers;
  if (typeof message !== "string") return trailers;
  return { ...trailers, "grpc-message": escaped(decodeURIComponent(message)) };
}

const escaped = (message: string): string =>
  message.replace(/[^ -$&-~]+/g, (part) => encodeURIComponent(part));

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
