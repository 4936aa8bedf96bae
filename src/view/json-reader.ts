/** Reads JSON into messages by their descriptors, and reports every invalid field. */
import {
  create,
  createRegistry,
  type DescField,
  type DescMessage,
  getOption,
  type Message,
  ScalarType,
  toBinary,
} from "@bufbuild/protobuf";
import { AnySchema, DurationSchema, TimestampSchema } from "@bufbuild/protobuf/wkt";
import { utf8 } from "../base/bytes.ts";
import { decFromString } from "../base/dec.ts";
import { parseDuration } from "../base/duration.ts";
import { INPUT } from "../base/limits.ts";
import { parseRfc3339 } from "../base/time.ts";
import { EVIDENCE_TYPES } from "../engine/app/chain-config.ts";
import { inChain, underRootOf } from "../engine/framework/codec.ts";
import { durationMessage, timestamp } from "../engine/framework/time-messages.ts";
import { scalar, signer } from "../gen/chain/base/v1beta1/annotations_pb.ts";
import { registry as chainTypes } from "../gen/registry.ts";
import { fromBase64 } from "./base64.ts";
import { type IntegerType, integerType, parseInteger } from "./integers.ts";

export interface JsonProblem {
  readonly path: readonly (string | number)[];
  /** The expected value, for the error message. */
  readonly message: string;
}

/**
 * Maximum characters of a time, a duration or a decimal: more than any needs, and cheap to parse.
 */
const MAX_SHOWN = 200;

function short(source: string): string {
  if (source.length > MAX_SHOWN) throw new RangeError("too long");
  return source;
}

interface Reading {
  readonly problems: JsonProblem[];
  /** Placeholder of a value not known yet: accepted everywhere and read as the zero value. */
  readonly isReference?: (text: string) => boolean;
}

type Path = readonly (string | number)[];

/** Reads a message; problems are recorded and their fields left out. */
export function readMessage(
  desc: DescMessage,
  json: unknown,
  path: Path,
  reading: Reading,
): Message {
  if (desc.typeName === AnySchema.typeName) return readAny(json, path, reading);
  if (desc.typeName === TimestampSchema.typeName || desc.typeName === DurationSchema.typeName) {
    return readMoment(desc, json, path, reading);
  }
  const { fields, zero } = formOf(desc);
  const message = zero();
  if (typeof json === "string" && reading.isReference?.(json)) return message;
  if (!isObject(json)) {
    refuse(reading, path, `expected a map of ${desc.name}'s fields, found ${describe(json)}`);
    return message;
  }
  const keys = Object.keys(json);
  if (keys.length > INPUT.messageKeys) {
    const expected = `a map of ${desc.name}'s fields, at most ${INPUT.messageKeys} keys`;
    refuse(reading, path, `expected ${expected}, found ${keys.length}`);
    return message;
  }
  const seen = new Set<DescField>();
  for (const key of keys) {
    const field = fields.get(key);
    if (!field) refuse(reading, [...path, key], unknownField(desc, key));
    // protobuf's JSON takes a field once, by either of its names.
    else if (seen.has(field)) refuse(reading, [...path, key], `${field.name} is given twice`);
    else readField(message, field, json[key], [...path, key], reading);
    if (field) seen.add(field);
  }
  return message;
}

/** Fields of a message by both of their names, and its constructor. */
interface Form {
  readonly fields: ReadonlyMap<string, DescField>;
  readonly zero: () => Fields;
}

/** A message whose fields are set by their names: ten times as fast as protobuf-es's reflection. */
type Fields = Message & Record<string, unknown>;

const forms = new Map<DescMessage, Form>();

function formOf(desc: DescMessage): Form {
  const known = forms.get(desc);
  if (known) return known;
  const fields = new Map(
    desc.fields.flatMap((field) => [
      [field.jsonName, field] as const,
      [field.name, field] as const,
    ]),
  );
  const empty: Fields = create(desc) as Fields;
  const fresh = desc.members.flatMap((member) =>
    member.kind === "oneof" || member.fieldKind === "list" ? [member] : [],
  );
  const zero = (): Fields => {
    const message = { ...empty };
    for (const { kind, localName } of fresh) {
      message[localName] = kind === "oneof" ? { case: undefined } : [];
    }
    return message;
  };
  const form = { fields, zero };
  forms.set(desc, form);
  return form;
}

function set(message: Fields, { oneof, localName }: DescField, value: unknown): void {
  if (oneof) message[oneof.localName] = { case: localName, value };
  else message[localName] = value;
}

function readAny(json: unknown, path: Path, reading: Reading): Message {
  const nothing = create(AnySchema);
  if (!isObject(json) || typeof json["@type"] !== "string") {
    refuse(reading, path, `expected a map with "@type", found ${describe(json)}`);
    return nothing;
  }
  const { "@type": type, ...content } = json;
  const desc = messageOf(type);
  if (!desc) {
    refuse(
      reading,
      [...path, "@type"],
      `unknown type ${describe(type)}; the types are ${typesLike(type)}`,
    );
    return nothing;
  }
  const message = readMessage(desc, content, path, reading);
  // A check alone needs no value.
  const value = reading.isReference ? new Uint8Array() : toBinary(desc, message);
  // Under its original root: signatures cover it.
  return create(AnySchema, { typeUrl: underRootOf(type, `/${desc.typeName}`), value });
}

/** Every type of the chain, and the evidence types that are registered in code. */
const registry = createRegistry(chainTypes, ...EVIDENCE_TYPES.map(({ type }) => type.schema));

/**
 * The message behind a type URL of either root, with or without a host before its slash; undefined
 * if unknown.
 */
export const messageOf = (typeUrl: string): DescMessage | undefined =>
  registry.getMessage(inChain(typeUrl.slice(typeUrl.lastIndexOf("/") + 1)));

let listed: readonly string[] | undefined;

/** Message and evidence types, listed under the same root in the problem of an unknown type URL. */
function typesLike(requested: string): string {
  listed ??= [...registry]
    .flatMap((desc) => {
      if (desc.kind !== "message") return [];
      const isEvidence =
        desc.file.name === "chain/evidence/v1beta1/evidence" ||
        EVIDENCE_TYPES.some(({ type }) => type.schema.typeName === desc.typeName);
      return isEvidence || getOption(desc, signer) !== "" ? [`/${desc.typeName}`] : [];
    })
    .sort();
  return listed.map((url) => underRootOf(requested, url)).join(", ");
}

const unknownField = (desc: DescMessage, key: string): string =>
  desc.fields.length === 0
    ? `unknown key ${describe(key)}; ${desc.name} has no fields`
    : `unknown key ${describe(key)}; ${desc.name} has ${desc.fields.map((f) => f.name).join(", ")}`;

function readMoment(desc: DescMessage, json: unknown, path: Path, reading: Reading): Message {
  const isTime = desc.typeName === TimestampSchema.typeName;
  const expected = isTime
    ? "expected a time such as 2026-01-01T00:00:00Z, in the years 1 to 9999"
    : "expected a duration such as 600s";
  if (typeof json !== "string") {
    refuse(reading, path, `${expected}, found ${describe(json)}`);
  } else if (!reading.isReference?.(json)) {
    try {
      const source = short(json);
      return isTime ? timestamp(parseRfc3339(source)) : durationMessage(parseDuration(source));
    } catch {
      refuse(reading, path, `${expected}, found ${describe(json)}`);
    }
  }
  return create(desc);
}

function readField(
  message: Fields,
  field: DescField,
  json: unknown,
  path: Path,
  reading: Reading,
): void {
  if (json === null) return;
  if (field.fieldKind === "message") {
    set(message, field, readMessage(field.message, json, path, reading));
  } else if (field.fieldKind === "list") {
    if (!Array.isArray(json)) {
      refuse(reading, path, `expected a list, found ${describe(json)}`);
      return;
    }
    if (json.length > INPUT.list) {
      refuse(reading, path, `expected a list of at most ${INPUT.list}, found ${json.length}`);
      return;
    }
    const list: unknown[] = [];
    json.forEach((item, index) => {
      const value =
        field.listKind === "message"
          ? readMessage(field.message, item, [...path, index], reading)
          : readSingle(field, item, [...path, index], reading);
      if (value !== undefined) list.push(value);
    });
    set(message, field, list);
  } else {
    const value = readSingle(field, json, path, reading);
    if (value !== undefined) set(message, field, value);
  }
}

/** A scalar or enum value; undefined if it is invalid (a problem is added) or not known yet. */
function readSingle(field: DescField, json: unknown, path: Path, reading: Reading): unknown {
  if (typeof json === "string" && reading.isReference?.(json)) return undefined;
  const { expected, read } = readerOf(field);
  const value = read(json);
  if (value === undefined) refuse(reading, path, `expected ${expected}, found ${describe(json)}`);
  return value;
}

interface Reader {
  readonly expected: string;
  /** Undefined if the JSON is invalid. */
  read(json: unknown): unknown;
}

const readers = new Map<DescField, Reader>();

function readerOf(field: DescField): Reader {
  const known = readers.get(field);
  if (known) return known;
  const made = makeReader(field);
  readers.set(field, made);
  return made;
}

function makeReader(field: DescField): Reader {
  if (getOption(field, scalar) === "chain.Dec") return decReader(field.scalar === ScalarType.BYTES);
  if (field.enum) {
    const { values } = field.enum;
    return {
      expected: `one of ${values.map((value) => value.name).join(", ")}`,
      read: (json) => values.find(({ name, number }) => json === name || json === number)?.number,
    };
  }
  const integer = integerType(field.scalar);
  if (integer !== undefined) return integerReader(integer);
  switch (field.scalar) {
    case ScalarType.STRING:
      return text;
    case ScalarType.BOOL:
      return {
        expected: "true or false",
        read: (json) => (typeof json === "boolean" ? json : undefined),
      };
    case ScalarType.BYTES:
      return { expected: "bytes in base64", read: (json) => attempt(json, fromBase64) };
    default:
      throw new Error(
        `${field.parent.typeName}.${field.name}: a kind of field the chain does not use`,
      );
  }
}

const text: Reader = {
  expected: "text",
  // Half a surrogate pair has no UTF-8 encoding.
  read: (json) => (typeof json === "string" && json.isWellFormed() ? json : undefined),
};

const decReader = (asBytes: boolean): Reader => ({
  expected: 'a decimal such as "0.05"',
  read: (json) =>
    attempt(json, (source) => {
      const digits = decFromString(short(source)).toString();
      return asBytes ? utf8(digits) : digits;
    }),
});

const integerReader = (type: IntegerType): Reader => ({
  expected: type.name,
  read(json) {
    const source = typeof json === "number" ? String(json) : json;
    return typeof source === "string" ? parseInteger(type, source) : undefined;
  },
});

function attempt<T>(json: unknown, read: (text: string) => T): T | undefined {
  if (typeof json !== "string") return undefined;
  try {
    return read(json);
  } catch {
    return undefined;
  }
}

const isObject = (json: unknown): json is Record<string, unknown> =>
  typeof json === "object" && json !== null && !Array.isArray(json);

/** A short description of the value found instead. */
export function describe(json: unknown): string {
  if (json === undefined) return "nothing";
  if (Array.isArray(json)) return "a list";
  if (isObject(json)) return "a map";
  // JSON has no NaN or infinity.
  const source = typeof json === "number" ? String(json) : (JSON.stringify(json) ?? String(json));
  return source.length > 60 ? `${source.slice(0, 57)}…` : source;
}

/** Replaces each problem beyond the listed ones, to save memory. */
const OTHER: JsonProblem = { path: [], message: "there are other problems" };

function refuse({ problems }: Reading, path: Path, message: string): void {
  problems.push(problems.length < INPUT.problems ? { path, message } : OTHER);
}
