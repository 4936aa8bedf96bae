/** REST, its description, health and metrics: requests by path, for both namespaces. */

import { create } from "@bufbuild/protobuf";
import { HEIGHT_HEADER } from "../base/height-header.ts";
import { SERVER } from "../base/limits.ts";
import { TxResponseSchema } from "../gen/chain/base/abci/v1beta1/abci_pb.ts";
import { BroadcastTxRequestSchema } from "../gen/chain/tx/v1beta1/service_pb.ts";
import { messageFromJson, messageToJson } from "../view/json.ts";
import { servedName, typesInCosmos } from "../view/namespaces.ts";
import { restReading, restText } from "../view/rest.ts";
import { broadcastResponse, isWaiting } from "../view/services/tx.ts";
import { type HttpAnswer, type HttpRequest, refusal, textAnswer, tooLong } from "./http.ts";
import { keplrChain } from "./keplr.ts";
import { METRICS_TYPE } from "./metrics/exposition.ts";
import { openApi, openApiPage } from "./openapi.ts";
import type { QueriedChain } from "./queried-chain.ts";

const JSON_TYPE = "application/json";
/** Version of the interface, lab.v1. */
const API_VERSION = "1";

/** Answers a request at any path, with 501 for an unknown one. */
export async function answerPath(chain: QueriedChain, request: HttpRequest): Promise<HttpAnswer> {
  const [path] = request.path.split("?", 1);
  switch (path) {
    case "/openapi":
      return textAnswer(200, "text/html; charset=utf-8", openApiPage(API_VERSION));
    case "/openapi.json":
      return textAnswer(200, JSON_TYPE, JSON.stringify(openApi(API_VERSION)));
    case "/health":
      return textAnswer(200, JSON_TYPE, "{}");
    case "/keplr.json":
      return answerKeplr(chain, request);
    case "/metrics":
      return textAnswer(200, METRICS_TYPE, await chain.metrics());
    default:
      return answerRest(chain, request);
  }
}

/**
 * The chain in the format of Keplr's suggestChain, with the addresses through which the client has
 * reached the node.
 */
async function answerKeplr(chain: QueriedChain, { headers }: HttpRequest): Promise<HttpAnswer> {
  const { wallets } = chain;
  if (wallets === undefined) {
    return refusal(501, "wallets need an RPC, which a page has not: chainlab start runs a node");
  }
  const rest = new URL(`http://${headers.host ?? "localhost"}`);
  const rpc = new URL(wallets.rpc.replace("tcp:", "http:"));
  rpc.hostname = rest.hostname;
  const at = { rest: rest.origin, rpc: rpc.origin };
  const info = await chain.query(({ sim }) => keplrChain(sim, at, wallets.minGasPrices));
  return textAnswer(200, JSON_TYPE, JSON.stringify(info));
}

async function answerRest(
  chain: QueriedChain,
  { method, path, headers, body, gone }: HttpRequest,
): Promise<HttpAnswer> {
  if (body.length > SERVER.bodyBytes) return refusal(413, tooLong(SERVER.bodyBytes));
  // An unknown name becomes an unknown path.
  const { name = "", cosmos = false } = servedName(chain.namespace, path.slice(1)) ?? {};
  const verb = method === "HEAD" ? "GET" : method;
  const sent = verb === "POST" && name === BROADCAST ? broadcastOf(body) : undefined;
  if (sent !== undefined) {
    const { txResponse } = broadcastResponse(await chain.broadcast(sent));
    const json = messageToJson(TxResponseSchema, create(TxResponseSchema, txResponse));
    return textAnswer(200, JSON_TYPE, JSON.stringify({ tx_response: json }));
  }
  const { answer, height } = await chain.query(
    function* (queries) {
      const answer = yield* restReading(queries, verb, `/${name}`, headers, textOf(body));
      return { answer, height: queries.height };
    },
    { mayControl: false, gone },
  );
  const text = restText(cosmos ? { ...answer, body: typesInCosmos(answer.body) } : answer);
  const answeredFor = String(Number(headers[HEIGHT_HEADER]) || height);
  return textAnswer(
    answer.status,
    JSON_TYPE,
    text,
    answer.status === 200 ? { [HEIGHT_HEADER]: answeredFor } : {},
  );
}

const decoder = new TextDecoder();
const textOf = (body: Uint8Array): string => (body.length === 0 ? "" : decoder.decode(body));

/** REST path for sending transactions. */
const BROADCAST = "chain/tx/v1beta1/txs";

/** The transaction bytes in a body; undefined if it contains none in a known mode. */
function broadcastOf(body: Uint8Array): Uint8Array | undefined {
  try {
    const json: unknown = JSON.parse(textOf(body));
    const { txBytes, mode } = messageFromJson(BroadcastTxRequestSchema, json);
    return isWaiting(mode) ? txBytes : undefined;
  } catch {
    // The service reports the problem.
    return undefined;
  }
}
