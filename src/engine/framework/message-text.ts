/** Renders stored messages in readable form, using the field descriptors. */
import {
  type DescField,
  type DescMessage,
  fromBinary,
  getOption,
  type MessageShape,
} from "@bufbuild/protobuf";
import { type ReflectMessage, reflect } from "@bufbuild/protobuf/reflect";
import {
  type Any,
  AnySchema,
  type Duration,
  DurationSchema,
  type Timestamp,
  TimestampSchema,
} from "@bufbuild/protobuf/wkt";
import { fromUtf8, toHexUpper } from "../../base/bytes.ts";
import { decToText } from "../../base/dec.ts";
import { durationWords } from "../../base/duration-words.ts";
import { formatRfc3339, fromTimestamp } from "../../base/time.ts";
import { scalar } from "../../gen/chain/base/v1beta1/annotations_pb.ts";
import { registry } from "../../gen/registry.ts";
import { inChain } from "./codec.ts";

/**
 * Renders the fields of a message as JSON: enums by name, times in RFC 3339, durations in words,
 * decimals with their point, an Any by its contents, other bytes in hex. Unset message fields are
 * omitted.
 */
export const messageText =
  <D extends DescMessage>(schema: D) =>
  (value: Uint8Array): string =>
    JSON.stringify(textOf(reflect(schema, fromBinary(schema, value) as MessageShape<D>)));

function textOf(message: ReflectMessage): unknown {
  switch (message.desc.typeName) {
    case TimestampSchema.typeName:
      return formatRfc3339(fromTimestamp(message.message as Timestamp));
    case DurationSchema.typeName:
      return durationWords(fromTimestamp(message.message as Duration));
    case AnySchema.typeName:
      return anyText(message.message as Any);
  }
  const set = message.fields.filter(
    (field) => (field.fieldKind !== "message" && field.oneof === undefined) || message.isSet(field),
  );
  return Object.fromEntries(set.map((field) => [field.localName, fieldText(message, field)]));
}

/**
 * Returns the type and contents of an Any; its bytes if the type is unknown or they do not match
 * it.
 */
function anyText({ typeUrl, value }: Any): unknown {
  const desc = registry.getMessage(inChain(typeUrl).slice(typeUrl.lastIndexOf("/") + 1));
  try {
    if (desc) return { type: typeUrl, ...Object(textOf(reflect(desc, fromBinary(desc, value)))) };
  } catch {
    // An Any may contain anything.
  }
  return { type: typeUrl, value: toHexUpper(value) };
}

function fieldText(message: ReflectMessage, field: DescField): unknown {
  const value: unknown = message.get(field);
  if (field.fieldKind === "message") return textOf(value as ReflectMessage);
  if (field.fieldKind !== "list") return singleText(field, value);
  return Array.from(value as Iterable<unknown>, (item) =>
    field.listKind === "message" ? textOf(item as ReflectMessage) : singleText(field, item),
  );
}

function singleText(field: DescField, value: unknown): unknown {
  if (getOption(field, scalar) === "chain.Dec") {
    const digits = value instanceof Uint8Array ? fromUtf8(value) : String(value);
    return /^-?\d+$/.test(digits) ? decToText(BigInt(digits)) : digits;
  }
  if (field.enum) return field.enum.value[value as number]?.name ?? value;
  if (typeof value === "bigint") return `${value}`;
  return value instanceof Uint8Array ? toHexUpper(value) : value;
}
