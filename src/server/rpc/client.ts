/** Queries of a remote chain through its JSON-RPC (rules/clients 2.6). */
import { create, type DescMethod, fromBinary, toBinary } from "@bufbuild/protobuf";
import { toHex } from "../../base/bytes.ts";
import { inChain, inCosmos } from "../../engine/framework/codec.ts";
import { STATUS, StatusError } from "../../engine/framework/errors.ts";
import { TxResponseSchema } from "../../gen/chain/base/abci/v1beta1/abci_pb.ts";
import { fromBase64 } from "../../view/base64.ts";
import { type Json, messageFromJson, messageToJson } from "../../view/json.ts";
import { renameTypes } from "../../view/namespaces.ts";
import { QUERY_ROUTES } from "../../view/query-routes.ts";

/**
 * Calls a method of the JSON-RPC and resolves to its result. Rejects with an Error that has its
 * text.
 */
export type CallRpc = (method: string, params: object) => Promise<unknown>;

/**
 * Queries a chain; request and answer are in REST's JSON format. The chain's own method name is
 * tried first, then upstream's. Rejects with a StatusError that has the chain's text.
 */
export async function queryRemote(
  call: CallRpc,
  name: string,
  request: unknown,
  height: number,
): Promise<Json> {
  const method = QUERY_ROUTES.find((one) => one.name === name)?.method;
  if (method === undefined) {
    throw new StatusError(STATUS.unimplemented, `there is no query ${name}`);
  }
  const message = messageFromJson(method.input, request);
  const ask = (path: string, data: Uint8Array) =>
    call("abci_query", { path, data: toHex(data), height: `${height}`, prove: false });
  const answer = read(await ask(`/${name}`, toBinary(method.input, message)));
  if (!answer.log.startsWith(UNKNOWN)) return contentOf(method, answer);
  const renamed = toBinary(method.input, renameTypes(method.input, message, inCosmos));
  return contentOf(method, read(await ask(`/${inCosmos(name)}`, renamed)));
}

/** Sends a transaction, TxRaw in base64; its response is in REST's JSON format. */
export async function broadcastRemote(
  call: CallRpc,
  tx: string,
  mode: "sync" | "async",
): Promise<Json> {
  const { code, codespace, log, hash } = Object(await call(`broadcast_tx_${mode}`, { tx }));
  if (typeof hash !== "string") {
    throw new StatusError(STATUS.internal, "what answers there is no node: expected a hash");
  }
  const txResponse = { code: Number(code), codespace, rawLog: log, txhash: hash };
  return messageToJson(TxResponseSchema, create(TxResponseSchema, txResponse));
}

/** True if the chain answers its own modules' queries under upstream's names. */
export async function servesCosmos(call: CallRpc): Promise<boolean> {
  const path = `/${inCosmos(OWN_QUERY)}`;
  return !read(
    await call("abci_query", { path, data: "", height: "0", prove: false }),
  ).log.startsWith(UNKNOWN);
}

/** A query that a node answers under upstream's name only if it serves that namespace. */
export const OWN_QUERY = "chain.slashing.v1beta1.Query/Params";

const UNKNOWN = "unknown query path: ";

interface AbciAnswer {
  readonly code: number;
  readonly log: string;
  readonly value: string;
}

/** Throws a StatusError for an invalid answer of abci_query. */
function read(result: unknown): AbciAnswer {
  const { response } = Object(result) as { readonly response?: unknown };
  const { code, log, value } = Object(response) as Readonly<Record<string, unknown>>;
  if (typeof response !== "object" || typeof (code ?? 0) !== "number") {
    throw new StatusError(STATUS.internal, "what answers there is no node: expected a response");
  }
  return { code: Number(code ?? 0), log: String(log ?? ""), value: String(value ?? "") };
}

/** gRPC status and suffix of the error text, as in the SDK, by code. */
const CODES: Readonly<Record<number, readonly [status: number, end: string]>> = {
  6: [STATUS.unknown, ": unknown request"],
  18: [STATUS.invalidArgument, ": invalid request"],
  22: [STATUS.notFound, ": key not found"],
};

function contentOf({ output }: DescMethod, { code, log, value }: AbciAnswer): Json {
  if (code !== 0) {
    const [status, end] = CODES[code] ?? [STATUS.unknown, ""];
    const text = log.replace(/^rpc error: code = \w+ desc = /, "");
    const isWrapped = end !== "" && text !== log && text.endsWith(end);
    throw new StatusError(status, isWrapped ? text.slice(0, -end.length) : text);
  }
  const message = create(output, fromBinary(output, fromBase64(value)));
  return messageToJson(output, renameTypes(output, message, inChain));
}
