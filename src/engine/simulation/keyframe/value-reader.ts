import type { TreeNode } from "../../store/node.ts";
import { ByteReader } from "./byte-stream.ts";
import {
  MAX_DEPTH,
  MOST_AGAIN,
  type Stateful,
  type StorableClass,
  TAG,
  TYPED_ARRAYS,
} from "./value-tags.ts";

/** Trees and byte arrays to which the values refer. */
export interface ReadElsewhere {
  /** Roots of trees by their numbers. */
  readonly trees: readonly TreeNode[];
  /** Byte arrays whose prefixes are referenced, by position. */
  readonly blobs: readonly Uint8Array[];
}

/**
 * Reads the output of a ValueWriter with the same classes and constants. Throws for anything else.
 */
export class ValueReader {
  readonly #bytes: ByteReader;
  readonly #elsewhere: ReadElsewhere;
  readonly #classes: readonly StorableClass[];
  readonly #constants: readonly object[];
  /** Objects by number; undefined while an instance is being created. */
  readonly #objects: (object | undefined)[] = [];
  readonly #texts: string[] = [];
  readonly #shapes: (readonly string[])[] = [];
  #waiting: Stateful[] = [];
  #depth = 0;

  constructor(
    bytes: Uint8Array,
    classes: readonly StorableClass[],
    constants: readonly object[],
    elsewhere: ReadElsewhere,
  ) {
    this.#bytes = new ByteReader(bytes);
    this.#elsewhere = elsewhere;
    this.#classes = classes;
    this.#constants = constants;
  }

  /** Reads the next value, with everything that it references. */
  read(): unknown {
    const value = this.#value();
    for (const instance of this.#waiting) instance.persisted = this.#value();
    this.#waiting = [];
    return value;
  }

  /** Throws unless everything has been read. */
  finish(): void {
    if (this.#bytes.remaining > 0)
      throw new RangeError(`${this.#bytes.remaining} bytes are left over`);
  }

  #value(): unknown {
    return this.#nested(this.#bytes.byte());
  }

  #nested(tag: number): unknown {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw new RangeError("values lie too deep in one another");
    const value = this.#tagged(tag);
    this.#depth -= 1;
    return value;
  }

  #tagged(tag: number): unknown {
    if (tag >= TAG.smallText) return this.#textAt(tag - TAG.smallText);
    if (tag >= TAG.smallShape) return this.#plain(found(this.#shapes[tag - TAG.smallShape]));
    if (tag >= TAG.smallInt) return tag - TAG.smallInt;
    const bytes = this.#bytes;
    switch (tag) {
      case TAG.undefined:
        return undefined;
      case TAG.null:
        return null;
      case TAG.true:
        return true;
      case TAG.false:
        return false;
      case TAG.float:
        return bytes.float();
      case TAG.positive:
        return bytes.count();
      case TAG.negative:
        return -bytes.count();
      case TAG.int64:
        return bytes.int64();
      case TAG.bigint:
        return BigInt(this.#text());
      case TAG.latin:
      case TAG.wide:
        return this.#newText(tag);
      case TAG.knownText:
        return this.#textAt(bytes.count());
      case TAG.known:
        return found(this.#objects[bytes.count()]);
      case TAG.constant:
        return found(this.#constants[bytes.count()]);
      case TAG.typed:
        return this.#typed();
      case TAG.grown:
        return this.#grown();
      case TAG.tree:
        return found(this.#elsewhere.trees[bytes.count()]);
      default:
        return this.#container(tag);
    }
  }

  #container(tag: number): unknown {
    switch (tag) {
      case TAG.array:
        return this.#array();
      case TAG.map:
        return this.#map();
      case TAG.set:
        return this.#set();
      case TAG.newShape:
        return this.#plain(this.#newShape());
      case TAG.knownShape:
        return this.#plain(found(this.#shapes[this.#bytes.count()]));
      case TAG.instance:
        return this.#instance();
      default:
        throw new RangeError(`there is no tag ${tag}`);
    }
  }

  // ——— texts ———

  #text(): string {
    const text = this.#value();
    if (typeof text !== "string") throw new RangeError(`expected text, found a ${typeof text}`);
    return text;
  }

  #newText(tag: number): string {
    const length = this.#bytes.parts();
    let text = "";
    if (tag === TAG.latin) text = this.#bytes.latin(length);
    else for (let i = 0; i < length; i++) text += String.fromCharCode(this.#bytes.count());
    this.#texts.push(text);
    return text;
  }

  #textAt(index: number): string {
    const text = this.#texts[index];
    if (text === undefined) throw new RangeError(`there is no text ${index}`);
    return text;
  }

  // ——— objects ———

  #register<T extends object>(value: T): T {
    this.#objects.push(value);
    return value;
  }

  #array(): unknown[] {
    const array = this.#register<unknown[]>([]);
    const length = this.#bytes.parts(1 / MOST_AGAIN);
    while (array.length < length) {
      const tag = this.#bytes.byte();
      if (tag !== TAG.again) array.push(this.#nested(tag));
      else this.#repeat(array, length);
    }
    return array;
  }

  #repeat(array: unknown[], length: number): void {
    const times = this.#bytes.count();
    if (array.length === 0 || array.length + times > length || times >= MOST_AGAIN) {
      throw new RangeError("an item stands more often than there is room");
    }
    const item = array.at(-1);
    for (let rest = times; rest > 0; rest--) array.push(item);
  }

  #map(): Map<unknown, unknown> {
    const map = this.#register(new Map<unknown, unknown>());
    for (let rest = this.#bytes.parts(2); rest > 0; rest--) {
      const key = this.#value();
      map.set(key, this.#value());
    }
    return map;
  }

  #set(): Set<unknown> {
    const set = this.#register(new Set<unknown>());
    for (let rest = this.#bytes.parts(); rest > 0; rest--) set.add(this.#value());
    return set;
  }

  #typed(): object {
    const type = found(TYPED_ARRAYS[this.#bytes.byte()]);
    const length = this.#bytes.parts(type.BYTES_PER_ELEMENT);
    const { buffer } = this.#bytes.raw(length * type.BYTES_PER_ELEMENT);
    return this.#register(new type(buffer as ArrayBuffer));
  }

  #grown(): Uint8Array {
    const blob = found(this.#elsewhere.blobs[this.#bytes.count()]);
    const length = this.#bytes.count();
    if (length > blob.length) throw new RangeError("bytes are longer than what they begin with");
    const grown = new Uint8Array(length + this.#bytes.parts());
    grown.set(blob.subarray(0, length));
    this.#bytes.fill(grown, length);
    return this.#register(grown);
  }

  #newShape(): readonly string[] {
    const keys: string[] = [];
    for (let rest = this.#bytes.parts(); rest > 0; rest--) keys.push(this.#text());
    this.#shapes.push(keys);
    return keys;
  }

  #plain(keys: readonly string[]): object {
    const plain = this.#register<Record<string, unknown>>({});
    for (const key of keys) {
      // Assignment would set the prototype.
      if (key === "__proto__") define(plain, key, this.#value());
      else plain[key] = this.#value();
    }
    return plain;
  }

  #instance(): object {
    const stored = found(this.#classes[this.#bytes.byte()]);
    const number = this.#objects.length;
    this.#objects.push(undefined);
    const parts: unknown[] = [];
    for (let rest = this.#bytes.byte(); rest > 0; rest--) parts.push(this.#value());
    const instance = stored.make(parts);
    this.#objects[number] = instance;
    if (stored.stateful) this.#waiting.push(instance as Stateful);
    return instance;
  }
}

function define(object: object, key: string, value: unknown): void {
  Object.defineProperty(object, key, {
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  });
}

function found<T>(value: T | undefined): T {
  if (value === undefined) throw new RangeError("refers to what is not there");
  return value;
}
