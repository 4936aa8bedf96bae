/**
 * Compact encoding of plain data. A value starts with one number: its kind in the low three bits,
 * its size, index or amount in the others. Texts and the field names of objects are stored once, in
 * a table beside the values.
 */
import { fromUtf8, utf8 } from "./bytes.ts";
import { readUvarint, uvarint, writeUvarint } from "./varint.ts";

const UINT = 0;
const TEXT = 1;
const BYTES = 2;
const LIST = 3;
const OBJECT = 4;
const MAP = 5;
/** A bigint as its low 32 bits and, in zigzag encoding, the rest: exact for all times. */
const BIGINT = 6;
const OTHER = 7;

const OTHERS: readonly unknown[] = [undefined, null, false, true];
const FLOAT = OTHERS.length;
const FLOATS = FLOAT + 1;
const BIGGER = FLOATS + 1;

/** Largest number: the kind takes three bits of a safe integer. */
const GREATEST = 2 ** 50;
const LOW = 0xffffffffn;

/** Precedes each name in the text of an object's fields; no name contains it. */
const FIELD = "\u0000";

/** Appends values to a growing byte array. */
export class PackWriter {
  #bytes = new Uint8Array(256);
  #length = 0;
  #indexes = new Map<string, number>();
  /** The table of texts. */
  readonly texts: string[] = [];

  /** Bytes written so far, without the table. */
  get length(): number {
    return this.#length;
  }

  /** Returns a view of the output, valid until the next write. */
  view(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  copy(): PackWriter {
    const copy = new PackWriter();
    copy.#bytes = this.view().slice();
    copy.#length = this.#length;
    copy.#indexes = new Map(this.#indexes);
    copy.texts.push(...this.texts);
    return copy;
  }

  /** Continues the output of another writer. */
  static resume(bytes: Uint8Array, texts: readonly string[]): PackWriter {
    const writer = new PackWriter();
    writer.#bytes = bytes.slice();
    writer.#length = bytes.length;
    for (const text of texts) writer.#indexOf(text);
    return writer;
  }

  /** Throws TypeError if the value is not plain data. */
  write(value: unknown): void {
    if (typeof value === "number") this.#number(value);
    else if (typeof value === "string") this.#head(TEXT, this.#indexOf(value));
    else if (typeof value === "bigint") this.#bigint(value);
    else if (typeof value === "object" && value !== null) this.#object(value);
    else if (OTHERS.includes(value)) this.#head(OTHER, OTHERS.indexOf(value));
    else throw new TypeError(`cannot pack a ${typeof value}`);
  }

  #number(value: number): void {
    if (value >= 0 && value < GREATEST && Number.isInteger(value) && !Object.is(value, -0)) {
      this.#head(UINT, value);
      return;
    }
    this.#head(OTHER, FLOAT);
    this.#append(new Uint8Array(Float64Array.of(value).buffer));
  }

  #bigint(value: bigint): void {
    const high = value >> 32n;
    const zigzag = Number(high < 0n ? -2n * high - 1n : 2n * high);
    if (zigzag < GREATEST) {
      this.#head(BIGINT, Number(value & LOW));
      this.#uvarint(zigzag);
    } else {
      this.#head(OTHER, BIGGER);
      this.write(`${value}`);
    }
  }

  #object(value: object): void {
    if (value instanceof Uint8Array) {
      this.#head(BYTES, value.length);
      this.#append(value);
    } else if (Array.isArray(value)) {
      this.#head(LIST, value.length);
      for (const item of value) this.write(item);
    } else if (value instanceof Map) {
      this.#head(MAP, value.size);
      for (const [key, item] of value) {
        this.write(key);
        this.write(item);
      }
    } else if (value instanceof Float64Array) {
      this.#head(OTHER, FLOATS);
      const { buffer, byteOffset, byteLength } = value;
      this.write(new Uint8Array(buffer, byteOffset, byteLength));
    } else {
      const prototype = Object.getPrototypeOf(value);
      if (prototype !== Object.prototype && prototype !== null) {
        throw new TypeError(`cannot pack a ${prototype.constructor.name}`);
      }
      const fields = Object.entries(value);
      this.#head(OBJECT, this.#indexOf(fields.map(([name]) => FIELD + name).join("")));
      for (const [, item] of fields) this.write(item);
    }
  }

  /** Index of a text in the table. */
  #indexOf(text: string): number {
    const known = this.#indexes.get(text);
    if (known !== undefined) return known;
    const index = this.texts.push(text) - 1;
    this.#indexes.set(text, index);
    return index;
  }

  #head(kind: number, value: number): void {
    this.#uvarint(value * 8 + kind);
  }

  #uvarint(value: number): void {
    this.#room(8);
    this.#length = writeUvarint(this.#bytes, this.#length, value);
  }

  #append(bytes: Uint8Array): void {
    this.#room(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  #room(size: number): void {
    const needed = this.#length + size;
    if (needed <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(needed, 2 * this.#bytes.length));
    grown.set(this.#bytes);
    this.#bytes = grown;
  }
}

/** Reads values at any offset. */
export class PackReader {
  readonly #bytes: Uint8Array;
  readonly #texts: readonly string[];
  #at = 0;

  constructor(bytes: Uint8Array, texts: readonly string[]) {
    this.#bytes = bytes;
    this.#texts = texts;
  }

  /** Reads the value at an offset. Throws if there is none. */
  readAt(offset: number): unknown {
    this.#at = offset;
    return this.#read();
  }

  #read(): unknown {
    const head = this.#uvarint();
    const kind = head % 8;
    const value = (head - kind) / 8;
    switch (kind) {
      case UINT:
        return value;
      case TEXT:
        return this.#text(value);
      case BYTES:
        return this.#slice(value);
      case LIST:
        return this.#list(value, () => this.#read());
      case OBJECT: {
        const names = this.#text(value).split(FIELD).slice(1);
        return Object.fromEntries(names.map((name) => [name, this.#read()]));
      }
      case MAP:
        return new Map(this.#list(value, (): [unknown, unknown] => [this.#read(), this.#read()]));
      case BIGINT: {
        const zigzag = BigInt(this.#uvarint());
        const high = zigzag % 2n === 0n ? zigzag / 2n : -(zigzag + 1n) / 2n;
        return (high << 32n) + BigInt(value);
      }
      default:
        return this.#other(value);
    }
  }

  #other(which: number): unknown {
    if (which < OTHERS.length) return OTHERS[which];
    if (which === BIGGER) return BigInt(this.#read() as string);
    const bytes = which === FLOAT ? this.#slice(8) : (this.#read() as Uint8Array);
    const floats = new Float64Array(bytes.slice().buffer);
    return which === FLOAT ? floats[0] : floats;
  }

  /** Grows as it reads: an invalid length fails at the end of the bytes. */
  #list<T>(length: number, read: () => T): T[] {
    const list: T[] = [];
    while (list.length < length) list.push(read());
    return list;
  }

  #text(index: number): string {
    const text = this.#texts[index];
    if (text === undefined) throw new RangeError(`no text ${index} in ${this.#texts.length}`);
    return text;
  }

  #slice(length: number): Uint8Array {
    const end = this.#at + length;
    if (end > this.#bytes.length) throw new RangeError("packed bytes end early");
    const slice = this.#bytes.slice(this.#at, end);
    this.#at = end;
    return slice;
  }

  #uvarint(): number {
    const { value, next } = readUvarint(this.#bytes, this.#at);
    this.#at = next;
    return value;
  }
}

/** Packs one value with its own table. */
export function pack(value: unknown): Uint8Array {
  const writer = new PackWriter();
  writer.write(value);
  const values = writer.view();
  const size = uvarint(values.length);
  const texts = packTexts(writer.texts);
  const out = new Uint8Array(size.length + values.length + texts.length);
  out.set(size);
  out.set(values, size.length);
  out.set(texts, size.length + values.length);
  return out;
}

/** Inverse of `pack`. Throws if the bytes were not written by it. */
export function unpack(bytes: Uint8Array): unknown {
  const { value: size, next } = readUvarint(bytes);
  const texts = unpackTexts(bytes.subarray(next + size));
  return new PackReader(bytes.subarray(next, next + size), texts).readAt(0);
}

/** Encodes a table of texts; JSON preserves lone surrogates, which UTF-8 cannot. */
export const packTexts = (texts: readonly string[]): Uint8Array => utf8(JSON.stringify(texts));

export const unpackTexts = (bytes: Uint8Array): readonly string[] => JSON.parse(fromUtf8(bytes));
