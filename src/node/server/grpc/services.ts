/** The services of a chain, for gRPC over HTTP/2 and for gRPC-web and Connect over HTTP/1. */
import type { IncomingHttpHeaders } from "node:http";
import {
  Code,
  type ConnectRouter,
  createConnectRouter,
  createContextValues,
} from "@connectrpc/connect";
import { connectNodeAdapter } from "@connectrpc/connect-node";
import { StatusError } from "../../../engine/framework/errors.ts";
import { Watch } from "../../../gen/lab/v1/watch_pb.ts";
import { CONTROL, servicesOf } from "../../../server/services.ts";
import { watch } from "../../../server/watch.ts";
import type { Serve } from "../../../session/call.ts";
import { serve, serveWatcher } from "../../../session/serve.ts";
import type { Access } from "../access.ts";
import { foreignPage } from "../http.ts";
import { queriedChain } from "../queried-chain.ts";
import type { Served } from "../served.ts";
import type { Methods } from "./front.ts";
import { answerCall, type LibraryCall } from "./library-calls.ts";
import { COMPRESSIONS, LIMITS } from "./limits.ts";
import { reflect } from "./reflection.ts";
import { RequestBytes } from "./request-bytes.ts";
import { UnaryMethods } from "./unary-methods.ts";

type Handler = ReturnType<typeof connectNodeAdapter>;

/** Serves the services of a chain over HTTP/1, and passes other paths to `fallback`. */
export function answerServices(served: Served, access: Access, fallback: Handler): Handler {
  const { routes, controlBy, options } = answering(served, access);
  const answer = connectNodeAdapter({
    ...options,
    routes,
    contextValues: ({ headers, socket }) =>
      createContextValues().set(CONTROL, controlBy(headers, socket?.remoteAddress)),
    fallback,
  });
  const { chain } = served;
  const bytes = new RequestBytes(chain.admission.bytes, (gone) => chain.turn(gone));
  return (request, response) => {
    bytes.count(request, response);
    answer(request, response);
  };
}

/** Handlers of gRPC calls. */
export interface GrpcAnswers {
  readonly methods: Methods;
  /** Fast-path calls of unary methods. */
  readonly unary: UnaryMethods;
  /** All other calls, through the library. */
  answerCall(call: LibraryCall): void;
}

export function answerGrpc(served: Served, access: Access): GrpcAnswers {
  const { routes, controlBy, options, methods } = answering(served, access);
  const router = createConnectRouter(options);
  routes(router);
  /**
   * Resolves when it is a call's turn. Rejects with a StatusError for a call without permission, or
   * if too many wait.
   */
  const admit = async (headers: IncomingHttpHeaders, gone?: () => boolean): Promise<void> => {
    const why = foreignPage({ headers }, served);
    if (why !== undefined) throw new StatusError(Code.PermissionDenied, why);
    await served.chain.turn(gone);
  };
  const unary = new UnaryMethods(methods, controlBy, admit);
  const handlers = new Map(router.handlers.map((handler) => [handler.requestPath, handler]));
  const names = router.handlers.map(({ service }) => service.typeName);
  return {
    methods: { unary: unary.paths, paths: new Set(handlers.keys()), services: new Set(names) },
    unary,
    answerCall(call) {
      const handler = handlers.get(new URL(call.url).pathname);
      if (handler === undefined) return call.answer.close();
      const headers = Object.fromEntries(call.header);
      answerCall(
        handler,
        call,
        createContextValues().set(CONTROL, controlBy(headers, call.address)),
        () => admit(headers),
      );
    },
  };
}

function answering(served: Served, access: Access) {
  const { chain } = served;
  const queried = queriedChain(served);
  const { methods, types, files, addTo } = servicesOf(queried);
  return {
    methods,
    controlBy: steering(served, access),
    routes(router: ConnectRouter): void {
      const answered = addTo(router);
      watch(router, chain, chain.hostFor({ mayControl: false }, access.hasToken), queried);
      reflect(router, [Watch, ...answered], files);
    },
    options: {
      jsonOptions: { registry: types, alwaysEmitImplicit: true },
      acceptCompression: COMPRESSIONS,
      ...LIMITS,
    },
  };
}

/** A permitted client controls the chain in the same way as an attached page. */
const steering =
  ({ chain }: Served, access: Access) =>
  (headers: IncomingHttpHeaders, address: string | undefined): Serve =>
  async (call, post) => {
    const refusal = await access.refusal(headers, address);
    const host = chain.hostFor({ mayControl: refusal === undefined }, access.hasToken);
    return refusal ? serveWatcher(host, call, post, refusal) : serve(host, call, post);
  };
