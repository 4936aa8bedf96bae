/**
 * One table of requests, sent over HTTP to a node's server, or to the tab through the service
 * worker.
 */
import { create, type DescMethod, fromBinary, toBinary } from "@bufbuild/protobuf";
import { accAddress, fromValAddress } from "../base/bech32.ts";
import { HEIGHT_HEADER } from "../base/height-header.ts";
import { inChain, inCosmos } from "../engine/framework/codec.ts";
import { type Json, messageFromJson, messageToJson } from "../view/json.ts";
import { renameTypes } from "../view/namespaces.ts";
import { QUERY_ROUTES } from "../view/query-routes.ts";

/** A request for every server. */
export interface Asked {
  readonly name: string;
  /** By its fields; those of a nested message are `message.field`. */
  readonly request?: { readonly [key: string]: string };
  /** The same as a command line. */
  readonly line: readonly string[];
  /** Height of the query; the newest if absent. */
  readonly height?: number;
  /** Bytes sent in place of the request's, on transports that accept bytes. */
  readonly bytes?: Uint8Array;
}

const OPERATOR = "the operator of val-0";

/** Requests that every server answers identically. */
const TABLE: readonly Asked[] = [
  {
    name: "chain.bank.v1beta1.Query/Balance",
    request: { address: OPERATOR, denom: "stake" },
    line: ["bank", "balance", OPERATOR, "stake"],
  },
  { name: "chain.bank.v1beta1.Query/TotalSupply", line: ["bank", "total"] },
  { name: "chain.staking.v1beta1.Query/Validators", line: ["staking", "validators"] },
  {
    name: "chain.staking.v1beta1.Query/DelegatorDelegations",
    request: { delegator_addr: OPERATOR },
    line: ["staking", "delegations", OPERATOR],
  },
  { name: "chain.slashing.v1beta1.Query/SigningInfos", line: ["slashing", "signing-infos"] },
  { name: "chain.gov.v1.Query/Proposals", line: ["gov", "proposals"] },
  {
    name: "chain.gov.v1.Query/TallyResult",
    request: { proposal_id: "1" },
    line: ["gov", "tally", "1"],
  },
  { name: "chain.evidence.v1beta1.Query/AllEvidence", line: ["evidence"] },
  { name: "chain.upgrade.v1beta1.Query/ModuleVersions", line: ["upgrade", "module-versions"] },
  {
    name: "lab.v1.Lab/CompareWorlds",
    request: { "a.height": "6", "b.height": "8", limit: "3" },
    line: ["compare", "--a-height", "6", "--b-height", "8", "--limit", "3"],
  },
  {
    name: "lab.v1.Lab/FindDifference",
    request: { from: "3" },
    line: ["difference", "--from", "3"],
  },
];

/** A query of the lab at an earlier height, on every server. */
export const EARLIER: Asked = {
  name: "lab.v1.Lab/GetNode",
  request: { node: "val-0" },
  line: ["node", "val-0"],
  height: 3,
};

/** A query that every server refuses with the same text. */
export const REFUSED: Asked = {
  name: "chain.evidence.v1beta1.Query/Evidence",
  request: { hash: "AB".repeat(32) },
  line: ["evidence", "AB".repeat(32)],
};

/**
 * A query that the session refuses; every server reports this as it reports a refusal by a world.
 */
export const NO_WORLD: Asked = {
  name: "lab.v1.Lab/CompareWorlds",
  request: { "b.world": "gone" },
  line: ["compare", "--b-world", "gone"],
};

/**
 * Requests that transports of bytes refuse with the same text: bytes that are not a message of the
 * method.
 */
export const BROKEN: readonly Asked[] = [
  [0x0a, 0xff],
  [0x0a],
  [0x08],
  [0x0b],
  [0x0a, 0x02, 0x41],
].map((bytes) => ({ ...REFUSED, bytes: Uint8Array.from(bytes) }));

const methodOf = (name: string): DescMethod => {
  const method = QUERY_ROUTES.find((one) => one.name === name)?.method;
  if (method === undefined) throw new Error(`there is no ${name}`);
  return method;
};

/** The request's message in JSON. */
export function requestOf({ request = {} }: Asked): object {
  const message: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(request)) {
    const [outer = "", inner] = field.split(".");
    message[outer] = inner === undefined ? value : { ...Object(message[outer]), [inner]: value };
  }
  return message;
}

export const bytesOf = (one: Asked): Uint8Array => {
  if (one.bytes !== undefined) return one.bytes;
  const { input } = methodOf(one.name);
  return toBinary(input, messageFromJson(input, requestOf(one)));
};

/** The answer as JSON, with the chain's own names of types. */
export const jsonOf = ({ name }: Asked, bytes: Uint8Array): Json => {
  const { output } = methodOf(name);
  const message = create(output, fromBinary(output, bytes));
  return messageToJson(output, renameTypes(output, message, inChain));
};

const ownTypes = (text: string): string => text.replaceAll('"@type":"/cosmos.', '"@type":"/chain.');

/** The path of a query with its parameters. */
function pathOf({ name, request = {} }: Asked): string {
  const [path = ""] = QUERY_ROUTES.find((one) => one.name === name)?.paths ?? [];
  const inPath = path.replace(/\{([^=}]*)[^}]*\}/g, (_, field: string) => request[field] ?? "");
  const rest = Object.entries(request).filter(([field]) => !path.includes(`{${field}`));
  return rest.length === 0 ? inPath : `${inPath}?${new URLSearchParams(rest)}`;
}

/** The table for a chain with the given account of a validator's operator. */
export const tableFor = (operator: string): readonly Asked[] =>
  TABLE.map(({ name, request = {}, line }) => ({
    name,
    request: Object.fromEntries(
      Object.entries(request).map(([field, text]) => [field, text.replace(OPERATOR, operator)]),
    ),
    line: line.map((text) => text.replace(OPERATOR, operator)),
  }));

/**
 * An answer without the world's id and progress: the rest is equal in two worlds with the same
 * commands.
 */
export const ofAnyWorld = (answer: Json): Json => {
  const { a: _, b: __, searched: ___, ...rest } = Object(answer);
  return rest;
};

/** The account of a validator's operator. */
export const accountOf = (operatorAddress: string): string =>
  accAddress(fromValAddress(operatorAddress));

interface Sent {
  readonly method: "GET" | "POST";
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** Sends a request to a path and resolves to its answer, with the means of each client. */
export type Send = (
  path: string,
  request: Sent,
) => Promise<{ readonly status: number; readonly body: Uint8Array; readonly grpcMessage: string }>;

/** Sends a request over HTTP. Rejects with an Error that has the chain's text of a refusal. */
export type AskOver = (send: Send, one: Asked) => Promise<Json>;

/** The header with the height of the query. */
export const heightOf = ({ height }: Asked): Readonly<Record<string, string>> =>
  height === undefined ? {} : { [HEIGHT_HEADER]: String(height) };

const NOTHING = new Uint8Array();
const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

const rest =
  (rename: (name: string) => string): AskOver =>
  async (send, one) => {
    const got: Sent = { method: "GET", headers: heightOf(one), body: NOTHING };
    const { status, body } = await send(rename(pathOf(one)), got);
    const json = JSON.parse(ownTypes(textOf(body)));
    if (status !== 200) throw new Error(json.message);
    return json;
  };

/** A frame of gRPC-web: flags, length, content. */
const FRAME = 5;

const grpcWeb: AskOver = async (send, one) => {
  const request = bytesOf(one);
  const framed = new Uint8Array(FRAME + request.length);
  new DataView(framed.buffer).setUint32(1, request.length);
  framed.set(request, FRAME);
  const type = { "content-type": "application/grpc-web+proto", "x-grpc-web": "1" };
  const headers = { ...type, ...heightOf(one) };
  const sent: Sent = { method: "POST", headers, body: framed };
  const { body: all, grpcMessage } = await send(`/${one.name}`, sent);
  const length =
    all.length < FRAME ? 0 : new DataView(all.buffer, all.byteOffset, all.length).getUint32(1);
  const [content, trailers] = [all.subarray(FRAME, FRAME + length), all.subarray(FRAME + length)];
  if (all[0] === 0 && /grpc-status: ?0/.test(textOf(trailers))) return jsonOf(one, content);
  throw new Error(decodeURIComponent(`${textOf(all)}${grpcMessage}`));
};

const connect: AskOver = async (send, one) => {
  const { status, body } = await send(`/${inCosmos(one.name)}`, {
    method: "POST",
    headers: { "content-type": "application/proto", ...heightOf(one) },
    body: bytesOf(one),
  });
  if (status !== 200) throw new Error(JSON.parse(textOf(body)).message);
  return jsonOf(one, body);
};

/** Each interface over HTTP/1 that accepts messages in bytes, by its name. */
export const BYTES_OVER_HTTP: readonly (readonly [string, AskOver])[] = [
  ["gRPC-web", grpcWeb],
  ["Connect under cosmos", connect],
];

/** Each interface over HTTP/1, by its name. */
export const OVER_HTTP: readonly (readonly [string, AskOver])[] = [
  ["REST", rest((path) => path)],
  ["REST under cosmos", rest(inCosmos)],
  ...BYTES_OVER_HTTP,
];
