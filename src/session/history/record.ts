import { fromUtf8, utf8 } from "../../base/bytes.ts";
import { crc32c } from "../../base/crc32c.ts";

/** Kinds of records, by the number in their header. */
export const RECORD = {
  head: 1,
  beginning: 2,
  journal: 3,
  keyframe: 4,
  page: 5,
  file: 6,
  moved: 7,
  trees: 8,
} as const;

export type RecordKind = (typeof RECORD)[keyof typeof RECORD];

/** Why a record cannot be read. */
type Unreadable =
  /** The record does not exist. */
  | "missing"
  /** It belongs to another program, or is of another kind. */
  | "foreign"
  /** Its checksum is wrong, or its content is invalid. */
  | "damaged"
  /** A later version of Chainlab wrote it. */
  | "too_new"
  /** Its end is missing. */
  | "cut";

/** Why a record cannot be used. */
export interface Damage {
  /** A head is outdated if the journal has later or other entries: a later head is lost. */
  readonly kind: Unreadable | "outdated";
  readonly key: string;
  /** The exceeded limit of a valid record's content. */
  readonly beyond?: string;
  /** For a journal segment: the number of the first unusable entry, if known. */
  readonly from?: number;
}

/** The newest format of records that is read, and the one that is written. */
export const FORMAT = 1;

/** "CLAB", to recognize bytes of other programs at once. */
const MAGIC = Uint8Array.of(0x43, 0x4c, 0x41, 0x42);
/**
 * Magic, kind, format, two zero bytes, length of the payload, checksum of the rest: this layout
 * never changes.
 */
export const HEADER = 16;
const CHECKSUM_AT = 12;

/** Wraps a payload in a record with its kind, its length and a checksum over everything. */
export function frameRecord(kind: RecordKind, payload: Uint8Array, format = FORMAT): Uint8Array {
  const record = new Uint8Array(HEADER + payload.length);
  record.set(MAGIC);
  record.set([kind, format], MAGIC.length);
  record.set(payload, HEADER);
  const view = new DataView(record.buffer);
  view.setUint32(8, payload.length);
  view.setUint32(CHECKSUM_AT, checksumOf(record));
  return record;
}

const checksumOf = (record: Uint8Array): number =>
  crc32c(record.subarray(HEADER), crc32c(record.subarray(0, CHECKSUM_AT)));

/** The payload of a record, as a view into it, or why it cannot be used. */
export function readRecord(
  kind: RecordKind,
  key: string,
  record: Uint8Array | undefined,
): { readonly payload: Uint8Array } | { readonly damage: Damage & { readonly kind: Unreadable } } {
  const damage = (kind: Unreadable) => ({ damage: { kind, key } });
  if (record === undefined) return damage("missing");
  if (MAGIC.some((byte, i) => record[i] !== byte)) {
    const isPartial = record.every((byte, i) => byte === MAGIC[i]);
    return damage(isPartial ? "cut" : "foreign");
  }
  if (record.length < HEADER) return damage("cut");
  const view = new DataView(record.buffer, record.byteOffset, record.byteLength);
  const length = view.getUint32(8);
  if (record.length < HEADER + length) return damage("cut");
  if (record.length > HEADER + length || view.getUint32(CHECKSUM_AT) !== checksumOf(record)) {
    return damage("damaged");
  }
  if (record[4] !== kind) return damage("foreign");
  if ((record[5] as number) > FORMAT) return damage("too_new");
  return { payload: record.subarray(HEADER) };
}

/** Returns the bytes after the header of a damaged record, which may be truncated. */
export const remainsOf = (record: Uint8Array): Uint8Array => record.subarray(HEADER);

/** Concatenates records with their keys: the content of a file that holds several. */
export function joinRecords(records: Iterable<readonly [string, Uint8Array]>): Uint8Array {
  const named = Array.from(records, ([key, record]) => ({ name: utf8(key), record }));
  const joined = new Uint8Array(
    named.reduce((sum, { name, record }) => sum + 8 + name.length + record.length, 0),
  );
  const view = new DataView(joined.buffer);
  let at = 0;
  for (const { name, record } of named) {
    view.setUint32(at, name.length);
    view.setUint32(at + 4, record.length);
    joined.set(name, at + 8);
    joined.set(record, at + 8 + name.length);
    at += 8 + name.length + record.length;
  }
  return joined;
}

/** The inverse of `joinRecords`. Throws an Error for any other bytes. */
export function* splitRecords(bytes: Uint8Array): Generator<readonly [string, Uint8Array]> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at < bytes.length; ) {
    if (at + 8 > bytes.length) throw new Error(`it ends in the middle of a record, at byte ${at}`);
    const begin = at + 8 + view.getUint32(at);
    const end = begin + view.getUint32(at + 4);
    if (end > bytes.length) throw new Error(`it ends in the middle of a record, at byte ${at}`);
    yield [fromUtf8(bytes.subarray(at + 8, begin)), bytes.slice(begin, end)];
    at = end;
  }
}
