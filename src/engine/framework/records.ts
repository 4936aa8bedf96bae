/**
 * Encodes and decodes messages without reflection, by generated functions, for the usual contents
 * of records and transactions. Anything else is left to protobuf-es. Loaded separately from the
 * engine, which starts without it.
 */
import type { DescMessage, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import { EMPTY } from "../../base/bytes.ts";
import { uvarintSize, writeUvarint } from "../../base/varint.ts";
import { RECORDS, type RecordReader, type RecordWriter } from "../../gen/records.ts";

/** Encodes a message or its fields; undefined if it is unusual. */
export function encodePlainly<D extends DescMessage>(
  schema: D,
  message: MessageInitShape<D>,
): Uint8Array | undefined {
  const code = RECORDS[schema.typeName];
  if (code === undefined) return undefined;
  try {
    code.write(writer.begin(), message as never);
    return writer.finish();
  } catch {
    return undefined;
  }
}

/** Decodes a message; undefined if the bytes are unusual. */
export function decodePlainly<D extends DescMessage>(
  schema: D,
  bytes: Uint8Array,
): MessageShape<D> | undefined {
  const code = RECORDS[schema.typeName];
  if (code === undefined) return undefined;
  try {
    return code.read(reader.begin(bytes), bytes.length) as MessageShape<D>;
  } catch {
    return undefined;
  }
}

/**
 * Created once: it only causes the fallback to the library, which reports the actual error, if any.
 */
const UNUSUAL = new Error("not a usual message");

function unusual(): never {
  throw UNUSUAL;
}

const LAST_ASCII = 0x7f;
/** Two varints of 32 bits. */
const LONGEST_HEAD = 10;
const USUAL_SIZE = 1024;
const MAX_CACHED_BYTES = 65_536;
const SAFE = BigInt(Number.MAX_SAFE_INTEGER);

/** Writes into one growing buffer. */
class Writer implements RecordWriter {
  #bytes = new Uint8Array(USUAL_SIZE);
  #at = 0;

  begin(): this {
    this.#at = 0;
    if (this.#bytes.length > MAX_CACHED_BYTES) this.#bytes = new Uint8Array(USUAL_SIZE);
    return this;
  }

  finish(): Uint8Array {
    return this.#bytes.slice(0, this.#at);
  }

  known(message: { readonly $unknown?: unknown }): void {
    if (typeof message !== "object" || message.$unknown !== undefined) unusual();
  }

  string(tag: number, value: string): void {
    const { length } = value;
    this.#head(tag, length, length);
    const bytes = this.#bytes;
    const at = this.#at;
    for (let i = 0; i < length; i++) {
      const code = value.charCodeAt(i);
      if (code > LAST_ASCII) unusual();
      bytes[at + i] = code;
    }
    this.#at = at + length;
  }

  bytes(tag: number, value: Uint8Array): void {
    if (!(value instanceof Uint8Array)) unusual();
    this.#head(tag, value.length, value.length);
    this.#bytes.set(value, this.#at);
    this.#at += value.length;
  }

  bool(tag: number, value: boolean): void {
    if (value !== true) unusual();
    this.#head(tag, 1);
  }

  int32(tag: number, value: number): void {
    if ((value | 0) !== value || value < 0) unusual();
    this.#head(tag, value);
  }

  uint32(tag: number, value: number): void {
    if (value >>> 0 !== value) unusual();
    this.#head(tag, value);
  }

  int64(tag: number, value: bigint): void {
    if (BigInt.asIntN(64, value) !== value) unusual();
    this.#long(tag, BigInt.asUintN(64, value));
  }

  uint64(tag: number, value: bigint): void {
    if (BigInt.asUintN(64, value) !== value) unusual();
    this.#long(tag, value);
  }

  open(tag: number): number {
    this.#head(tag, 0);
    return this.#at;
  }

  close(begin: number): void {
    const length = this.#at - begin;
    // One byte was reserved for it.
    const more = uvarintSize(length) - 1;
    if (more > 0) {
      this.#reserve(more);
      this.#bytes.copyWithin(begin + more, begin, this.#at);
      this.#at += more;
    }
    writeUvarint(this.#bytes, begin - 1, length);
  }

  unusual(): never {
    unusual();
  }

  /** Writes a tag and a number, and reserves room for what follows. */
  #head(tag: number, value: number, room = 0): void {
    this.#reserve(LONGEST_HEAD + room);
    this.#at = writeUvarint(this.#bytes, writeUvarint(this.#bytes, this.#at, tag), value);
  }

  #long(tag: number, value: bigint): void {
    this.#reserve(2 * LONGEST_HEAD);
    let at = writeUvarint(this.#bytes, this.#at, tag);
    let rest = value;
    for (; rest > SAFE; rest >>= 7n) this.#bytes[at++] = Number(rest & 0x7fn) | 0x80;
    this.#at = writeUvarint(this.#bytes, at, Number(rest));
  }

  #reserve(room: number): void {
    const needed = this.#at + room;
    if (needed <= this.#bytes.length) return;
    const larger = new Uint8Array(2 * needed);
    larger.set(this.#bytes.subarray(0, this.#at));
    this.#bytes = larger;
  }
}

/** Number of varint bytes up to which values are safe integers. */
const SAFE_VARINT = 7;

class Reader implements RecordReader {
  #bytes: Uint8Array = EMPTY;
  at = 0;

  begin(bytes: Uint8Array): this {
    this.#bytes = bytes;
    this.at = 0;
    return this;
  }

  tag(): number {
    return this.uint32();
  }

  end(): number {
    return this.uint32() + this.at;
  }

  ended(end: number): void {
    if (this.at !== end) unusual();
  }

  /** Reads an ASCII string. Any other string is unusual, since it may be invalid UTF-8. */
  string(): string {
    const end = this.end();
    const bytes = this.#bytes;
    if (end > bytes.length) unusual();
    let text = "";
    let at = this.at;
    for (; at + 8 <= end; at += 8) {
      const a = bytes[at] as number;
      const b = bytes[at + 1] as number;
      const c = bytes[at + 2] as number;
      const d = bytes[at + 3] as number;
      const e = bytes[at + 4] as number;
      const f = bytes[at + 5] as number;
      const g = bytes[at + 6] as number;
      const h = bytes[at + 7] as number;
      if ((a | b | c | d | e | f | g | h) > LAST_ASCII) unusual();
      text += String.fromCharCode(a, b, c, d, e, f, g, h);
    }
    for (; at < end; at++) {
      const code = bytes[at] as number;
      if (code > LAST_ASCII) unusual();
      text += String.fromCharCode(code);
    }
    this.at = end;
    return text;
  }

  bytes(): Uint8Array {
    const end = this.end();
    if (end > this.#bytes.length) unusual();
    const value = this.#bytes.slice(this.at, end);
    this.at = end;
    return value;
  }

  bool(): boolean {
    const value = this.uint32();
    if (value > 1) unusual();
    return value === 1;
  }

  int32(): number {
    return this.uint32() | 0;
  }

  /** Reads a varint. More than 32 bits, or the end of the input, is unusual. */
  uint32(): number {
    const bytes = this.#bytes;
    let value = 0;
    for (let shift = 0; shift < 28; shift += 7) {
      const byte = bytes[this.at++] as number;
      value |= (byte & 0x7f) << shift;
      if (byte <= 0x7f) return value;
    }
    const last = bytes[this.at++] as number;
    return last <= 0x0f ? (value | (last << 28)) >>> 0 : unusual();
  }

  int64(): bigint {
    return BigInt.asIntN(64, this.uint64());
  }

  /** Negative numbers take ten bytes. */
  uint64(): bigint {
    const bytes = this.#bytes;
    let value = 0;
    let scale = 1;
    for (let i = 0; i < SAFE_VARINT; i++) {
      const byte = bytes[this.at++] as number;
      value += (byte & 0x7f) * scale;
      if (byte <= 0x7f) return BigInt(value);
      scale *= 0x80;
    }
    let long = BigInt(value);
    for (let shift = 7n * BigInt(SAFE_VARINT); shift < 63n; shift += 7n) {
      const byte = bytes[this.at++] as number;
      long |= BigInt(byte & 0x7f) << shift;
      if (byte <= 0x7f) return long;
    }
    return bytes[this.at++] === 1 ? long | (1n << 63n) : unusual();
  }

  unusual(): never {
    unusual();
  }
}

const writer = new Writer();
const reader = new Reader();
