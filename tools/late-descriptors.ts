/**
 * Replacement for protobuf's `fileDesc` in a build: the names, messages, services and methods of a
 * file are available immediately. The library parses the rest on first access. Most commands access
 * that of few files.
 */
import type { DescFile } from "@bufbuild/protobuf";
import { fileDesc as readFile } from "@bufbuild/protobuf/codegenv2";
import { nestedTypes, safeObjectProperty } from "@bufbuild/protobuf/reflect";

/** The serialized descriptor of a file: each character is a byte. */
export function fileDesc(message: string, imports: readonly DescFile[] = []): DescFile {
  const file = outlineOf(message, imports);
  READ.set(file, () => readFile(btoa(message), imports.map(alone)));
  return file as unknown as DescFile;
}

/** A descriptor by the names of its properties. */
type Desc = Record<string, unknown>;
type Kind = "file" | "message" | "enum" | "extension" | "service" | "rpc";

/** Parses a file with the library, if only its outline is loaded. */
const READ = new WeakMap<Desc, () => DescFile>();

/** Properties that a descriptor has only after its file is parsed, by its kind. */
const LATE: Readonly<Record<Kind, Desc>> = {
  file: late("edition", "deprecated", "proto"),
  message: late("fields", "field", "oneofs", "members", "deprecated", "proto"),
  enum: late("open", "values", "value", "sharedPrefix", "deprecated", "proto"),
  extension: late(
    ...["fieldKind", "listKind", "scalar", "message", "enum", "oneof", "jsonName", "presence"],
    ...["packed", "delimitedEncoding", "utf8Validation", "longAsString", "getDefaultValue"],
    ...["mapKind", "mapKey", "deprecated", "proto"],
  ),
  service: late("deprecated", "proto"),
  rpc: late("idempotency", "deprecated", "proto"),
};

function late(...keys: readonly string[]): Desc {
  const prototype: Desc = { toString: textOf };
  for (const key of keys) {
    Object.defineProperty(prototype, key, {
      configurable: true,
      enumerable: true,
      get(this: Desc) {
        const { kind, file = this, parent } = this;
        settle((kind === "rpc" ? (parent as Desc).file : file) as Desc);
        return this[key];
      },
    });
  }
  return prototype;
}

function textOf(this: Desc): string {
  const { kind, typeName, name, parent } = this;
  if (kind === "file") return `file ${name}.proto`;
  return `${kind} ${typeName ?? `${(parent as Desc).typeName}.${name}`}`;
}

/** Parses a file and completes its descriptors in place, so their identity does not change. */
function settle(file: Desc): void {
  const ours = new Map<unknown, Desc>();
  pair(READ.get(file)?.(), file, ours);
  for (const [read, desc] of ours as Map<Desc, Desc>) {
    for (const part of [read.fields, read.oneofs, read.values].flat() as (Desc | undefined)[]) {
      for (const key of ["parent", "message", "enum"])
        if (part && ours.has(part[key])) part[key] = ours.get(part[key]);
    }
    for (const key of Object.keys(LATE[desc.kind as Kind])) {
      const value = ours.get(read[key]) ?? read[key];
      Object.defineProperty(desc, key, {
        value,
        configurable: true,
        enumerable: true,
        writable: true,
      });
    }
  }
}

/** Maps each parsed descriptor to ours, for a file and all of its declarations. */
function pair(read: unknown, desc: Desc, ours: Map<unknown, Desc>): void {
  ours.set(read, desc);
  for (const key of DECLARED) {
    const found = (read as Record<string, Desc[]>)[key];
    const own = (desc[key] ?? []) as Desc[];
    for (const [i, inner] of own.entries()) pair(found?.[i], inner, ours);
  }
}
const DECLARED = [
  ...["messages", "enums", "services", "extensions", "methods"],
  ...["nestedMessages", "nestedEnums", "nestedExtensions"],
];

/** The part of a file that importing files need: the types of fields. */
const alone = ({ name, messages, enums }: DescFile): DescFile =>
  ({
    ...{ kind: "file", proto: { name: `${name}.proto` }, messages, enums },
    ...{ dependencies: [], services: [], extensions: [] },
  }) as unknown as DescFile;

/** Scope of a declaration. */
interface Place {
  readonly file: Desc;
  readonly parent: Desc | undefined;
  /** Prefix of its name in the name of its type. */
  readonly within: string;
}

/** A file and its declarations, without the rest. */
function outlineOf(message: string, dependencies: readonly DescFile[]): Desc {
  const messages: Desc[] = [];
  const enums: Desc[] = [];
  const services: Desc[] = [];
  const extensions: Desc[] = [];
  const name = textIn(message, 1).replace(/\.proto$/, "");
  const declared = { dependencies, messages, enums, services, extensions };
  const file = descOf("file", { name, ...declared });
  const place = { file, parent: undefined, within: before(textIn(message, 2)) };
  for (const { number, text } of fieldsOf(message)) {
    if (number === 4) messages.push(...messageOf(text, place));
    if (number === 5) enums.push(typeOf("enum", text, place));
    if (number === 6) services.push(serviceOf(text, place));
    if (number === 7) extensions.push(extensionOf(text, place));
  }
  return file;
}

/** Empty for the entry message of a map, which belongs to a field. */
function messageOf(message: string, place: Place): readonly Desc[] {
  const nestedMessages: Desc[] = [];
  const nestedEnums: Desc[] = [];
  const nestedExtensions: Desc[] = [];
  const nested = { nestedMessages, nestedEnums, nestedExtensions };
  const parent = typeOf("message", message, place, nested);
  const inner = { file: place.file, parent, within: before(String(parent.typeName)) };
  for (const { number, text } of fieldsOf(message)) {
    if (number === 3) nestedMessages.push(...messageOf(text, inner));
    if (number === 4) nestedEnums.push(typeOf("enum", text, inner));
    if (number === 6) nestedExtensions.push(extensionOf(text, inner));
    if (number === 7 && numberIn(text, 7) === 1) return [];
  }
  return [parent];
}

function serviceOf(service: string, { file, within }: Place): Desc {
  const methods: Desc[] = [];
  const name = textIn(service, 1);
  const parent = descOf("service", { file, name, typeName: within + name, methods });
  for (const { number, text } of fieldsOf(service)) {
    if (number === 2) methods.push(methodOf(text, parent));
  }
  parent.method = Object.fromEntries(methods.map((method) => [method.localName, method]));
  return parent;
}

function methodOf(method: string, parent: Desc): Desc {
  const name = textIn(method, 1);
  const streams = 2 * numberIn(method, 5) + numberIn(method, 6);
  return descOf("rpc", {
    parent,
    name,
    localName: safeObjectProperty(name.slice(0, 1).toLowerCase() + name.slice(1)),
    methodKind: ["unary", "server_streaming", "client_streaming", "bidi_streaming"][streams],
    input: typeNamed(textIn(method, 2), parent.file as Desc),
    output: typeNamed(textIn(method, 3), parent.file as Desc),
  });
}

const extensionOf = (extension: string, place: Place): Desc =>
  typeOf("extension", extension, place, {
    number: numberIn(extension, 3),
    extendee: typeNamed(textIn(extension, 2), place.file),
  });

function typeOf(kind: Kind, proto: string, { file, parent, within }: Place, more: Desc = {}): Desc {
  const name = textIn(proto, 1);
  return descOf(kind, { file, parent, name, typeName: within + name, ...more });
}

const before = (name: string): string => (name === "" ? "" : `${name}.`);

/** Resolves a type name, which starts with a dot, in a file and the files that it imports. */
function typeNamed(name: string, file: Desc): unknown {
  for (const one of [file, ...(file.dependencies as DescFile[])]) {
    const found = typesOf(one as unknown as DescFile).get(name.slice(1));
    if (found) return found;
  }
  throw new Error(`${file.name}.proto imports nothing that declares ${name}`);
}

const TYPES = new WeakMap<DescFile, ReadonlyMap<string, unknown>>();

function typesOf(file: DescFile): ReadonlyMap<string, unknown> {
  const known = TYPES.get(file);
  if (known) return known;
  const types = new Map(Array.from(nestedTypes(file), (type) => [type.typeName, type]));
  TYPES.set(file, types);
  return types;
}

function descOf(kind: Kind, known: Desc): Desc {
  const desc: Desc = Object.assign(Object.create(LATE[kind]), { kind, ...known });
  // The library copies these three by their own properties, so they get all of them.
  if (kind === "extension" || kind === "service" || kind === "rpc")
    Object.defineProperties(desc, Object.getOwnPropertyDescriptors(LATE[kind]));
  return desc;
}

const textIn = (message: string, number: number): string =>
  fieldsOf(message, number)[0]?.text ?? "";

const numberIn = (message: string, number: number): number =>
  fieldsOf(message, number)[0]?.value ?? 0;

/** A field of a message: a number, or a text or message. */
interface Field {
  readonly number: number;
  readonly value: number;
  readonly text: string;
}

/** The fields of a message in wire order, or the first with a number. */
function fieldsOf(message: string, only?: number): readonly Field[] {
  const fields: Field[] = [];
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let scale = 1; ; scale *= 0x80) {
      const byte = message.charCodeAt(at++);
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
  };
  while (at < message.length) {
    const tag = varint();
    const value = varint();
    const isLong = (tag & 7) === 2;
    const end = isLong ? at + value : at;
    const field = { number: tag >>> 3, value, text: message.slice(at, end) };
    at = end;
    if (only === undefined || field.number === only) fields.push(field);
    if (field.number === only) break;
  }
  return fields;
}
