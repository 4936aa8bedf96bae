/** Every service of a chain for gRPC, gRPC-web and Connect: routes follow from the descriptors. */

import {
  create,
  createRegistry,
  type DescFile,
  type DescMethod,
  type DescMethodUnary,
  type DescService,
  fromBinary,
  isMessage,
  type Message,
  type MessageInitShape,
  toBinary,
} from "@bufbuild/protobuf";
import {
  Code,
  ConnectError,
  type ConnectRouter,
  createContextKey,
  type HandlerContext,
} from "@connectrpc/connect";
import { HEIGHT_HEADER } from "../base/height-header.ts";
import { inCosmos } from "../engine/framework/codec.ts";
import { BroadcastTxRequestSchema } from "../gen/chain/tx/v1beta1/service_pb.ts";
import { ErrorInfoSchema } from "../gen/google/rpc/error_details_pb.ts";
import { Lab } from "../gen/lab/v1/lab_pb.ts";
import { registry } from "../gen/registry.ts";
import { type Answer, isHeight, type Serve } from "../session/call.ts";
import { isSessionQuery } from "../view/lab/session-queries.ts";
import { containsAny, renameTypes, servedName } from "../view/namespaces.ts";
import { QUERY_ROUTES } from "../view/query-routes.ts";
import { pinnedHeight } from "../view/rest.ts";
import { broadcastResponse, isWaiting } from "../view/services/tx.ts";
import { connectError } from "./errors.ts";
import { shortened } from "./message-text.ts";
import type { QueriedChain } from "./queried-chain.ts";
import { renamedFiles } from "./upstream-names.ts";

/** Handler of calls that control the lab, with the caller's rights; set for each request. */
export const CONTROL = createContextKey<Serve>(async ({ call }, post) =>
  post({
    call,
    error: { code: Code.PermissionDenied, message: "nothing is steered here", path: "" },
  }),
);

/** Data of a call besides its message, and callbacks for the data besides its answer. */
export interface CallContext {
  /** The height in its metadata. */
  readonly height: string | undefined;
  /** Answers calls that change the lab. */
  readonly control: Serve;
  /** Records the height of the answer. */
  answeredFor(height: number): void;
  /** Returns true once the client has disconnected. */
  gone(): boolean;
}

/** A method and its handler. Its promise rejects with a ConnectError. */
export interface Answered {
  readonly method: DescMethodUnary;
  handle(request: Message, context: CallContext): Promise<Message>;
}

/** Methods with their handlers, and the types of their messages and Anys. */
export interface Services {
  readonly types: ReturnType<typeof createRegistry>;
  /** Files of all types and services, including those under upstream's names. */
  readonly files: readonly DescFile[];
  readonly methods: readonly Answered[];
  /** Adds the services to a router; returns those added. */
  addTo(router: ConnectRouter): readonly DescService[];
}

export function servicesOf(chain: QueriedChain): Services {
  const { namespace } = chain;
  const files = [...new Set([...registry].map(({ file }) => file))];
  const upstream = renamedFiles(files, inCosmos);
  const queries = new Map(QUERY_ROUTES.map(({ method, name }) => [method, name]));
  const services = [...new Set([...queries.keys(), ...Lab.methods].map(({ parent }) => parent))];
  const answered: DescService[] = [];
  const methods: Answered[] = [];
  for (const service of services) {
    const isOwn = servedName(namespace, service.typeName) !== undefined;
    const theirs = upstream.getService(inCosmos(service.typeName));
    const isTheirs = theirs !== service && servedName(namespace, theirs?.typeName ?? "chain.");
    answered.push(...(isOwn ? [service] : []), ...(isTheirs && theirs ? [theirs] : []));
    for (const method of service.methods) {
      if (!isUnary(method)) continue;
      const name = queries.get(method);
      if (name === undefined || (service === Lab && isSessionQuery(method.localName))) {
        if (isOwn) methods.push(controlMethod(method));
        continue;
      }
      const own = query(chain, method, name);
      if (isOwn) methods.push(own);
      const other = isTheirs ? theirs?.method[method.localName] : undefined;
      if (other && isUnary(other)) methods.push(translated(own, other));
    }
  }
  return {
    types: createRegistry(registry, ...typesOf(upstream), ErrorInfoSchema),
    files: [...files, ...filesOf(upstream), ErrorInfoSchema.file],
    methods,
    addTo(router) {
      for (const { method, handle } of methods)
        router.rpc(method, (request, context) => handle(request, callOf(context)));
      return answered;
    },
  };
}

/** Converts the library's context of a call. */
const callOf = ({
  requestHeader,
  responseHeader,
  values,
  signal,
}: HandlerContext): CallContext => ({
  gone: () => signal.aborted,
  height: requestHeader.get(HEIGHT_HEADER) ?? undefined,
  control: values.get(CONTROL),
  answeredFor: (height) => responseHeader.set(HEIGHT_HEADER, String(height)),
});

const isUnary = (method: DescMethod): method is DescMethodUnary => method.methodKind === "unary";

const filesOf = (types: Iterable<{ readonly file: DescFile }>): DescFile[] => [
  ...new Set([...types].map(({ file }) => file)),
];

/** The types under upstream's names: those that are not renamed are already registered. */
const typesOf = (types: ReturnType<typeof renamedFiles>) =>
  [...types].filter(({ typeName }) => typeName.startsWith("cosmos."));

/** Answers a query by its name, at the height in the metadata. */
const query = (chain: QueriedChain, method: DescMethodUnary, name: string): Answered => ({
  method,
  async handle(request, { height: requested, answeredFor }) {
    const { output } = method;
    try {
      const sent = isMessage(request, BroadcastTxRequestSchema) && isWaiting(request.mode);
      if (sent) return create(output, broadcastResponse(await chain.broadcast(request.txBytes)));
      const { answer, height } = await chain.query(function* (queries) {
        const pinned = pinnedHeight(queries, requested);
        const answer = yield* queries.reading(name, request, pinned);
        return { answer, height: pinned ?? queries.height };
      });
      answeredFor(height);
      return create(output, answer);
    } catch (error) {
      throw connectError(error, chain);
    }
  },
});

/**
 * Handles control calls, like those of a page, and queries that may depend on the caller's rights.
 */
const controlMethod = (method: DescMethodUnary): Answered => ({
  method,
  async handle(request, { control, height: requested, gone }) {
    const { localName, output } = method;
    const height = isSessionQuery(localName) ? Number(requested ?? 0) : 0;
    if (!isHeight(height))
      throw new ConnectError(`expected a height, found ${requested}`, Code.InvalidArgument);
    const call = { call: 1, method: `lab.${localName}`, request, height, gone };
    const answers: Answer[] = [];
    await control(call, (answer) => void answers.push(answer));
    const [answer] = answers;
    if (answer === undefined || "error" in answer) {
      const { code = Code.Internal, message = "it was not answered" } = answer?.error ?? {};
      throw new ConnectError(shortened(message), code);
    }
    return create(output, answer.response as MessageInitShape<typeof output>);
  },
});

/**
 * The same under upstream's names: messages have the same encoding, except for the types of their
 * Anys.
 */
const translated = (own: Answered, method: DescMethodUnary): Answered => {
  const { input, output } = own.method;
  if (containsAny(input) || containsAny(output)) return renamed(own, method);
  return { method: { ...method, input, output }, handle: own.handle };
};

const renamed = ({ method: own, handle }: Answered, method: DescMethodUnary): Answered => ({
  method,
  async handle(request, context) {
    const { input, output } = method;
    const requested = fromBinary(own.input, toBinary(input, request));
    const answer = await handle(requested, context);
    return fromBinary(output, toBinary(own.output, renameTypes(own.output, answer, inCosmos)));
  },
});
