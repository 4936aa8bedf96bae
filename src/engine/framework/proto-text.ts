import {
  type DescField,
  type DescMessage,
  type MessageShape,
  ScalarType,
} from "@bufbuild/protobuf";
import { type ReflectMessage, reflect } from "@bufbuild/protobuf/reflect";
import { utf8 } from "../../base/bytes.ts";

/**
 * Formats a message as Go's compact proto text, the result of String(), which is quoted in texts:
 * `height:100 time:<seconds:1136214245 > `. Fields are in declaration order, each followed by a
 * space; unset ones are omitted (rules/upgrade 1.3, rules/evidence 1.2).
 */
export function protoText<D extends DescMessage>(schema: D, message: MessageShape<D>): string {
  return messageText(reflect(schema, message));
}

function messageText(message: ReflectMessage): string {
  let text = "";
  for (const field of message.sortedFields) {
    if (!message.isSet(field)) continue;
    if (field.fieldKind === "list") {
      for (const item of message.get(field)) text += fieldText(field, item);
    } else if (field.fieldKind !== "map") text += fieldText(field, message.get(field));
  }
  return text;
}

function fieldText(field: DescField, value: unknown): string {
  if (field.message !== undefined) {
    return `${field.name}:<${messageText(value as ReflectMessage)}> `;
  }
  return `${field.name}:${scalarText(field, value)} `;
}

function scalarText(field: DescField, value: unknown): string {
  if (field.enum !== undefined) {
    return field.enum.value[value as number]?.name ?? String(value);
  }
  if (field.scalar === ScalarType.STRING) return quoted(utf8((value as string).toWellFormed()));
  if (field.scalar === ScalarType.BYTES) return quoted(value as Uint8Array);
  return String(value);
}

const ESCAPES: Readonly<Record<number, string>> = {
  9: "\\t",
  10: "\\n",
  13: "\\r",
  34: '\\"',
  92: "\\\\",
};

function quoted(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) {
    const plain = byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : undefined;
    text += ESCAPES[byte] ?? plain ?? `\\${byte.toString(8).padStart(3, "0")}`;
  }
  return `"${text}"`;
}
