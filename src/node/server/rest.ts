/** REST over HTTP: the routes of src/api, for both namespaces. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { create } from "@bufbuild/protobuf";
import { messageFromJson, messageToJson } from "../../api/json.ts";
import { type Namespace, servedName, typesInCosmos } from "../../api/namespaces.ts";
import { handleRest, restText } from "../../api/rest.ts";
import { broadcastResponse, isWaiting } from "../../api/services/tx.ts";
import { TxResponseSchema } from "../../gen/chain/base/abci/v1beta1/abci_pb.ts";
import { BroadcastTxRequestSchema } from "../../gen/chain/tx/v1beta1/service_pb.ts";
import type { RunningChain } from "./chain.ts";
import { allowOrigin, readBody, send } from "./http.ts";

const HEIGHT = "x-cosmos-block-height";

export interface RestOptions {
  readonly namespace: Namespace;
  /** Origin whose pages may read answers, `*` for any. */
  readonly cors: string;
}

/** Answers a request at a REST path, also with 501 at one that leads nowhere. */
export async function answerRest(
  chain: RunningChain,
  { namespace, cors }: RestOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (allowOrigin(request, response, cors)) return;
  const { method = "GET", url = "/" } = request;
  const headers = flat(request);
  // What was sent is taken whatever the answer is: the next request comes after it.
  const body = await readBody(request);
  // A name that is not answered here leads nowhere.
  const { name = "", cosmos = false } = servedName(namespace, url.slice(1)) ?? {};
  const verb = method === "HEAD" ? "GET" : method;
  const sent = verb === "POST" && name === BROADCAST ? broadcastOf(body) : undefined;
  if (sent !== undefined) {
    const { txResponse } = broadcastResponse(await chain.broadcast(sent));
    const json = messageToJson(TxResponseSchema, create(TxResponseSchema, txResponse));
    return send(response, 200, "application/json", JSON.stringify({ tx_response: json }));
  }
  const { answer, height } = await chain.session.ask((queries) => ({
    answer: handleRest(queries, verb, `/${name}`, headers, new TextDecoder().decode(body)),
    height: queries.height,
  }));
  if (answer.status === 200) {
    response.setHeader(HEIGHT, Number(headers[HEIGHT]) || height);
  }
  const text = restText(cosmos ? { ...answer, body: typesInCosmos(answer.body) } : answer);
  send(response, answer.status, "application/json", text);
}

/** Where transactions are sent. */
const BROADCAST = "chain/tx/v1beta1/txs";

/** The bytes of a transaction that a body sends; undefined if it sends none in a mode that is known. */
function broadcastOf(body: Uint8Array): Uint8Array | undefined {
  try {
    const json: unknown = JSON.parse(new TextDecoder().decode(body));
    const { txBytes, mode } = messageFromJson(BroadcastTxRequestSchema, json);
    return isWaiting(mode) ? txBytes : undefined;
  } catch {
    // The service says what is wrong.
    return undefined;
  }
}

const flat = ({ headers }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
