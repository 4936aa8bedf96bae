/**
 * Has a build carry less of protobuf: descriptors as text of one character per byte, only the enums that are
 * used, no reader of defaults that are bytes, which no message here has, and of the descriptor of descriptors
 * what reading a message needs. The generated code has descriptors in base64, which writes a name in another way
 * at another place: gzip finds none again, and makes them twice as large.
 */
import type { Plugin } from "vite";

const DESCRIPTOR = /\bfileDesc\("([\w+/]+)"/g;
const ENUM = /^export var (\w+);\n\(function \(\1\) \{\n([\s\S]*?)\}\)\(\1 \|\| \(\1 = \{\}\)\);/gm;

const BYTES_DEFAULT = /^function unescapeBytesDefaultValue\(str\) \{[\s\S]*$/m;

const BOOTED = /\bboot\((\{.*\})\);$/m;

export function leanProtobuf(): Plugin {
  return {
    name: "chainlab:lean-protobuf",
    apply: "build",
    transform: {
      filter: { id: /(?:_pb\.[jt]s|\/protobuf\/dist\/esm\/wire\/text-format\.js)$/ },
      handler: (code) => ({ code: lean(code), map: null }),
    },
  };
}

/** Code of protobuf with descriptors as bytes, and enums as values of their own that a bundler may leave out. */
export const lean = (code: string): string =>
  code
    // `btoa` gives the runtime the base64 that it reads.
    .replace(
      DESCRIPTOR,
      (_, base64: string) => `fileDesc(/*@__PURE__*/ btoa(${JSON.stringify(atob(base64))})`,
    )
    .replace(
      BOOTED,
      (_, file: string) => `boot(${JSON.stringify(JSON.parse(file, withoutNotes))});`,
    )
    // `false` says that it is none, and is refused as such.
    .replace(BYTES_DEFAULT, "function unescapeBytesDefaultValue() {\n    return false;\n}")
    .replace(ENUM, "export const $1 = /*@__PURE__*/ (function ($1) {\n$2    return $1;\n})({});");

/** Fields of these messages that the runtime reads; the others are mainly for other compilers. */
const READ: Record<string, string[]> = {
  ExtensionRangeOptions: ["features"],
  FileOptions: ["deprecated", "features"],
  EnumValueOptions: ["deprecated", "features"],
  FieldOptions: ["packed", "jstype", "deprecated", "features"],
  UninterpretedOption: [],
  FeatureSet: [
    "field_presence",
    "enum_type",
    "repeated_field_encoding",
    "utf8_validation",
    "message_encoding",
    "json_format",
  ],
  FeatureSetDefaults: [],
  SourceCodeInfo: [],
};

interface Message {
  name: string;
  field?: { name: string; typeName?: string }[] | undefined;
  nestedType?: Message[];
  enumType?: { name: string }[] | undefined;
}

/**
 * Leaves out what descriptors say to compilers alone. A message stays at its place without the fields, since
 * generated code finds messages by their index, and a reader keeps what it has no field for as unknown.
 */
function withoutNotes(key: string, value: unknown): unknown {
  if (key === "messageType")
    return (value as Message[]).filter(({ name }) => name !== "GeneratedCodeInfo").map(asRead);
  return key === "retention" || key === "targets" || key === "editionDefaults" ? undefined : value;
}

function asRead(message: Message): Message {
  const read = READ[message.name];
  const field = message.field?.filter(
    ({ name }) => name !== "uninterpreted_option" && (read?.includes(name) ?? true),
  );
  if (read === undefined) return { ...message, field };
  const used = (type: { name: string }) =>
    field?.some(({ typeName }) => typeName?.endsWith(`.${message.name}.${type.name}`)) ?? false;
  const enumType = message.enumType?.slice(0, 1 + message.enumType.findLastIndex(used));
  return { ...message, field, nestedType: [], enumType };
}
