/** Calls of a remote chain through its node's gRPC. */

import type {
  DescMessage,
  DescMethod,
  DescMethodUnary,
  MessageInitShape,
  MessageShape,
} from "@bufbuild/protobuf";
import { Code, ConnectError, type Transport } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { HEIGHT_HEADER } from "../base/height-header.ts";
import type { ReachedChain, Steering } from "../cli/context.ts";
import { inChain, inCosmos } from "../engine/framework/codec.ts";
import { Lab } from "../gen/lab/v1/lab_pb.ts";
import { OWN_QUERY } from "../server/rpc/client.ts";
import { messageFromJson, messageToJson } from "../view/json.ts";
import { renameTypes } from "../view/namespaces.ts";
import { QUERY_ROUTES } from "../view/query-routes.ts";
import { type RemoteQuery, TIMEOUT_MS, urlOf } from "./remote.ts";

/** Queries the node at an address; by upstream's name if the chain's own is unknown there. */
export function grpcQuerier(address: string): RemoteQuery {
  const transport = transportTo(address, { defaultTimeoutMs: TIMEOUT_MS });
  return async (name, request, height) => {
    const method = QUERY_ROUTES.find((one) => one.name === name)?.method;
    if (method === undefined || !isUnary(method)) throw new Error(`there is no query ${name}`);
    const message = messageFromJson(method.input, request);
    const headers = height === 0 ? {} : { [HEIGHT_HEADER]: `${height}` };
    const answer = await callGrpc(transport, method, message, headers).catch((error: unknown) => {
      if (!(error instanceof ConnectError && error.code === Code.Unimplemented))
        throw described(error);
      const renamed = renameTypes(method.input, message, inCosmos);
      return callGrpc(transport, theirs(method), renamed, headers).catch((other: unknown) => {
        throw described(other);
      });
    });
    return messageToJson(method.output, renameTypes(method.output, answer, inChain));
  };
}

/** True if the node answers its own modules' queries under upstream's names. */
export async function grpcServesCosmos(address: string): Promise<boolean> {
  const method = QUERY_ROUTES.find(({ name }) => name === OWN_QUERY)?.method;
  if (method === undefined || !isUnary(method)) return false;
  const transport = transportTo(address, { defaultTimeoutMs: TIMEOUT_MS });
  await callGrpc(transport, theirs(method), {});
  return true;
}

/**
 * Controls the node at an address, as the page does; sends the token if there is one.
 * @param address called on first use
 */
export function steeringAt(
  token: string | undefined,
  address: () => string,
): Steering & { readonly exportChain: ReachedChain["export"] } {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const call = <I extends DescMessage, O extends DescMessage>(
    method: DescMethodUnary<I, O>,
    request: MessageInitShape<I>,
  ) => {
    const node = address();
    // A step has no time limit.
    return callGrpc(transportTo(node, NO_LIMIT), method, request, headers).catch(
      (error: unknown) => {
        throw described(error, `${node}: `);
      },
    );
  };
  return {
    runStep: (request) => call(Lab.method.runStep, request),
    control: (request) => call(Lab.method.control, request),
    forkWorld: (request) => call(Lab.method.forkWorld, request),
    compareWorlds: (request) => call(Lab.method.compareWorlds, request),
    findDifference: (request) => call(Lab.method.findDifference, request),
    listWorlds: (request) => call(Lab.method.listWorlds, request),
    openWorld: (request) => call(Lab.method.openWorld, request),
    renameWorld: (request) => call(Lab.method.renameWorld, request),
    noteWorld: (request) => call(Lab.method.noteWorld, request),
    duplicateWorld: (request) => call(Lab.method.duplicateWorld, request),
    deleteWorld: (request) => call(Lab.method.deleteWorld, request),
    restoreWorld: (request) => call(Lab.method.restoreWorld, request),
    exportChain: (request) => call(Lab.method.exportChain, request),
    recordScenario: (request) => call(Lab.method.recordScenario, request),
  };
}

const NO_LIMIT = {};

const isUnary = (method: DescMethod): method is DescMethodUnary => method.methodKind === "unary";

/** gRPC without TLS, except for addresses that start with https://. */
const transportTo = (address: string, timeout: { readonly defaultTimeoutMs?: number }): Transport =>
  createGrpcTransport({
    baseUrl: urlOf(address, "127.0.0.1:9090"),
    ...timeout,
    // A command ends after its answer.
    idleConnectionTimeoutMs: 1,
  });

/** Calls a method. Rejects with a ConnectError. */
async function callGrpc<I extends DescMessage, O extends DescMessage>(
  transport: Transport,
  method: DescMethodUnary<I, O>,
  request: MessageInitShape<I>,
  headers: Readonly<Record<string, string>> = {},
): Promise<MessageShape<O>> {
  const answer = await transport.unary(method, undefined, undefined, headers, request);
  return answer.message;
}

/** The method under upstream's name: its messages have the same encoding. */
const theirs = (method: DescMethodUnary): DescMethodUnary => ({
  ...method,
  parent: { ...method.parent, typeName: inCosmos(method.parent.typeName) },
});

/**
 * Describes the error of a call: the node's message, or that no node answers, after a prefix with
 * the location.
 */
function described(error: unknown, where = ""): Error {
  if (!(error instanceof ConnectError))
    return error instanceof Error ? error : new Error(`${error}`);
  const { code, rawMessage, cause } = error;
  const { code: reason } = Object(cause) as { readonly code?: unknown };
  if (typeof reason === "string" && code !== Code.DeadlineExceeded)
    return new Error(`${where}no node answers there: ${reason}`);
  return new Error(rawMessage);
}
