/** Reads the parameters of a call as CometBFT does, with its texts (rules/clients 2.1, 2.2). */

import { fromUtf8, utf8 } from "../../base/bytes.ts";
import { fromHex } from "../../base/from-hex.ts";
import { errorText } from "../../engine/framework/errors.ts";
import { fromBase64 } from "../../view/base64.ts";
import { invalidParams } from "../../view/rpc-error.ts";

/** Type of a parameter: in JSON, bytes are base64 and hex is hex. */
type Kind = "integer" | "text" | "flag" | "bytes" | "hex";

/** The parameters of a method in their order. */
export type Parameters = Readonly<Record<string, Kind>>;

interface Values {
  integer: bigint;
  text: string;
  flag: boolean;
  bytes: Uint8Array;
  hex: Uint8Array;
}

/** The values that were passed. */
export type Arguments<P extends Parameters> = { readonly [N in keyof P]?: Values[P[N]] };

/** Reads a request's `params`: an object, or all parameters in order. Throws an RpcError. */
export function argumentsFromJson<P extends Parameters>(
  parameters: P,
  params: unknown,
): Arguments<P> {
  return reading("json", () => {
    if (params === undefined || params === null) return {};
    const names = Object.keys(parameters);
    if (Array.isArray(params)) {
      if (params.length !== names.length) {
        throw new Error(
          `expected ${names.length} parameters ([${names.join(" ")}]), got ${params.length} ([${params.map(goBytes).join(" ")}])`,
        );
      }
      return valuesOf(parameters, (_, index) => params[index], fromJson);
    }
    if (typeof params !== "object") {
      const found = `json: cannot unmarshal ${goKind(params)} into Go value of type []json.RawMessage`;
      throw new Error(`unknown type for JSON params: ${found}. Expected map or array`);
    }
    const named = params as Readonly<Record<string, unknown>>;
    return valuesOf(
      parameters,
      (name) => (Object.hasOwn(named, name) ? named[name] : undefined),
      fromJson,
    );
  });
}

/** Reads the parameters of a URL; if a name is repeated, the first counts. Throws an RpcError. */
export const argumentsFromUri = <P extends Parameters>(
  parameters: P,
  params: ReadonlyMap<string, string>,
): Arguments<P> =>
  reading("http", () => valuesOf(parameters, (name) => params.get(name) || undefined, fromUri));

function reading<T>(how: "json" | "http", read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw invalidParams(`error converting ${how} params to arguments: ${errorText(error)}`);
  }
}

function valuesOf<P extends Parameters, T>(
  parameters: P,
  params: (name: string, index: number) => T | undefined,
  read: (kind: Kind, value: T) => unknown,
): Arguments<P> {
  const values = Object.entries(parameters).flatMap(([name, kind], index) => {
    const value = params(name, index);
    return value === undefined || value === null ? [] : [[name, read(kind, value)] as const];
  });
  return Object.fromEntries(values) as Arguments<P>;
}

function fromJson(kind: Kind, value: unknown): unknown {
  switch (kind) {
    case "integer":
      if (typeof value !== "string") {
        const found = JSON.stringify(value);
        throw new Error(
          `invalid 64-bit integer encoding ${JSON.stringify(found)}, expected string`,
        );
      }
      return integerOf(value);
    case "flag":
      return typed(value, "boolean", "bool");
    case "text":
      return typed(value, "string", "string");
    case "bytes":
      return base64Of(typed(value, "string", "[]uint8"));
    case "hex":
      if (typeof value !== "string")
        throw new Error(`invalid hex string: ${JSON.stringify(value)}`);
      return fromHex(value);
  }
}

function fromUri(kind: Kind, text: string): unknown {
  const isHex = /^0x/i.test(text);
  if (isHex && kind !== "text" && kind !== "bytes" && kind !== "hex") {
    const expected = kind === "flag" ? "bool" : "int64";
    throw new Error(`got a hex string arg, but expected '${expected}'`);
  }
  if (isHex) {
    const bytes = fromHex(text.slice(2));
    return kind === "text" ? fromUtf8(bytes) : bytes;
  }
  if (kind === "integer" && /^-?\d+$/.test(text)) return integerOf(text);
  const value = jsonOf(text);
  // Quoted text means its own bytes here.
  if (typeof value === "string" && (kind === "bytes" || kind === "hex")) return utf8(value);
  return fromJson(kind, value);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`invalid character '${[...text][0]}' looking for beginning of value`);
  }
}

const LEAST = -(2n ** 63n);
const GREATEST = 2n ** 63n - 1n;

function integerOf(text: string): bigint {
  if (!/^-?\d+$/.test(text)) {
    const found = [...text][0];
    throw new Error(
      found === undefined
        ? "unexpected end of JSON input"
        : `invalid character '${found}' looking for beginning of value`,
    );
  }
  const value = text.length <= 20 ? BigInt(text) : GREATEST + 1n;
  if (value >= LEAST && value <= GREATEST) return value;
  throw new Error(`json: cannot unmarshal number ${text.slice(0, 40)} into Go value of type int64`);
}

function base64Of(text: string): Uint8Array {
  try {
    return fromBase64(text);
  } catch {
    const wrong = text.search(/[^A-Za-z0-9+/=]/);
    throw new Error(`illegal base64 data at input byte ${wrong < 0 ? text.length : wrong}`);
  }
}

function typed(value: unknown, type: "boolean", go: string): boolean;
function typed(value: unknown, type: "string", go: string): string;
function typed(value: unknown, type: string, go: string): unknown {
  if (typeof value === type) return value;
  throw new Error(`json: cannot unmarshal ${goKind(value)} into Go value of type ${go}`);
}

/** Go's name of a JSON type. */
const goKind = (value: unknown): string => {
  if (Array.isArray(value)) return "array";
  return typeof value === "boolean" ? "bool" : typeof value;
};

/** The bytes of a value as Go prints them. */
const goBytes = (value: unknown): string =>
  `[${utf8((JSON.stringify(value) ?? "null").slice(0, 200)).join(" ")}]`;
