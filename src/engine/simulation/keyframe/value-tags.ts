/** First byte of a serialized value. Shared by the writer and the reader of values. */
export const TAG = {
  undefined: 0,
  null: 1,
  true: 2,
  false: 3,
  float: 4,
  /** Integers, by sign. */
  positive: 5,
  negative: 6,
  int64: 7,
  /** A bigint beyond 64 bits, as text. */
  bigint: 8,
  /** Text with characters below 256, any other text, and a reference to earlier text. */
  latin: 9,
  wide: 10,
  knownText: 11,
  /** Reference to an earlier object. */
  known: 12,
  /** One of the objects that the whole engine shares. */
  constant: 13,
  array: 14,
  map: 15,
  set: 16,
  /** An object with new keys, and one with the keys of an earlier object. */
  newShape: 17,
  knownShape: 18,
  typed: 19,
  instance: 20,
  tree: 21,
  /** Bytes with a prefix that is stored elsewhere. */
  grown: 22,
  /** In an array: repeats the previous item a number of times. */
  again: 23,
  /** From here on, the byte itself encodes a small integer. */
  smallInt: 64,
  smallShape: 128,
  smallText: 192,
} as const;

/** Number of small integers, of shapes and of strings that are encoded in one byte. */
export const SMALL = 64;

/** Maximum repetitions of one item: keeps decoded size in proportion to the bytes. */
export const MOST_AGAIN = 1024;

/** Typed arrays, by number in a keyframe. */
export const TYPED_ARRAYS = [Uint8Array, Float64Array, Uint32Array] as const;

export type TypedArray = InstanceType<(typeof TYPED_ARRAYS)[number]>;

/** Maximum nesting depth of arrays, maps and objects. */
export const MAX_DEPTH = 100;

/**
 * A class whose instances are serialized as constructor arguments and, if needed, state. Declared
 * with methods so that one table can contain all classes: the types are valid only for the output
 * of this build.
 */
export interface StorableClass<T extends object = object, P = readonly unknown[]> {
  readonly type: { readonly prototype: T };
  /** Returns the arguments of `make`; they must not refer back to the instance. */
  parts(instance: T): P;
  make(parts: P): T;
  /**
   * True if it also has state, which may refer back to the instance: set once all instances exist.
   */
  readonly stateful?: boolean;
}

/** An instance with readable and writable state. */
export interface Stateful {
  persisted: unknown;
}
