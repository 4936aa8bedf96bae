/**
 * Messages in the JSON of the chain's REST interface (rules/evidence 6.4): field names as in the
 * proto files, 64-bit integers as text, defaults written out, unset fields as null except the other
 * fields of a oneof, which are omitted, Any as its content with an "@type" in front, Dec with 18
 * decimals.
 */
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
import { fromUtf8 } from "../base/bytes.ts";
import { decToString } from "../base/dec.ts";
import { formatDuration } from "../base/duration.ts";
import { INPUT } from "../base/limits.ts";
import { formatProtoTime, fromTimestamp, GO_ZERO_TIME } from "../base/time.ts";
import { underRootOf } from "../engine/framework/codec.ts";
import { scalar } from "../gen/chain/base/v1beta1/annotations_pb.ts";
import { EquivocationSchema } from "../gen/chain/evidence/v1beta1/evidence_pb.ts";
import { PlanSchema } from "../gen/chain/upgrade/v1beta1/upgrade_pb.ts";
import { toBase64 } from "./base64.ts";
import { type JsonProblem, messageOf, readMessage } from "./json-reader.ts";

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Thrown when JSON does not match its message; `problems` lists every invalid field. */
export class JsonError extends Error {
  readonly problems: readonly JsonProblem[];

  constructor(problems: readonly JsonProblem[]) {
    const listed = problems.slice(0, INPUT.problems);
    const texts = listed.map(({ path, message }) =>
      path.length === 0 ? message : `${path.join(".")}: ${message}`,
    );
    super(texts.join("; "));
    this.name = "JsonError";
    this.problems = problems;
  }
}

/** Throws a JsonError if the JSON is invalid. */
export function messageFromJson<D extends DescMessage>(schema: D, json: unknown): MessageShape<D> {
  const problems: JsonProblem[] = [];
  const message = readMessage(schema, json, [], { problems });
  if (problems.length > 0) throw new JsonError(problems);
  return message as MessageShape<D>;
}

/**
 * Packs `{"@type": "/chain.…", …}`. Throws a JsonError if the type is unknown or the content is
 * invalid.
 */
export const anyFromJson = (json: unknown): Any => messageFromJson(AnySchema, json);

/**
 * Lists the problems in the JSON of a message; empty if it is valid. Text for which `isReference`
 * is true is a placeholder, and valid for every field.
 */
export function jsonProblems(
  schema: DescMessage,
  json: unknown,
  isReference: (text: string) => boolean,
): readonly JsonProblem[] {
  const problems: JsonProblem[] = [];
  readMessage(schema, json, [], { problems, isReference });
  return problems;
}

/** Lists the problems in `{"@type": "/chain.…", …}`. */
export const checkAnyJson = (
  json: unknown,
  isReference: (text: string) => boolean,
): readonly JsonProblem[] => jsonProblems(AnySchema, json, isReference);

export function messageToJson<D extends DescMessage>(schema: D, message: MessageShape<D>): Json {
  return writeMessage(reflect(schema, message));
}

/**
 * The content of an Any after its "@type"; bytes of an unknown type, or invalid ones, as base64.
 */
export const anyToJson = (any: Any): Json => writeAny(any, false);

/** The same as a person would write it: unset fields are omitted. */
export const anyToSparseJson = (any: Any): Json => writeAny(any, true);

function writeAny(any: Any, sparse: boolean): Json {
  const desc = messageOf(any.typeUrl);
  const message = desc && contentOf(desc, any.value);
  if (message === undefined) return { "@type": any.typeUrl, value: toBase64(any.value) };
  const content = writeMessage(message, sparse) as { [key: string]: Json };
  const url = underRootOf(any.typeUrl, `/${message.desc.typeName}`);
  return { "@type": url, ...content };
}

/** Decodes a message; undefined if the bytes are invalid: a transaction may contain any. */
function contentOf(desc: DescMessage, bytes: Uint8Array): ReflectMessage | undefined {
  try {
    return reflect(desc, fromBinary(desc, bytes));
  } catch {
    return undefined;
  }
}

/** @param sparse omits unset fields */
function writeMessage(message: ReflectMessage, sparse = false): Json {
  switch (message.desc.typeName) {
    case AnySchema.typeName:
      return writeAny(message.message as Any, sparse);
    case TimestampSchema.typeName:
      return formatProtoTime(fromTimestamp(message.message as Timestamp));
    case DurationSchema.typeName:
      return formatDuration(fromTimestamp(message.message as Duration));
  }
  const out: { [key: string]: Json } = {};
  for (const field of message.fields) {
    // Of the fields of a oneof only the set one is written.
    if ((field.oneof || sparse) && !message.isSet(field)) continue;
    out[field.name] = writeField(message, field, sparse);
  }
  return out;
}

/**
 * Messages whose times are not pointers in Go: one missing on the wire is year one there
 * (rules/evidence 1.2).
 */
const TIMED: readonly string[] = [PlanSchema.typeName, EquivocationSchema.typeName];

const unset = ({ message, parent }: DescField): Json =>
  message?.typeName === TimestampSchema.typeName && TIMED.includes(parent.typeName)
    ? formatProtoTime(GO_ZERO_TIME)
    : null;

function writeField(message: ReflectMessage, field: DescField, sparse: boolean): Json {
  switch (field.fieldKind) {
    case "message":
      return message.isSet(field) ? writeMessage(message.get(field), sparse) : unset(field);
    case "list":
      return Array.from(message.get(field), (item) =>
        field.listKind === "message"
          ? writeMessage(item as ReflectMessage, sparse)
          : item instanceof Uint8Array && item.length === 0
            ? // Only a singular field is null without bytes.
              ""
            : writeSingle(field, item),
      );
    case "map":
      throw new Error(`${field.parent.typeName}.${field.name}: the chain's messages have no maps`);
    default:
      return writeSingle(field, message.get(field));
  }
}

const scalars = new WeakMap<DescField, string>();

/** JSON format of a field's value, read from its options once. */
function scalarOf(field: DescField): string {
  const known = scalars.get(field);
  if (known !== undefined) return known;
  const source = getOption(field, scalar);
  scalars.set(field, source);
  return source;
}

function writeSingle(field: DescField, value: unknown): Json {
  const source = scalarOf(field);
  if (source === "lab.Int64") return String(value);
  if (source === "chain.Dec") {
    const digits = value instanceof Uint8Array ? fromUtf8(value) : String(value);
    // A refused message may contain anything.
    return /^(-?\d+)?$/.test(digits) ? decToString(BigInt(digits)) : digits;
  }
  if (field.enum) return field.enum.value[value as number]?.name ?? (value as number);
  if (typeof value === "bigint") return value.toString();
  // Empty bytes mark the set field of a oneof, and an entry of a list.
  if (value instanceof Uint8Array)
    return value.length === 0 && !field.oneof && field.fieldKind !== "list"
      ? null
      : toBase64(value);
  return value as string | number | boolean;
}
