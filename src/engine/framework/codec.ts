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

let encodePlainly: typeof import("./records.ts").encodePlainly = () => undefined;
let decodePlainly: typeof import("./records.ts").decodePlainly = () => undefined;

/**
 * Once it resolves, records and transactions are encoded and decoded without reflection, unless
 * something about them is unusual. The bytes, values and errors are the same, so nothing depends on
 * when that happens.
 */
export async function accelerateRecords(): Promise<void> {
  ({ encodePlainly, decodePlainly } = await import("./records.ts"));
}

/** The bytes of a message, which may be given as its fields. */
export const encodeMessage = <D extends DescMessage>(
  schema: D,
  message: MessageInitShape<D>,
): Uint8Array => encodePlainly(schema, message) ?? toBinary(schema, create(schema, message));

/** The message that bytes are. Throws if they are none. */
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

/** The type URL of a message: a slash and its full name, without a host. */
export const typeUrl = (schema: DescMessage): string => `/${schema.typeName}`;

/** A name, path or type URL under upstream's root `cosmos` instead of the chain's (rules/clients 1.1). */
export const inCosmos = (name: string): string => name.replace(/^(\/?)chain([./])/, "$1cosmos$2");

/** The reverse: the chain's own name. */
export const inChain = (name: string): string => name.replace(/^(\/?)cosmos([./])/, "$1chain$2");

/** A type URL of the chain under the root that another one has. */
export const underRootOf = (other: string, url: string): string =>
  other.startsWith("/cosmos.") ? inCosmos(url) : url;

/** Packs a message the way transactions and stored evidence carry it (`/chain.…` type URLs). */
export const packAny = <D extends DescMessage>(schema: D, value: MessageShape<D>): Any =>
  packInit(schema, value as MessageInitShape<D>);

/** Packs a message built from its fields. */
export const packInit = <D extends DescMessage>(schema: D, init: MessageInitShape<D>): Any => ({
  $typeName: AnySchema.typeName,
  typeUrl: typeUrl(schema),
  value: encodeMessage(schema, init),
});

/** Unpacks an Any of a known type, under either root; undefined if it holds something else. Throws on broken bytes. */
export function unpackAny<D extends DescMessage>(
  schema: D,
  any: Any | undefined,
): MessageShape<D> | undefined {
  if (any === undefined || !isTypeUrl(any.typeUrl, schema)) return undefined;
  return decodeMessage(schema, any.value);
}

/** Why bytes are no message, as the chain's own software says it of bytes that end too early. */
export const decodeErrorText = (error: unknown): string =>
  error instanceof RangeError ? "unexpected EOF" : errorText(error);

const isTypeUrl = (url: string, schema: DescMessage): boolean =>
  url === typeUrl(schema) ||
  inChain(url) === typeUrl(schema) ||
  anyIs({ $typeName: "google.protobuf.Any", typeUrl: url, value: NONE }, schema);
const NONE = new Uint8Array();
