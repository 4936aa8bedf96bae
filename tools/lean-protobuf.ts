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

/** Options of files and fields that a reader of messages asks for; the others are for compilers of other languages. */
const READ_OPTIONS: Record<string, string[]> = {
  FileOptions: ["deprecated", "features"],
  FieldOptions: ["packed", "jstype", "deprecated", "features"],
  UninterpretedOption: [],
  FeatureSetDefaults: [],
  SourceCodeInfo: [],
};

interface Message {
  name: string;
  field?: { name: string }[];
}

/**
 * Leaves out what descriptors say to compilers alone. A message stays at its place without the fields, since
 * generated code finds messages by their index, and a reader keeps what it has no field for as unknown.
 */
function withoutNotes(key: string, value: unknown): unknown {
  if (key === "messageType")
    return (value as Message[])
      .filter(({ name }) => name !== "GeneratedCodeInfo")
      .map((message) => ({ ...message, field: message.field?.filter(isRead(message.name)) }));
  return key === "retention" || key === "targets" || key === "editionDefaults" ? undefined : value;
}

const isRead =
  (message: string) =>
  ({ name }: { name: string }): boolean =>
    name !== "uninterpreted_option" && (READ_OPTIONS[message]?.includes(name) ?? true);
