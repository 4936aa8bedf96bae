/**
 * Writes plain functions that encode and decode the messages of the chain: what its stores keep and its
 * transactions carry. They know what such a message usually holds and leave everything else to protobuf-es, by
 * `unusual`; a message with a field that they do not know at all gets none.
 */
import { type DescField, type DescFile, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import { Int64ValueSchema, StringValueSchema } from "@bufbuild/protobuf/wkt";
import type { GeneratedFile, Printable, Schema } from "@bufbuild/protoplugin";

/** Encoding of a kind of value: method to write and read it, wire type, and zero value. */
interface Kind {
  readonly method: "string" | "bytes" | "bool" | "int32" | "uint32" | "int64" | "uint64";
  readonly wireType: number;
  readonly zero: string;
}

const DELIMITED = 2;

const KINDS: Readonly<Partial<Record<ScalarType, Kind>>> = {
  [ScalarType.STRING]: { method: "string", wireType: DELIMITED, zero: '""' },
  [ScalarType.BYTES]: { method: "bytes", wireType: DELIMITED, zero: "EMPTY" },
  [ScalarType.BOOL]: { method: "bool", wireType: 0, zero: "false" },
  [ScalarType.INT32]: { method: "int32", wireType: 0, zero: "0" },
  [ScalarType.UINT32]: { method: "uint32", wireType: 0, zero: "0" },
  [ScalarType.INT64]: { method: "int64", wireType: 0, zero: "0n" },
  [ScalarType.UINT64]: { method: "uint64", wireType: 0, zero: "0n" },
};

/** Stored as they are, in no message of the chain. */
const STORED_ALONE = [StringValueSchema, Int64ValueSchema];

export function writeRecords(schema: Schema, head: string): void {
  const messages = plainMessages(schema.files);
  const out = schema.generateFile("records.ts");
  out.print(head);
  out.print(RUNTIME);
  for (const message of messages) {
    writeWriter(out, message);
    writeReader(out, message);
  }
  out.print("/** The functions of each message that has them, by its full name. */");
  out.print("export const RECORDS: { readonly [typeName: string]: RecordCode | undefined } = {");
  for (const message of messages) {
    const name = nameOf(message);
    out.print(`  "${message.typeName}": { write: write${name}, read: read${name} },`);
  }
  out.print("};");
}

const RUNTIME = `
import type { Message, MessageInitShape } from "@bufbuild/protobuf";

/** Writes the fields of messages in order. Throws at a value that it cannot write. */
export interface RecordWriter {
  /** Throws if a message holds fields that its schema does not know. */
  known(message: object): void;
  string(tag: number, value: string): void;
  bytes(tag: number, value: Uint8Array): void;
  bool(tag: number, value: boolean): void;
  int32(tag: number, value: number): void;
  uint32(tag: number, value: number): void;
  int64(tag: number, value: bigint): void;
  uint64(tag: number, value: bigint): void;
  /** Begins an embedded message and returns what \`close\` needs to end it. */
  open(tag: number): number;
  close(begin: number): void;
  unusual(): never;
}

/** Reads the fields of messages in order. Throws at bytes that it cannot read. */
export interface RecordReader {
  readonly at: number;
  tag(): number;
  string(): string;
  bytes(): Uint8Array;
  bool(): boolean;
  int32(): number;
  uint32(): number;
  int64(): bigint;
  uint64(): bigint;
  /** Reads a length and returns where what has it ends. */
  end(): number;
  /** Throws unless reading has come to exactly this place. */
  ended(end: number): void;
  unusual(): never;
}

/** Writes and reads one kind of message. */
export interface RecordCode {
  write(w: RecordWriter, m: never): void;
  read(r: RecordReader, end: number): Message;
}

const EMPTY = new Uint8Array(0);
`;

/**
 * The messages of the chain's files, but for those that serve clients alone, each after those that it contains.
 */
function plainMessages(files: readonly DescFile[]): readonly DescMessage[] {
  const known = new Map<DescMessage, boolean>();
  const plain: DescMessage[] = [];
  const isPlain = (message: DescMessage): boolean => {
    const before = known.get(message);
    if (before !== undefined) return before;
    // A recursive message does not qualify.
    known.set(message, false);
    const fits = message.fields.map((field) => isPlainField(field, isPlain)).every(Boolean);
    known.set(message, fits);
    if (fits) plain.push(message);
    return fits;
  };
  for (const file of files.filter(isOfTheChain))
    for (const message of file.messages) isPlain(message);
  for (const message of STORED_ALONE) isPlain(message);
  return plain;
}

const isOfTheChain = ({ proto, services }: DescFile): boolean =>
  /^chain\.(?!auth|base\.(abci|query|tendermint)|crypto\.multisig)/.test(proto.package) &&
  services.every(({ name }) => name === "Msg");

function isPlainField(field: DescField, isPlain: (message: DescMessage) => boolean): boolean {
  if (field.oneof !== undefined || field.fieldKind === "map") return false;
  if (field.message !== undefined) {
    const { typeName } = field.message;
    // Wrappers and structs are held in another form than theirs.
    const own = typeName === "google.protobuf.Struct" || typeName.endsWith("Value");
    return (
      !field.delimitedEncoding && !(own && typeName.startsWith("google.")) && isPlain(field.message)
    );
  }
  const implicit = field.fieldKind === "list" || field.presence === IMPLICIT;
  return implicit && kindOf(field) !== undefined && (field.enum?.open ?? true);
}

/** Of google.protobuf.FeatureSet.FieldPresence: whether a field is set shows only in its value. */
const IMPLICIT = 2;

const kindOf = (field: DescField): Kind | undefined =>
  KINDS[field.enum ? ScalarType.INT32 : (field.scalar as ScalarType)];

function nameOf({ file, typeName }: DescMessage): string {
  const name = typeName.slice(file.proto.package.length + 1);
  return [...file.proto.package.split(".").slice(1), ...name.split(".")]
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join("");
}

const tagOf = (field: DescField, wireType: number): number => field.number * 8 + wireType;

const kindFor = (field: DescField): Kind => {
  const kind = kindOf(field);
  if (kind === undefined) throw new Error(`${field.toString()} is of no plain kind`);
  return kind;
};

/** Numbers side by side. No record of the chain holds any, so that only their absence is plain. */
const isPacked = (field: DescField): boolean => field.fieldKind === "list" && field.packed;

function writeWriter(out: GeneratedFile, message: DescMessage): void {
  const schema = out.importSchema(message, true);
  out.print(
    "function write",
    nameOf(message),
    "(w: RecordWriter, m: MessageInitShape<typeof ",
    schema,
    ">): void {",
  );
  out.print("  w.known(m);");
  for (const field of message.fields.toSorted((a, b) => a.number - b.number)) {
    const value = `m.${field.localName}`;
    if (isPacked(field))
      out.print(`  if (${value} !== undefined && ${value}.length !== 0) w.unusual();`);
    else if (field.fieldKind === "list")
      out.print(`  for (const item of ${value} ?? []) `, writing(field, "item"));
    else if (field.message) out.print(`  if (${value} !== undefined) `, writing(field, value));
    else out.print(`  if (${isSet(field, value)}) `, writing(field, value));
  }
  out.print("}");
  out.print();
}

function isSet(field: DescField, value: string): string {
  const { method, zero } = kindFor(field);
  const set = method === "bytes" ? `${value}.length !== 0` : `${value} !== ${zero}`;
  return `${value} !== undefined && ${set}`;
}

function writing(field: DescField, value: string): string {
  if (field.message) {
    const tag = tagOf(field, DELIMITED);
    return `{ const at = w.open(${tag}); write${nameOf(field.message)}(w, ${value}); w.close(at); }`;
  }
  const { method, wireType } = kindFor(field);
  return `w.${method}(${tagOf(field, wireType)}, ${value});`;
}

function writeReader(out: GeneratedFile, message: DescMessage): void {
  const shape = out.importShape(message);
  out.print("function read", nameOf(message), "(r: RecordReader, end: number): ", shape, " {");
  const fields = message.fields.filter((field) => field.fieldKind === "list" || !field.message);
  const zeros = fields.map((field) => `${field.localName}: ${zeroOf(field)}`);
  const members = [`$typeName: "${message.typeName}"`, ...zeros].join(", ");
  out.print("  const m: ", shape, ` = { ${members} };`);
  out.print("  while (r.at < end) {");
  out.print("    switch (r.tag()) {");
  for (const field of message.fields.filter((one) => !isPacked(one)))
    out.print("      ", ...reading(field));
  out.print("      default: r.unusual();");
  out.print("    }");
  out.print("  }");
  out.print("  r.ended(end);");
  out.print("  return m;");
  out.print("}");
  out.print();
}

const zeroOf = (field: DescField): string =>
  field.fieldKind === "list" ? "[]" : kindFor(field).zero;

function reading(field: DescField): Printable[] {
  const value = `m.${field.localName}`;
  const tag = (wireType: number): string => `case ${tagOf(field, wireType)}: `;
  if (field.message) {
    const read = `read${nameOf(field.message)}(r, r.end())`;
    if (field.fieldKind === "list") return [tag(DELIMITED), `${value}.push(${read}); break;`];
    return [tag(DELIMITED), `if (${value} !== undefined) r.unusual(); ${value} = ${read}; break;`];
  }
  const { method, wireType } = kindFor(field);
  if (field.fieldKind === "list") return [tag(wireType), `${value}.push(r.${method}()); break;`];
  return [tag(wireType), `${value} = r.${method}(); break;`];
}
