import { ByteWriter } from "./byte-stream.ts";
import { type Elsewhere, isTreeNode } from "./tree-stream.ts";
import {
  MOST_AGAIN,
  SMALL,
  type Stateful,
  type StorableClass,
  TAG,
  TYPED_ARRAYS,
  type TypedArray,
} from "./value-tags.ts";

/** Keys of an object, as a path in a tree of keys. */
interface Shape {
  /** Undefined until an object has exactly these keys. */
  index: number | undefined;
  readonly longer: Map<string, Shape>;
}

const INT64_LIMIT = 2n ** 63n;

/**
 * Serializes values: plain data, typed arrays, trees, and instances of the classes passed. Object
 * identity is preserved, however many references there are. Equal values give equal bytes.
 */
export class ValueWriter {
  readonly #out = new ByteWriter();
  readonly #elsewhere: Elsewhere;
  readonly #classes: readonly StorableClass[];
  readonly #classOf: ReadonlyMap<unknown, number>;
  /** Numbers of written objects; constants are negative, from -1 down. */
  readonly #numbers: Map<object, number>;
  #objects = 0;
  readonly #texts = new Map<string, number>();
  readonly #shapes: Shape = { index: undefined, longer: new Map() };
  #shapeCount = 0;
  /** Instances whose state has not been written yet. */
  #waiting: Stateful[] = [];

  constructor(
    classes: readonly StorableClass[],
    constants: readonly object[],
    elsewhere: Elsewhere,
  ) {
    this.#elsewhere = elsewhere;
    this.#classes = classes;
    this.#classOf = new Map(classes.map(({ type }, index) => [type.prototype, index]));
    this.#numbers = new Map(constants.map((constant, index) => [constant, -1 - index]));
  }

  /**
   * Writes a value and everything it references. Throws for values that cannot be written, such as
   * functions.
   */
  write(value: unknown): void {
    this.#value(value);
    // Instances reference others: the list grows during the iteration.
    for (const { persisted: stored } of this.#waiting) this.#value(stored);
    this.#waiting = [];
  }

  finish(): Uint8Array {
    return this.#out.finish();
  }

  #value(value: unknown): void {
    const out = this.#out;
    switch (typeof value) {
      case "undefined":
        out.byte(TAG.undefined);
        return;
      case "boolean":
        out.byte(value ? TAG.true : TAG.false);
        return;
      case "number":
        this.#number(value);
        return;
      case "string":
        this.#text(value);
        return;
      case "bigint":
        this.#bigint(value);
        return;
      case "object":
        if (value === null) out.byte(TAG.null);
        else this.#object(value);
        return;
      default:
        throw new TypeError(`a ${typeof value} cannot be written`);
    }
  }

  #number(value: number): void {
    const out = this.#out;
    if (!Number.isSafeInteger(value) || Object.is(value, -0)) {
      out.byte(TAG.float);
      out.float(value);
    } else if (value >= 0 && value < SMALL) out.byte(TAG.smallInt + value);
    else {
      out.byte(value < 0 ? TAG.negative : TAG.positive);
      out.count(Math.abs(value));
    }
  }

  #bigint(value: bigint): void {
    if (value >= -INT64_LIMIT && value < INT64_LIMIT) {
      this.#out.byte(TAG.int64);
      this.#out.int64(value);
    } else {
      this.#out.byte(TAG.bigint);
      this.#text(value.toString());
    }
  }

  #text(text: string): void {
    const out = this.#out;
    const known = this.#texts.get(text);
    if (known !== undefined) {
      this.#small(TAG.smallText, TAG.knownText, known);
      return;
    }
    this.#texts.set(text, this.#texts.size);
    const isLatin = hasLatinOnly(text);
    out.byte(isLatin ? TAG.latin : TAG.wide);
    out.count(text.length);
    if (isLatin) out.latin(text);
    else for (let i = 0; i < text.length; i++) out.count(text.charCodeAt(i));
  }

  /** Writes a number in the tag if it is small, else after it. */
  #small(small: number, tag: number, value: number): void {
    if (value < SMALL) this.#out.byte(small + value);
    else {
      this.#out.byte(tag);
      this.#out.count(value);
    }
  }

  #object(value: object): void {
    const out = this.#out;
    const known = this.#numbers.get(value);
    if (known !== undefined) {
      out.byte(known < 0 ? TAG.constant : TAG.known);
      out.count(known < 0 ? -1 - known : known);
    } else if (isTreeNode(value)) {
      out.byte(TAG.tree);
      out.count(this.#elsewhere.numberOf(value));
    } else {
      this.#numbers.set(value, this.#objects++);
      this.#newObject(value);
    }
  }

  #newObject(value: object): void {
    const out = this.#out;
    if (isPlain(value)) this.#plain(value);
    else if (Array.isArray(value)) this.#array(value);
    else if (value instanceof Map) {
      out.byte(TAG.map);
      out.count(value.size);
      for (const [key, item] of value) {
        this.#value(key);
        this.#value(item);
      }
    } else if (value instanceof Set) {
      out.byte(TAG.set);
      out.count(value.size);
      for (const item of value) this.#value(item);
    } else if (ArrayBuffer.isView(value)) this.#typed(value as TypedArray);
    else this.#instance(value);
  }

  /** Consecutive identical items are written once. */
  #array(items: readonly unknown[]): void {
    const out = this.#out;
    out.byte(TAG.array);
    out.count(items.length);
    for (let i = 0; i < items.length; ) {
      const item = items[i];
      this.#value(item);
      const from = i + 1;
      const end = Math.min(items.length, from + MOST_AGAIN - 1);
      for (i = from; i < end && Object.is(items[i], item); ) i++;
      if (i === from) continue;
      out.byte(TAG.again);
      out.count(i - from);
    }
  }

  #typed(value: TypedArray): void {
    const prefix = value instanceof Uint8Array ? this.#elsewhere.prefixOf(value) : undefined;
    if (prefix !== undefined) {
      this.#out.byte(TAG.grown);
      this.#out.count(prefix.position);
      this.#out.count(prefix.length);
      this.#out.count(value.length - prefix.length);
      this.#out.raw((value as Uint8Array).subarray(prefix.length));
      return;
    }
    const index = TYPED_ARRAYS.findIndex((type) => value instanceof type);
    if (index < 0) throw new TypeError("an array of this type cannot be written");
    this.#out.byte(TAG.typed);
    this.#out.byte(index);
    this.#out.count(value.length);
    this.#out.raw(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
  }

  #plain(value: object): void {
    const keys = Object.keys(value);
    let shape = this.#shapes;
    for (const key of keys) shape = longerBy(shape, key);
    if (shape.index === undefined) {
      shape.index = this.#shapeCount++;
      this.#out.byte(TAG.newShape);
      this.#out.count(keys.length);
      for (const key of keys) this.#text(key);
    } else this.#small(TAG.smallShape, TAG.knownShape, shape.index);
    for (const key of keys) this.#value((value as Readonly<Record<string, unknown>>)[key]);
  }

  #instance(instance: object): void {
    const index = this.#classOf.get(Object.getPrototypeOf(instance));
    const stored = index === undefined ? undefined : this.#classes[index];
    if (index === undefined || stored === undefined) {
      throw new TypeError(`a ${instance.constructor.name} cannot be written`);
    }
    this.#out.byte(TAG.instance);
    this.#out.byte(index);
    const parts = stored.parts(instance);
    this.#out.byte(parts.length);
    for (const part of parts) this.#value(part);
    if (stored.stateful) this.#waiting.push(instance as Stateful);
  }
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function longerBy(shape: Shape, key: string): Shape {
  const known = shape.longer.get(key);
  if (known !== undefined) return known;
  const longer = { index: undefined, longer: new Map() };
  shape.longer.set(key, longer);
  return longer;
}

function hasLatinOnly(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0xff) return false;
  return true;
}
