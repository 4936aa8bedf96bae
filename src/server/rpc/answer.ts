/** Answers requests of the JSON-RPC over any transport (rules/clients 2.1, 2.3). */

import { isBug } from "../../base/error-text.ts";
import { readJsonBody } from "../../base/json-text.ts";
import { RPC } from "../../base/limits.ts";
import { errorText } from "../../engine/framework/errors.ts";
import type { JsonObject } from "../../view/events/forms.ts";
import type { Json } from "../../view/json.ts";
import {
  busyOr,
  internalError,
  invalidRequest,
  methodNotFound,
  parseError,
  RpcError,
} from "../../view/rpc-error.ts";
import { RPC_METHODS } from "./methods.ts";
import type { RpcNode } from "./node.ts";

/** An HTTP response. */
export interface RpcAnswer {
  readonly status: number;
  readonly type: "application/json" | "text/plain" | "text/html";
  readonly body: string;
}

/** The id of a request, repeated in its answer; null for none. */
export type RpcId = string | number | null;

/** A parsed request; one without an id is not answered. */
export interface RpcRequest {
  readonly id: RpcId;
  readonly method: string;
  readonly params: unknown;
}

/** Answers the body of a POST; never rejects. An empty one lists the methods. */
export async function answerPost(node: RpcNode, body: string, host: string): Promise<RpcAnswer> {
  if (body === "") return listOfMethods(host);
  let requests: readonly RpcRequest[];
  try {
    requests = readRequests(body);
  } catch (error) {
    const status = error instanceof RpcError && error.code === TOO_MANY ? 400 : 500;
    return json(status, refusal(null, error));
  }
  try {
    const answers = await answerAll(node, requests, (request) => answerRequest(node, request));
    return { status: 200, type: "application/json", body: answers };
  } catch (error) {
    return json(429, refusal(null, error));
  }
}

/**
 * JSON of the answers of one request or of a batch; empty if none has an id. Rejects if the answers
 * of a batch cannot be held.
 */
export async function answerAll(
  node: RpcNode,
  requests: readonly RpcRequest[],
  answer: (request: RpcRequest) => Promise<object>,
): Promise<string> {
  const answers: string[] = [];
  for (const request of requests) {
    if (request.id === null) continue;
    const text = JSON.stringify(await answer(request));
    if (requests.length > 1) node.hold?.(text.length);
    answers.push(text);
  }
  return answers.length > 1 ? `[${answers.join(",")}]` : (answers[0] ?? "");
}

/**
 * Answers a GET; never rejects. The root lists the methods.
 * @param target path with query string, e.g. `/block?height=5`
 */
export async function answerGet(node: RpcNode, target: string, host: string): Promise<RpcAnswer> {
  const [path = "", query = ""] = target.split(/\?(.*)/s);
  const name = path.replace(/^\/|\/$/g, "");
  if (name === "") return listOfMethods(host);
  const method = RPC_METHODS.get(name);
  if (method === undefined) {
    return { status: 404, type: "text/plain", body: "404 page not found\n" };
  }
  try {
    const params = parametersIn(query);
    return json(200, success(-1, await method.call(node, { from: "uri", params })));
  } catch (error) {
    return json(500, refusalBy(node, -1, error));
  }
}

/** Reads one request of a WebSocket, or all of a body. Throws an RpcError. */
export function readRequests(text: string): readonly RpcRequest[] {
  let value: unknown;
  try {
    value = readJsonBody(text);
  } catch (error) {
    throw unreadable(errorText(error));
  }
  const requests = Array.isArray(value) ? value : [value];
  if (requests.length > RPC.batch) {
    throw invalidRequest(
      `expected a batch of at most ${RPC.batch} requests, found ${requests.length}`,
    );
  }
  return requests.map(readRequest);
}

function readRequest(value: unknown): RpcRequest {
  if (value === null || typeof value !== "object" || Array.isArray(value)) {
    throw unreadable("expected an object with jsonrpc, id, method and params");
  }
  const { id = null, method, params } = value as Readonly<Record<string, unknown>>;
  if (id !== null && typeof id !== "string" && typeof id !== "number") {
    throw unreadable("expected an id that is text or a number");
  }
  if (method !== undefined && typeof method !== "string") {
    throw unreadable("expected the name of a method");
  }
  return { id, method: method ?? "", params };
}

/** Answers one request; never rejects. */
export async function answerRequest(node: RpcNode, request: RpcRequest): Promise<JsonObject> {
  const { id, params } = request;
  try {
    const method = RPC_METHODS.get(request.method);
    if (method === undefined) throw methodNotFound();
    if (request.method !== HEALTH) await node.turn();
    return success(id, await method.call(node, { from: "json", params }));
  } catch (error) {
    return refusalBy(node, id, error);
  }
}

export const success = (id: RpcId, result: Json): JsonObject => ({ jsonrpc: "2.0", id, result });

/** The response for an error of a method: a bug is reported with its stack. */
export function refusalBy(node: RpcNode, id: RpcId, thrown: unknown): JsonObject {
  if (isBug(thrown)) node.reportBug(thrown);
  return refusal(id, thrown);
}

/** The response for an error; without an id if none was read. */
export function refusal(id: RpcId, thrown: unknown): JsonObject {
  const known = busyOr(thrown);
  const error = known instanceof RpcError ? known : internalError(errorText(thrown));
  return {
    jsonrpc: "2.0",
    ...(id === null ? {} : { id }),
    error: {
      code: error.code,
      message: error.message,
      ...(error.data === undefined ? {} : { data: error.data }),
    },
  };
}

const TOO_MANY = -32600;
const HEALTH = "health";

/** Returns true for a body that is a single health request, which skips the queue. */
export function isHealth(body: string): boolean {
  try {
    const [only, ...more] = readRequests(body);
    return only?.method === HEALTH && more.length === 0;
  } catch {
    return false;
  }
}

const unreadable = (text: string): RpcError => parseError(`error unmarshaling request: ${text}`);

const json = (status: number, body: Json): RpcAnswer => ({
  status,
  type: "application/json",
  body: JSON.stringify(body),
});

/** If a name is repeated, the first value counts. */
function parametersIn(query: string): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>();
  for (const pair of query.split("&")) {
    const [name = "", value = ""] = pair.replaceAll("+", " ").split(/=(.*)/s).map(unescaped);
    if (!parameters.has(name)) parameters.set(name, value);
  }
  return parameters;
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function listOfMethods(host: string): RpcAnswer {
  const link = (name: string, query: string): string => {
    const address = `//${escaped(host)}/${name}${query}`;
    return `<a href="${address}">${query === "" ? name : address}</a><br>`;
  };
  const methods = [...RPC_METHODS].map(([name, { parameters }]) => {
    const names = Object.keys(parameters);
    return {
      name,
      query: names.length === 0 ? "" : `?${names.map((one) => `${one}=_`).join("&")}`,
    };
  });
  const lines = [
    "<html><body><br>Available endpoints:<br>",
    ...methods.filter(({ query }) => query === "").map(({ name }) => link(name, "")),
    "<br>Endpoints that require arguments:<br>",
    ...methods.filter(({ query }) => query !== "").map(({ name, query }) => link(name, query)),
    "</body></html>",
  ];
  return { status: 200, type: "text/html", body: lines.join("\n") };
}

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
