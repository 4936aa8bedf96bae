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
import { Code, ConnectError, type ConnectRouter, type HandlerContext } from "@connectrpc/connect";
import { inChain, inCosmos, renameTypes, servedName } from "../../../api/namespaces.ts";
import { QUERY_ROUTES } from "../../../api/query-routes.ts";
import { pinnedHeight } from "../../../api/rest.ts";
import { broadcastResponse, isWaiting } from "../../../api/services/tx.ts";
import { BroadcastTxRequestSchema } from "../../../gen/chain/tx/v1beta1/service_pb.ts";
import { ErrorInfoSchema } from "../../../gen/google/rpc/error_details_pb.ts";
import { Lab } from "../../../gen/lab/v1/lab_pb.ts";
import { Watch } from "../../../gen/lab/v1/watch_pb.ts";
import { registry } from "../../../gen/registry.ts";
import { type Answer, serve, serveWatcher } from "../../../session/serve.ts";
import type { Access } from "../access.ts";
import type { Served } from "../served.ts";
import { connectError } from "./errors.ts";
import { reflect } from "./reflection.ts";
import { renamedFiles } from "./upstream-names.ts";
import { watch } from "./watch.ts";

const HEIGHT = "x-cosmos-block-height";
const WATCHES = "steering needs the chain's token: authorization: Bearer TOKEN";

type Handle = (request: Message, context: HandlerContext) => Promise<Message>;

/** What answers, and the types that its messages and their Anys have. */
export interface Routes {
  readonly routes: (router: ConnectRouter) => void;
  readonly types: ReturnType<typeof createRegistry>;
}

export function routesOf(served: Served, access: Access): Routes {
  const { namespace } = served;
  const files = [...new Set([...registry].map(({ file }) => file))];
  const upstream = renamedFiles(files, inCosmos);
  const queries = new Map(QUERY_ROUTES.map(({ method, name }) => [method, name]));
  const services = [...new Set([...queries.keys(), ...Lab.methods].map(({ parent }) => parent))];
  const answered: DescService[] = [Watch];
  const routes = (router: ConnectRouter): void => {
    for (const service of services) {
      const isOwn = servedName(namespace, service.typeName) !== undefined;
      const theirs = upstream.getService(inCosmos(service.typeName));
      const isTheirs = theirs !== service && servedName(namespace, theirs?.typeName ?? "chain.");
      if (isOwn) answered.push(service);
      if (isTheirs && theirs) answered.push(theirs);
      for (const method of service.methods) {
        if (!isUnary(method)) continue;
        const name = queries.get(method);
        const handle =
          name === undefined ? steer(served, access, method) : query(served, method, name);
        if (isOwn) router.rpc(method, handle);
        const other = isTheirs ? theirs?.method[method.localName] : undefined;
        if (other && isUnary(other)) router.rpc(other, translated(method, other, handle));
      }
    }
    watch(router, served.chain, served.chain.placeOf({ steers: false }, access.hasToken));
    reflect(router, answered, [...files, ...filesOf(upstream), ErrorInfoSchema.file]);
  };
  const types = createRegistry(registry, ...typesOf(upstream), ErrorInfoSchema);
  return { routes, types };
}

const isUnary = (method: DescMethod): method is DescMethodUnary => method.methodKind === "unary";

const filesOf = (types: Iterable<{ readonly file: DescFile }>): DescFile[] => [
  ...new Set([...types].map(({ file }) => file)),
];

/** The types under upstream's names: those that are not renamed are there already. */
const typesOf = (types: ReturnType<typeof renamedFiles>) =>
  [...types].filter(({ typeName }) => typeName.startsWith("cosmos."));

/** Answers a query by its name, at the height that the metadata names. */
const query =
  ({ chain }: Served, { output }: DescMethodUnary, name: string): Handle =>
  async (request, { requestHeader, responseHeader }) => {
    chain.requested();
    try {
      const sent = isMessage(request, BroadcastTxRequestSchema) && isWaiting(request.mode);
      if (sent) return create(output, broadcastResponse(await chain.broadcast(request.txBytes)));
      const { answer, height } = await chain.session.ask((queries) => {
        const pinned = pinnedHeight(queries, requestHeader.get(HEIGHT) ?? undefined);
        const answer = queries.query(name, request, pinned);
        return { answer, height: pinned ?? queries.height };
      });
      responseHeader.set(HEIGHT, String(height));
      return create(output, answer);
    } catch (error) {
      throw connectError(error);
    }
  };

/** Steers, as an attached page does. */
const steer =
  ({ chain }: Served, access: Access, { localName, output }: DescMethodUnary): Handle =>
  async (request, { requestHeader }) => {
    chain.requested();
    const steers = access.maySteer(Object.fromEntries(requestHeader));
    const place = chain.placeOf({ steers }, access.hasToken);
    const call = { call: 1, method: `lab.${localName}`, request };
    const answers: Answer[] = [];
    const post = (answer: Answer): void => void answers.push(answer);
    await (steers ? serve(place, call, post) : serveWatcher(place, call, post, WATCHES));
    const [answer] = answers;
    if (answer === undefined || "error" in answer) {
      const { code = Code.Internal, message = "it was not answered" } = answer?.error ?? {};
      throw new ConnectError(message, code);
    }
    return create(output, answer.response as MessageInitShape<typeof output>);
  };

/** The same under upstream's names: messages have the same bytes, but for the types of their Anys. */
const translated =
  (own: DescMethod, { input, output }: DescMethod, handle: Handle): Handle =>
  async (request, context) => {
    const asked = fromBinary(own.input, toBinary(input, request));
    const answer = await handle(renameTypes(own.input, asked, inChain), context);
    return fromBinary(output, toBinary(own.output, renameTypes(own.output, answer, inCosmos)));
  };
