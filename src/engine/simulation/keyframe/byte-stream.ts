/** Sequential byte writer and reader; the reader checks every length against the bytes left. */
import { EMPTY } from "../../../base/bytes.ts";

const WORD = 8;

/** Buffers of finished writers, reused because keyframes are written often. */
const ROOMS: Uint8Array[] = [];
const MAX_BUFFERS = 3;
const LEAST_ROOM = 1 << 16;
/** Largest buffer that is reused, in bytes; longer output is rare. */
const MOST_ROOM = 1 << 19;

export class ByteWriter {
  #bytes = ROOMS.pop() ?? new Uint8Array(LEAST_ROOM);
  #view = new DataView(this.#bytes.buffer);
  #length = 0;

  /** Returns a copy of the output; nothing can be appended afterwards. */
  finish(): Uint8Array {
    const room = this.#bytes;
    const source = room.slice(0, this.#length);
    this.#bytes = EMPTY;
    if (room.length > 0 && room.length <= MOST_ROOM && ROOMS.length < MAX_BUFFERS) ROOMS.push(room);
    return source;
  }

  #reserve(count: number): number {
    if (this.#bytes === EMPTY) throw new Error("the writer has finished");
    const at = this.#length;
    this.#length = at + count;
    if (this.#length > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(this.#length, 2 * this.#bytes.length));
      grown.set(this.#bytes.subarray(0, at));
      this.#bytes = grown;
      this.#view = new DataView(grown.buffer);
    }
    return at;
  }

  byte(value: number): void {
    const at = this.#reserve(1);
    this.#bytes[at] = value;
  }

  /** Writes an integer from 0 to 2^53 − 1: seven bits per byte, lowest first. */
  count(value: number): void {
    let rest = value;
    while (rest >= 0x80) {
      this.byte((rest % 0x80) | 0x80);
      rest = Math.floor(rest / 0x80);
    }
    this.byte(rest);
  }

  raw(bytes: Uint8Array): void {
    const at = this.#reserve(bytes.length);
    this.#bytes.set(bytes, at);
  }

  /** Writes one byte per character; all must be below 256. */
  latin(text: string): void {
    const at = this.#reserve(text.length);
    for (let i = 0; i < text.length; i++) this.#bytes[at + i] = text.charCodeAt(i);
  }

  float(value: number): void {
    // Reserved first: growing replaces the view.
    const at = this.#reserve(WORD);
    this.#view.setFloat64(at, value);
  }

  int64(value: bigint): void {
    const at = this.#reserve(WORD);
    this.#view.setBigInt64(at, value);
  }
}

/** Reads the output of a ByteWriter. Throws a RangeError if the bytes end too soon. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array) {
    // A plain Uint8Array: `slice` of Node's Buffer, for example, does not copy.
    this.#bytes = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Number of unread bytes. */
  get remaining(): number {
    return this.#bytes.length - this.#at;
  }

  byte(): number {
    const byte = this.#bytes[this.#at];
    if (byte === undefined) throw new RangeError("the bytes end too soon");
    this.#at += 1;
    return byte;
  }

  /** Reads an integer written by the writer's `count`. */
  count(): number {
    let value = 0;
    for (let scale = 1; scale < Number.MAX_SAFE_INTEGER; scale *= 0x80) {
      const byte = this.byte();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
    throw new RangeError("a number is too long");
  }

  /**
   * Reads the number of parts that follow. Throws a RangeError if they do not fit into the
   * remaining bytes, at `least` bytes each.
   */
  parts(least = 1): number {
    const count = this.count();
    if (count * least > this.remaining)
      throw new RangeError(`${count} parts do not fit into the rest`);
    return count;
  }

  /** Fills an array from an offset to its end with the next bytes. */
  fill(target: Uint8Array, from: number): void {
    let at = this.#skip(target.length - from);
    for (let i = from; i < target.length; i++) target[i] = this.#bytes[at++] as number;
  }

  /** Returns a copy of the next bytes. */
  raw(length: number): Uint8Array {
    const from = this.#skip(length);
    return this.#bytes.slice(from, this.#at);
  }

  /** Advances the position and returns the previous one. */
  #skip(length: number): number {
    if (length > this.remaining) throw new RangeError("the bytes end too soon");
    const from = this.#at;
    this.#at += length;
    return from;
  }

  latin(length: number): string {
    let text = "";
    for (let at = this.#skip(length); at < this.#at; at += CHUNK) {
      const upTo = Math.min(this.#at, at + CHUNK);
      text += String.fromCharCode(...this.#bytes.subarray(at, upTo));
    }
    return text;
  }

  float(): number {
    return this.#view.getFloat64(this.#skip(WORD));
  }

  int64(): bigint {
    return this.#view.getBigInt64(this.#skip(WORD));
  }
}

/** Maximum number of characters passed as arguments of one call. */
const CHUNK = 4096;
