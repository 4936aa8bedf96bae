/** Formats one request for every client. */

import { HEIGHT_HEADER } from "../../../base/height-header.ts";
import { queryCommandOf } from "../../../cli/query-line.ts";
import type { Endpoint, EndpointField } from "../../../gen/endpoints.ts";

/** A filled-in request: text by field name; empty fields are omitted. */
export interface Filled {
  readonly endpoint: Endpoint;
  readonly values: Readonly<Record<string, string>>;
  /** The height of the query; empty for the newest. */
  readonly height: string;
}

/** Addresses of a node's APIs. */
export interface Endpoints {
  /** `http://127.0.0.1:1317` */
  readonly rest: string;
  /** `127.0.0.1:9090` */
  readonly grpc: string;
  readonly rpc: string;
}

/** Addresses of a node started with default options. */
export const DEFAULT_ENDPOINTS: Endpoints = {
  rest: "http://127.0.0.1:1317",
  grpc: "127.0.0.1:9090",
  rpc: "127.0.0.1:26657",
};

/** A REST request, as sent. */
export interface RestCall {
  readonly verb: "GET" | "POST";
  /** With its query string, starting with `/`. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

const PARAMETER = /\{(\w+)(=\*\*)?\}/g;

/** Fields in a path template. */
export const inPath = (template: string): readonly string[] =>
  Array.from(template.matchAll(PARAMETER), ([, field = ""]) => field);

/** The request with the first path whose fields are all present; otherwise the missing fields. */
export function restCall({ endpoint, values, height }: Filled): RestCall | readonly string[] {
  const { paths, verb, fields } = endpoint;
  const lacking = (template: string) => inPath(template).filter((field) => !values[field]);
  const template = paths.find((one) => lacking(one).length === 0);
  if (template === undefined) return lacking(paths[0] ?? "");
  const taken = new Set(inPath(template));
  const path = template.replaceAll(PARAMETER, (_, field: string, rest: string | undefined) => {
    const value = values[field] ?? "";
    return rest ? value.split("/").map(encodeURIComponent).join("/") : encodeURIComponent(value);
  });
  const headers = height === "" ? {} : { [HEIGHT_HEADER]: height };
  if (verb === "POST") return { verb, path, headers, body: requestJson({ endpoint, values }) };
  const query = new URLSearchParams(
    fields.flatMap(({ name }) => {
      const value = values[name];
      return value && !taken.has(name) ? [[name, value]] : [];
    }),
  );
  return { verb, path: query.size > 0 ? `${path}?${query}` : path, headers };
}

/** The request's message in JSON, for gRPC tools. */
const requestJson = ({ endpoint, values }: Omit<Filled, "height">): string =>
  JSON.stringify(messageOf(endpoint.fields, values));

/**
 * A message with the given fields. Throws an Error with the name of a field whose JSON is invalid.
 */
export function messageOf(
  fields: readonly EndpointField[],
  values: Filled["values"],
): Readonly<Record<string, unknown>> {
  const message: Record<string, unknown> = {};
  for (const field of fields) {
    const text = values[field.name];
    if (!text) continue;
    const path = field.name.split(".");
    let within = message;
    for (const name of path.slice(0, -1)) {
      within[name] ??= {};
      within = within[name] as Record<string, unknown>;
    }
    within[path.at(-1) ?? ""] = fieldValue(field, text);
  }
  return message;
}

function fieldValue({ name, type, repeated }: EndpointField, text: string): unknown {
  if (type === "json") {
    try {
      return JSON.parse(text);
    } catch (error) {
      throw new Error(`${name}: expected JSON: ${(error as Error).message}`);
    }
  }
  const one =
    type === "bool"
      ? text === "true"
      : type === "integer" && /^-?\d{1,15}$/.test(text)
        ? Number(text)
        : text;
  return repeated ? [one] : one;
}

/** The request as a `curl` command. */
export function curlText(call: RestCall, { rest }: Endpoints): string {
  const headers = { ...call.headers, ...(call.body && { "content-type": "application/json" }) };
  return shellLine([
    "curl",
    ...Object.entries(headers).flatMap(([name, value]) => ["-H", `${name}: ${value}`]),
    ...(call.body === undefined ? [] : ["-d", call.body]),
    rest + call.path,
  ]);
}

/** The request as a `grpcurl` command. */
export function grpcurlText({ endpoint, values, height }: Filled, { grpc }: Endpoints): string {
  const json = requestJson({ endpoint, values });
  return shellLine([
    "grpcurl",
    "-plaintext",
    ...(height === "" ? [] : ["-H", `${HEIGHT_HEADER}: ${height}`]),
    ...(json === "{}" ? [] : ["-d", json]),
    grpc,
    endpoint.name,
  ]);
}

/** The request as a `chainlab` command; undefined if there is none. */
export function commandText({ endpoint, values, height }: Filled, { rpc }: Endpoints) {
  const words = queryCommandOf(endpoint.name)?.arguments(values, height);
  return words && shellLine(["chainlab", ...words, "--node", rpc]);
}

/** The request for the console of this page, relative to the page's folder. */
export function fetchText({ verb, path, headers, body }: RestCall): string {
  const options = {
    ...(verb === "POST" && { method: verb }),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(body !== undefined && { body }),
  };
  const more = Object.keys(options).length > 0 ? `, ${JSON.stringify(options)}` : "";
  return `await fetch(${JSON.stringify(path.slice(1))}${more}).then((answer) => answer.json())`;
}

/** Quotes words for a shell. */
export const shellLine = (words: readonly string[]): string =>
  words
    .map((word) =>
      /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`,
    )
    .join(" ");
