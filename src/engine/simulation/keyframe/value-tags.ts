/** First byte of a serialized value. Shared by the writer and the reader of values. */
export const TAG = {
  undefined: 0,
  null: 1,
  true: 2,
  false: 3,
  float: 4,
  /** Whole numbers, by sign. */
  positive: 5,
  negative: 6,
  int64: 7,
  /** A bigint beyond 64 bits, as text. */
  bigint: 8,
  /** Text with characters below 256, any other text, and text that came before. */
  latin: 9,
  wide: 10,
  knownText: 11,
  /** An object that came before. */
  known: 12,
  /** One of the objects that the engine shares everywhere. */
  constant: 13,
  array: 14,
  map: 15,
  set: 16,
  /** An object with keys of its own, and one with the keys of an earlier one. */
  newShape: 17,
  knownShape: 18,
  typed: 19,
  instance: 20,
  tree: 21,
  /** Bytes that begin as some that are written elsewhere. */
  grown: 22,
  /** In an array: the item before, so many times more. */
  again: 23,
  /** From here on, the byte itself holds a small number. */
  smallInt: 64,
  smallShape: 128,
  smallText: 192,
} as const;

/** Number of small integers, of shapes and of strings that are encoded in one byte. */
export const SMALL = 64;

/** Items in a row that one written item stands for, at most: what is read stays in proportion to its bytes. */
export const MOST_AGAIN = 1024;

/** Typed arrays by their number in a keyframe. */
export const TYPED_ARRAYS = [Uint8Array, Float64Array, Uint32Array] as const;

export type TypedArray = InstanceType<(typeof TYPED_ARRAYS)[number]>;

/** Arrays, maps and objects may lie this deep in one another. */
export const MAX_DEPTH = 100;

/**
 * A class whose instances are written by what they are made from and, if need be, by their state. Methods,
 * so that a table can hold those of all classes: the types hold for what this very build has written.
 */
export interface KeptClass<T extends object = object, P = readonly unknown[]> {
  readonly type: { readonly prototype: T };
  /** Returns the arguments of `make`; they must not refer back to the instance. */
  parts(instance: T): P;
  make(parts: P): T;
  /** True if it has state as well, which may refer back to it: set once all instances exist. */
  readonly stateful?: boolean;
}

/** An instance that gives and takes its state. */
export interface Stateful {
  kept: unknown;
}
