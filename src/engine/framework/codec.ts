import {
  create,
  type DescMessage,
  fromBinary,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from "@bufbuild/protobuf";
import { type Any, AnySchema, anyIs } from "@bufbuild/protobuf/wkt";
import { errorText } from "../../input/error-text.ts";
import type { Codec } from "../store/kv-store.ts";

/** A store codec for a protobuf message. Decoded values are shared: treat them as immutable. */
export function protoCodec<D extends DescMessage>(schema: D): Codec<MessageShape<D>> {
  return {
    encode: (value) => toBinary(schema, value),
    decode: (bytes) => fromBinary(schema, bytes),
  };
}

/** The type URL of a message: a slash and its full name, without a host. */
export const typeUrl = (schema: DescMessage): string => `/${schema.typeName}`;

/** Packs a message the way transactions and stored evidence carry it (`/chain.…` type URLs). */
export function packAny<D extends DescMessage>(schema: D, value: MessageShape<D>): Any {
  return create(AnySchema, { typeUrl: typeUrl(schema), value: toBinary(schema, value) });
}

/** Packs a message built from its fields. */
export const packInit = <D extends DescMessage>(schema: D, init: MessageInitShape<D>): Any =>
  packAny(schema, create(schema, init));

/** Unpacks an Any of a known type; undefined if it holds something else. Throws on broken bytes. */
export function unpackAny<D extends DescMessage>(
  schema: D,
  any: Any | undefined,
): MessageShape<D> | undefined {
  if (any === undefined || !isTypeUrl(any.typeUrl, schema)) return undefined;
  return fromBinary(schema, any.value);
}

/** Why bytes are no message, as the chain's own software says it of bytes that end too early. */
export const decodeErrorText = (error: unknown): string =>
  error instanceof RangeError ? "unexpected EOF" : errorText(error);

const isTypeUrl = (url: string, schema: DescMessage): boolean =>
  url === typeUrl(schema) ||
  anyIs({ $typeName: "google.protobuf.Any", typeUrl: url, value: NONE }, schema);
const NONE = new Uint8Array();
