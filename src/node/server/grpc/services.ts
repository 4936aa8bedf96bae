/** The services of a chain, for gRPC over HTTP/2 and for gRPC-web and Connect over HTTP/1. */
import { createServer, type OutgoingHttpHeaders } from "node:http2";
import { createContextValues } from "@connectrpc/connect";
import { validateReadWriteMaxBytes } from "@connectrpc/connect/protocol";
import { compressionBrotli, compressionGzip, connectNodeAdapter } from "@connectrpc/connect-node";
import { restText } from "../../../api/rest.ts";
import { STEER, servicesOf } from "../../../doors/services.ts";
import { watch } from "../../../doors/watch.ts";
import { STATUS } from "../../../engine/framework/errors.ts";
import { Watch } from "../../../gen/lab/v1/watch_pb.ts";
import { SERVER } from "../../../input/limits.ts";
import { serve, serveWatcher } from "../../../session/serve.ts";
import type { Access } from "../access.ts";
import { askedChain } from "../asked.ts";
import type { Served } from "../served.ts";
import { escaped, withPlainMessage } from "./plain-message.ts";
import { reflect } from "./reflection.ts";
import { RequestBytes } from "./request-bytes.ts";
import { type ServedMethods, type StreamCall, UnaryCalls } from "./unary-calls.ts";

type Handler = ReturnType<typeof connectNodeAdapter>;

/** Answers a request for none of the methods, given the names of the services. */
type Fallback = (
  ...request: [...Parameters<Handler>, services: ReadonlySet<string>]
) => ReturnType<Handler>;

/** What calls and answers may have; unless a client takes no compression, longer answers are compressed. */
const LIMITS = validateReadWriteMaxBytes(SERVER.callBytes, SERVER.answerBytes, undefined);
const COMPRESSIONS = [compressionGzip, compressionBrotli];

/** Answers the services of a chain over either version of HTTP, and leaves other paths to `fallback`. */
export const answerServices = (served: Served, access: Access, fallback: Fallback): Handler =>
  answering(served, access, fallback).answer;

function answering(
  served: Served,
  access: Access,
  fallback: Fallback,
): ServedMethods & { readonly answer: Handler } {
  const { chain } = served;
  const asked = askedChain(served);
  const services = servicesOf(asked);
  const names = new Set<string>();
  const steerBy = steering(served, access);
  const answer = connectNodeAdapter({
    routes(router) {
      const answered = services.addTo(router);
      watch(router, chain, chain.placeOf({ steers: false }, access.hasToken), asked);
      reflect(router, [Watch, ...answered], services.files);
      for (const { service } of router.handlers) names.add(service.typeName);
    },
    contextValues: ({ headers }) => createContextValues().set(STEER, steerBy(headers)),
    fallback: (request, response) => fallback(request, response, names),
    jsonOptions: { registry: services.types, alwaysEmitImplicit: true },
    acceptCompression: COMPRESSIONS,
    ...LIMITS,
  });
  const bytes = new RequestBytes();
  return {
    methods: services.methods,
    steerBy,
    limits: LIMITS,
    compressions: COMPRESSIONS,
    bytes,
    answer(request, response) {
      bytes.count(request, response);
      answer(request, response);
    },
  };
}

/** Who may steer does so as an attached page does. */
const steering =
  ({ chain }: Served, access: Access): ServedMethods["steerBy"] =>
  (headers) =>
  async (call, post) => {
    chain.requested();
    const refusal = await access.refusal(headers);
    const place = chain.placeOf({ steers: refusal === undefined }, access.hasToken);
    return refusal ? serveWatcher(place, call, post, refusal) : serve(place, call, post);
  };

/** Answers gRPC: plain calls of unary methods at once, and all others by the library. */
export function answerGrpc(served: Served, access: Access): (...call: StreamCall) => void {
  const { answer, ...methods } = answering(served, access, notThere);
  // It never listens: it makes the request and the response of a stream.
  const library = createServer((request, response) => {
    const add = response.addTrailers.bind(response);
    response.addTrailers = (trailers: OutgoingHttpHeaders) => add(withPlainMessage(trailers));
    answer(request, response);
  });
  const calls = new UnaryCalls(methods, (call) => void library.emit("stream", ...call));
  return (...call) => calls.answer(call);
}

/** Answers as gRPC does, without which a client cannot tell that a service is not there (rules/clients 5.1). */
const notThere: Fallback = (request, response, services) => {
  if (!("stream" in response)) return;
  const { stream } = response;
  const { url = "", headers } = request;
  // What was sent is taken: a stream ends with both of its sides.
  stream.resume();
  if (!headers["content-type"]?.startsWith("application/grpc")) {
    const body = { code: STATUS.unimplemented, message: "Not Implemented", details: [] };
    stream.respond({ ":status": 501, "content-type": "application/json" });
    stream.end(restText({ status: 501, body }));
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
};
