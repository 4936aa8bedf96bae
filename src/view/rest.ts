/**
 * The REST interface: every Query service, and what the lab can be asked, at the paths their proto files
 * give them, answering as upstream's gateway does (rules/evidence 6.1).
 */

import {
  create,
  type DescField,
  type DescMessage,
  type DescMethod,
  type Message,
  type MessageInitShape,
  type MessageShape,
  ScalarType,
} from "@bufbuild/protobuf";
import { type ReflectMessage, reflect } from "@bufbuild/protobuf/reflect";
import { HEIGHT_HEADER } from "../base/height-header.ts";
import { readJsonBody } from "../base/json-text.ts";
import { INPUT } from "../base/limits.ts";
import { TextError } from "../base/text-error.ts";
import { ChainError, errorText, STATUS, StatusError } from "../engine/framework/errors.ts";
import { fromBase64 } from "./base64.ts";
import { integerType, parseInteger } from "./integers.ts";
import { type Json, JsonError, messageFromJson, messageToJson } from "./json.ts";
import { atOnce, type Reading } from "./lab/reading.ts";
import { QUERY_ROUTES } from "./query-routes.ts";

export interface HostSettings {
  /** Address of its RPC, such as `tcp://127.0.0.1:26657`; empty where it has none. */
  readonly rpcAddress: string;
  /** Least prices of gas, such as `0.025stake`; empty if it takes transactions without a fee. */
  readonly minGasPrices: string;
}

/** The source of REST answers: a Simulation, or a world with its nodes. */
export interface QueryableChain {
  readonly height: number;
  /** Settings of the node that answers; undefined where there is none. */
  readonly host?: HostSettings | undefined;
  /** The answer's message, or its fields. */
  reading(name: string, request: Message, height?: number): Reading<MessageInitShape<DescMessage>>;
}

export interface RestResponse {
  readonly status: number;
  readonly body: Json;
}

/** The text of an answer; errors as upstream's gateway writes them, with a blank between their parts. */
export function restText({ status, body }: RestResponse): string {
  if (status === 200) return JSON.stringify(body);
  const parts = Object.entries(Object(body)).map(
    ([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`,
  );
  return `{${parts.join(", ")}}`;
}

interface Route {
  readonly method: DescMethod;
  readonly name: string;
  readonly verb: string;
  /** Path segments; `{name}` takes one, `{name=**}` all that are left. */
  readonly segments: readonly string[];
}

const ROUTES: readonly Route[] = QUERY_ROUTES.flatMap(({ method, name, paths, verb }) =>
  paths.map((path) => ({ method, name, verb, segments: path.split("/") })),
);

const THE_REST = "=**}";

/**
 * Answers one request; never throws for anything a client can send.
 * @param target path with query string, e.g. `/chain/evidence/v1beta1/evidence?pagination.limit=1`
 * @param headers lower-case names; the height's pins the query to it
 * @param body the request's message in JSON, where the path takes it by POST
 */
export function* restReading(
  chain: QueryableChain,
  httpMethod: string,
  target: string,
  headers: Readonly<Record<string, string>> = {},
  body = "",
): Reading<RestResponse> {
  try {
    if (target.length > INPUT.request) {
      const found = `at most ${INPUT.request} characters, found ${target.length}`;
      throw new StatusError(STATUS.invalidArgument, `expected a request of ${found}`);
    }
    const [path = "", query = ""] = splitOnce(target, "?");
    const match = findRoute(path, httpMethod.toUpperCase());
    if (!match) throw new StatusError(STATUS.unimplemented, "Not Implemented");
    const { method, name, verb, parameters } = match;
    const input = verb === "POST" ? bodyOf(method.input, body) : undefined;
    const request = reflect(method.input, input);
    for (const [field, text] of parameters) {
      const inPath = (error: string) => `type mismatch, parameter: ${field}, error: ${error}`;
      setField(request, [field], text, inPath);
    }
    // All values of a list, else the first of several, and none for what the path says (rules/evidence 6.6).
    const known = new Set(parameters.map(([field]) => field));
    for (const [field, text] of input ? [] : queryParameters(query)) {
      const takesMore = !known.has(field) && setField(request, field.split("."), text);
      if (!takesMore) known.add(field);
    }
    const height = pinnedHeight(chain, headers[HEIGHT_HEADER]);
    const answer = yield* chain.reading(name, request.message, height);
    return { status: 200, body: messageToJson(method.output, create(method.output, answer)) };
  } catch (error) {
    return refusal(error);
  }
}

/** The same at once. */
export const handleRest = (
  chain: QueryableChain,
  httpMethod: string,
  target: string,
  headers?: Readonly<Record<string, string>>,
  body?: string,
): RestResponse => atOnce(restReading(chain, httpMethod, target, headers, body));

type Parameters = readonly (readonly [field: string, text: string])[];

/** The message in a body. Throws a StatusError where the body is none. */
function bodyOf<D extends DescMessage>(schema: D, body: string): MessageShape<D> {
  try {
    return messageFromJson(schema, body === "" ? {} : readJsonBody(body));
  } catch (error) {
    if (!(error instanceof TextError || error instanceof JsonError)) throw error;
    throw new StatusError(STATUS.invalidArgument, error.message);
  }
}

type FoundRoute = Route & { readonly parameters: Parameters };

/** Routes of paths without parameters. */
const PLAIN: ReadonlyMap<string, FoundRoute | undefined> = new Map(
  ROUTES.filter(({ segments }) => !segments.some((segment) => segment.startsWith("{"))).map(
    ({ verb, segments }) => {
      const path = segments.join("/");
      return [verb + path, searchRoute(path, verb)];
    },
  ),
);

/** True if a route matches the path, whatever its answer; a query string is ignored. */
export const isRoute = (target: string): boolean =>
  findRoute(splitOnce(target, "?")[0] ?? "", "GET") !== undefined;

const findRoute = (path: string, verb: string): FoundRoute | undefined =>
  PLAIN.get(verb + path) ?? searchRoute(path, verb);

function searchRoute(path: string, verb: string): FoundRoute | undefined {
  const input = path.split("/");
  for (const route of ROUTES) {
    if (route.verb !== verb) continue;
    const parameters = parametersOf(route, input);
    if (parameters !== undefined) return { ...route, parameters };
  }
  return undefined;
}

/**
 * Values of a route's parameters in a path's segments; undefined if the path does not match the
 * route.
 */
function parametersOf({ segments }: Route, input: readonly string[]): Parameters | undefined {
  const last = segments.length - 1;
  const takesRest = segments[last]?.endsWith(THE_REST) && input.length > last;
  const taken = takesRest ? [...input.slice(0, last), input.slice(last).join("/")] : input;
  if (taken.length !== segments.length) return undefined;
  const fits = segments.every(
    (segment, index) => segment.startsWith("{") || segment === taken[index],
  );
  if (!fits) return undefined;
  return segments.flatMap((segment, index) =>
    segment.startsWith("{")
      ? [[segment.replace(/^\{|(=\*\*)?\}$/g, ""), unescaped(taken[index] as string)]]
      : [],
  );
}

function queryParameters(query: string): [name: string, text: string][] {
  return query
    .split("&")
    .filter((pair) => pair !== "")
    .map((pair) => {
      const [name = "", text = ""] = splitOnce(pair.replaceAll("+", " "), "=");
      return [unescaped(name), unescaped(text)];
    });
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new StatusError(STATUS.invalidArgument, `malformed escape in "${text}"`);
  }
}

/**
 * Sets a field from a path or query parameter, and returns whether it is a list, which takes another value. Fields
 * a request does not have are passed over.
 */
function setField(
  message: ReflectMessage,
  path: readonly string[],
  text: string,
  refused: (error: string) => string = (error) => error,
): boolean {
  const [name, ...rest] = path;
  const field = message.desc.fields.find((f) => f.name === name || f.jsonName === name);
  if (!field) return false;
  if (field.fieldKind === "message") {
    const inner = message.isSet(field)
      ? message.get(field)
      : reflect(field.message, create(field.message));
    const isList = setField(inner, rest, text, refused);
    message.set(field, inner);
    return isList;
  }
  const value = rest.length === 0 ? parse(field, text) : undefined;
  if (value === undefined) {
    throw new StatusError(STATUS.invalidArgument, refused(mismatch(field, text)));
  }
  if (field.fieldKind !== "list") message.set(field, value);
  else message.get(field).add(value);
  return field.fieldKind === "list";
}

/** Booleans as read by Go's ParseBool. */
const TRUE: readonly string[] = ["1", "t", "T", "true", "TRUE", "True"];
const FALSE: readonly string[] = ["0", "f", "F", "false", "FALSE", "False"];

function parse(field: DescField, text: string): unknown {
  if (field.enum) {
    const { values } = field.enum;
    return values.find(({ name, number }) => text === name || text === String(number))?.number;
  }
  const integer = integerType(field.scalar);
  if (integer !== undefined) return parseInteger(integer, text);
  switch (field.scalar) {
    case ScalarType.STRING:
      return text;
    case ScalarType.BOOL:
      return TRUE.includes(text) || (FALSE.includes(text) ? false : undefined);
    case ScalarType.BYTES:
      return parseBase64(text);
    default:
      return undefined;
  }
}

/** Either alphabet; in a query string an unescaped `+` has become a space. */
function parseBase64(text: string): Uint8Array | undefined {
  try {
    return fromBase64(text.replaceAll("-", "+").replaceAll("_", "/").replaceAll(" ", "+"));
  } catch {
    return undefined;
  }
}

/** Why a text is no value of a field: of numbers and booleans in the words of Go's strconv, which clients know. */
function mismatch(field: DescField, text: string): string {
  const integer = integerType(field.scalar);
  if (integer !== undefined) {
    const isUnsigned = integer.least === 0n;
    const isInteger = (isUnsigned ? /^\d+$/ : /^-?\d+$/).test(text);
    const why = isInteger ? "value out of range" : "invalid syntax";
    return unparsed(isUnsigned ? "ParseUint" : "ParseInt", text, why);
  }
  if (field.scalar === ScalarType.BOOL) return unparsed("ParseBool", text, "invalid syntax");
  const expected = field.enum?.name ?? (field.scalar === ScalarType.BYTES ? "base64" : "one value");
  return `${JSON.stringify(text)} is not ${field.name}: expected ${expected}`;
}

const unparsed = (reader: string, text: string, why: string): string =>
  `strconv.${reader}: parsing ${JSON.stringify(text)}: ${why}`;

export function pinnedHeight(
  chain: QueryableChain,
  header: string | undefined,
): number | undefined {
  if (header === undefined || header === "") return undefined;
  if (!/^-?\d{1,15}$/.test(header)) {
    throw new StatusError(
      STATUS.invalidArgument,
      `invalid height header "${HEIGHT_HEADER}": "${header}" is not an integer: invalid request`,
    );
  }
  const height = Number(header);
  if (height < 0) throw badHeight("cannot query with height < 0");
  if (height > chain.height) throw badHeight("cannot query with height in the future");
  // As upstream: zero is the newest height.
  return height === 0 ? undefined : height;
}

const badHeight = (why: string): StatusError =>
  new StatusError(STATUS.invalidArgument, `${why}; please provide a valid height: invalid request`);

function refusal(error: unknown): RestResponse {
  const { code, message } = asStatus(error);
  return { status: HTTP_STATUS[code] ?? 500, body: { code, message, details: [] } };
}

export function asStatus(error: unknown): { code: number; message: string } {
  if (error instanceof StatusError) return { code: error.code, message: error.message };
  if (error instanceof ChainError && error.codespace !== "undefined") {
    return { code: STATUS.unknown, message: registeredText(error) };
  }
  return { code: STATUS.unknown, message: errorText(error) };
}

/** A registered error shows its identity and puts its own text first (rules/upgrade 8.1). */
function registeredText({ codespace, code, message }: ChainError): string {
  const end = message.lastIndexOf(": ");
  const turned = end < 0 ? message : `${message.slice(end + 2)}: ${message.slice(0, end)}`;
  return `codespace ${codespace} code ${code}: ${turned}`;
}

/** The gateway's statuses of gRPC's codes; of all others 500 (rules/evidence 6.7). */
const HTTP_STATUS: Readonly<Record<number, number>> = {
  [STATUS.cancelled]: 408,
  [STATUS.invalidArgument]: 400,
  [STATUS.deadlineExceeded]: 504,
  [STATUS.notFound]: 404,
  [STATUS.resourceExhausted]: 429,
  [STATUS.failedPrecondition]: 400,
  [STATUS.unimplemented]: 501,
  [STATUS.unavailable]: 503,
  [STATUS.unauthenticated]: 401,
};

function splitOnce(text: string, separator: string): string[] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
