/** Calls of a chain that a node runs elsewhere, through its gRPC. */
import {
  create,
  type DescMethod,
  type DescMethodUnary,
  type MessageInitShape,
} from "@bufbuild/protobuf";
import { Code, ConnectError, type Transport } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { messageFromJson, messageToJson } from "../api/json.ts";
import { inChain, inCosmos, renameTypes } from "../api/namespaces.ts";
import { QUERY_ROUTES } from "../api/query-routes.ts";
import { type AskRemote, PATIENCE_MS, urlOf } from "./remote.ts";

/** Asks queries of the node at an address; by upstream's name where the chain's own is not known there. */
export function grpcAsker(address: string): AskRemote {
  const transport = transportTo(address);
  return async (name, request, height) => {
    const method = QUERY_ROUTES.find((one) => one.name === name)?.method;
    if (method === undefined || !isUnary(method)) throw new Error(`there is no query ${name}`);
    const message = messageFromJson(method.input, request);
    const headers = height === 0 ? {} : { "x-cosmos-block-height": `${height}` };
    const answer = await callGrpc(transport, method, message, headers).catch((error: unknown) => {
      if (!(error instanceof ConnectError && error.code === Code.Unimplemented)) throw said(error);
      const renamed = renameTypes(method.input, message, inCosmos);
      return callGrpc(transport, theirs(method), renamed, headers).catch((other: unknown) => {
        throw said(other);
      });
    });
    return messageToJson(method.output, renameTypes(method.output, answer, inChain));
  };
}

const isUnary = (method: DescMethod): method is DescMethodUnary => method.methodKind === "unary";

/** gRPC without TLS, but for addresses that begin with https://. */
const transportTo = (address: string): Transport =>
  createGrpcTransport({
    baseUrl: urlOf(address, "127.0.0.1:9090"),
    defaultTimeoutMs: PATIENCE_MS,
    // A command ends when it has its answer.
    idleConnectionTimeoutMs: 1,
  });

/** Calls a method. Rejects with a ConnectError. */
async function callGrpc<M extends DescMethodUnary>(
  transport: Transport,
  method: M,
  request: MessageInitShape<M["input"]>,
  headers: Readonly<Record<string, string>> = {},
) {
  const message = create(method.input, request);
  return (await transport.unary(method, undefined, undefined, headers, message)).message;
}

/** The method under upstream's name: its messages have the same bytes. */
const theirs = (method: DescMethodUnary): DescMethodUnary => ({
  ...method,
  parent: { ...method.parent, typeName: inCosmos(method.parent.typeName) },
});

/** What a node said, or that none answers. */
function said(error: unknown): Error {
  if (!(error instanceof ConnectError))
    return error instanceof Error ? error : new Error(`${error}`);
  const { code, rawMessage, cause } = error;
  const { code: reason } = Object(cause) as { readonly code?: unknown };
  if (typeof reason === "string" && code !== Code.DeadlineExceeded)
    return new Error(`no node answers there: ${reason}`);
  return new Error(rawMessage);
}
