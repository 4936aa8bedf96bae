import {
  create,
  type DescMessage,
  fromBinary,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from "@bufbuild/protobuf";
import { type Any, AnySchema, anyIs } from "@bufbuild/protobuf/wkt";
import { errorText } from "../../base/error-text.ts";
import type { Codec } from "../store/kv-store.ts";

let encodePlainly: typeof import("./records.ts").encodePlainly = () => undefined;
let decodePlainly: typeof import("./records.ts").decodePlainly = () => undefined;

/**
 * Once it resolves, records and transactions are encoded and decoded without reflection, except
 * unusual ones. Bytes, values and errors are the same, so the timing does not matter.
 */
export async function accelerateRecords(): Promise<void> {
  ({ encodePlainly, decodePlainly } = await import("./records.ts"));
}

/** Encodes a message or its fields. */
export const encodeMessage = <D extends DescMessage>(
  schema: D,
  message: MessageInitShape<D>,
): Uint8Array => encodePlainly(schema, message) ?? toBinary(schema, create(schema, message));

/** Decodes a message. Throws on invalid bytes. */
export const decodeMessage = <D extends DescMessage>(
  schema: D,
  bytes: Uint8Array,
): MessageShape<D> => decodePlainly(schema, bytes) ?? fromBinary(schema, bytes);

/** A store codec for a protobuf message. Decoded values are shared: treat them as immutable. */
export function protoCodec<D extends DescMessage>(schema: D): Codec<MessageShape<D>> {
  return {
    encode: (value) => encodeMessage(schema, value as MessageInitShape<D>),
    decode: (bytes) => decodeMessage(schema, bytes),
  };
}

/** Type URL of a message: a slash and its full name, without a host. */
export const typeUrl = (schema: DescMessage): string => `/${schema.typeName}`;

/**
 * Converts a name, path or type URL from the chain's root to upstream's root `cosmos`
 * (rules/clients 1.1).
 */
export const inCosmos = (name: string): string => name.replace(/^(\/?)chain([./])/, "$1cosmos$2");

/** Converts it back to the chain's root. */
export const inChain = (name: string): string => name.replace(/^(\/?)cosmos([./])/, "$1chain$2");

/** Converts a type URL of the chain to the root of another one. */
export const underRootOf = (other: string, url: string): string =>
  other.startsWith("/cosmos.") ? inCosmos(url) : url;

/** Packs a message as in transactions and stored evidence (`/chain.…` type URLs). */
export const packAny = <D extends DescMessage>(schema: D, value: MessageShape<D>): Any =>
  packInit(schema, value as MessageInitShape<D>);

/** Packs a message built from its fields. */
export const packInit = <D extends DescMessage>(schema: D, init: MessageInitShape<D>): Any => ({
  $typeName: AnySchema.typeName,
  typeUrl: typeUrl(schema),
  value: encodeMessage(schema, init),
});

/**
 * Unpacks an Any of a known type, under either root; undefined for any other type. Throws on
 * invalid bytes.
 */
export function unpackAny<D extends DescMessage>(
  schema: D,
  any: Any | undefined,
): MessageShape<D> | undefined {
  if (any === undefined || !isTypeUrl(any.typeUrl, schema)) return undefined;
  return decodeMessage(schema, any.value);
}

/** Text of a decoding error, in the words that the chain's software uses for truncated bytes. */
export const decodeErrorText = (error: unknown): string =>
  error instanceof RangeError ? "unexpected EOF" : errorText(error);

const isTypeUrl = (url: string, schema: DescMessage): boolean =>
  url === typeUrl(schema) ||
  inChain(url) === typeUrl(schema) ||
  anyIs({ $typeName: "google.protobuf.Any", typeUrl: url, value: NONE }, schema);
const NONE = new Uint8Array();
