import { utf8 } from "../../base/bytes.ts";
import { type Time, toTimestamp } from "../../base/time.ts";
import { uvarintSize, writeUvarint } from "../../base/varint.ts";
import type { Bitset } from "./bitset.ts";

/**
 * Writes protobuf like CometBFT's generated code: fields in the order of the calls, without zero
 * scalars and empty bytes, embedded messages always. Headers, votes and commits are hashed from
 * these bytes, so they are hand-written instead of using a general encoder; one writer is reused
 * for many messages and allocates nothing while its buffer suffices.
 */
export class ProtoWriter {
  #buffer = new Uint8Array(512);
  #length = 0;

  reset(): this {
    this.#length = 0;
    return this;
  }

  /** The bytes written so far; valid until the next write. */
  view(): Uint8Array {
    return this.#buffer.subarray(0, this.#length);
  }

  /** Buffer of the output so far: its first `length` bytes, until the next write. */
  get buffer(): Uint8Array {
    return this.#buffer;
  }

  get length(): number {
    return this.#length;
  }

  finish(): Uint8Array {
    return this.#buffer.slice(0, this.#length);
  }

  /** An integer field; negative numbers take ten bytes, as in int32 and int64. */
  int(field: number, value: number): this {
    if (value === 0) return this;
    this.#varint(field * 8);
    if (value > 0) this.#varint(value);
    else this.#negative(BigInt(value));
    return this;
  }

  /** Same for values that may exceed JavaScript's safe integers. */
  int64(field: number, value: bigint): this {
    if (value === BigInt(Number(value)) && Number.isSafeInteger(Number(value)))
      return this.int(field, Number(value));
    this.#varint(field * 8);
    this.#negative(value);
    return this;
  }

  /** A non-negative sfixed64 field. */
  fixed64(field: number, value: number): this {
    if (value === 0) return this;
    this.#varint(field * 8 + 1);
    this.#reserve(8);
    let rest = value;
    for (let i = 0; i < 8; i++) {
      this.#buffer[this.#length++] = rest % 256;
      rest = Math.floor(rest / 256);
    }
    return this;
  }

  bytes(field: number, value: Uint8Array): this {
    return value.length === 0 ? this : this.message(field, value);
  }

  string(field: number, value: string): this {
    if (value === "") return this;
    if (!isAscii(value)) return this.message(field, utf8(value));
    this.#head(field, value.length);
    for (let i = 0; i < value.length; i++) this.#buffer[this.#length++] = value.charCodeAt(i);
    return this;
  }

  /** A bytes field with a set, one bit per index; written even when empty. */
  bits(field: number, set: Bitset): this {
    this.#head(field, set.byteLength);
    set.writeBytes(this.#buffer, this.#length);
    this.#length += set.byteLength;
    return this;
  }

  /** An already encoded message; written even when empty. */
  message(field: number, encoded: Uint8Array): this {
    this.#head(field, encoded.length);
    return this.raw(encoded);
  }

  raw(bytes: Uint8Array): this {
    this.#reserve(bytes.length);
    this.#buffer.set(bytes, this.#length);
    this.#length += bytes.length;
    return this;
  }

  /** A google.protobuf.Timestamp without tag and length: 1 seconds, 2 nanos. */
  timestampFields(time: Time): this {
    const { seconds, nanos } = toTimestamp(time);
    return this.int(1, Number(seconds)).int(2, nanos);
  }

  timestamp(field: number, time: Time): this {
    const mark = this.open(field);
    this.timestampFields(time);
    return this.close(mark);
  }

  /** Starts an embedded message; pass the returned mark to `close`. */
  open(field: number): number {
    this.#varint(field * 8 + 2);
    return this.openDelimited();
  }

  /** Starts a message framed only by its length, as in sign bytes and sockets. */
  openDelimited(): number {
    this.#reserve(1);
    return this.#length++;
  }

  close(mark: number): this {
    const size = this.#length - mark - 1;
    const extra = uvarintSize(size) - 1;
    if (extra > 0) {
      this.#reserve(extra);
      this.#buffer.copyWithin(mark + 1 + extra, mark + 1, this.#length);
    }
    this.#length = mark;
    this.#varint(size);
    this.#length += size;
    return this;
  }

  /** Starts a field of `length` bytes, and reserves room for them. */
  #head(field: number, length: number): void {
    this.#varint(field * 8 + 2);
    this.#varint(length);
    this.#reserve(length);
  }

  #varint(value: number): void {
    this.#reserve(10);
    this.#length = writeUvarint(this.#buffer, this.#length, value);
  }

  #negative(value: bigint): void {
    this.#reserve(10);
    let rest = BigInt.asUintN(64, value);
    for (; rest >= 128n; rest >>= 7n) this.#buffer[this.#length++] = Number(rest & 127n) + 128;
    this.#buffer[this.#length++] = Number(rest);
  }

  #reserve(extra: number): void {
    if (this.#length + extra <= this.#buffer.length) return;
    const grown = new Uint8Array(2 * (this.#length + extra));
    grown.set(this.#buffer.subarray(0, this.#length));
    this.#buffer = grown;
  }
}

/** Chain ids are ASCII, so they can be written without a temporary array. */
function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0x7f) return false;
  return true;
}
