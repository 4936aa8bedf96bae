/**
 * Run-length encoding of values of consecutive numbers, many of which are equal or follow a rule in
 * a row: only the start of each run is stored.
 */
import { equal } from "./bytes.ts";

/** Index of the last of these ascending starts that is not above a number; −1 if all are. */
export function runIndex(starts: readonly number[], number: number): number {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle] as number) <= number) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Values as runs of equal ones. */
export class Runs<T> {
  readonly #same: (a: T, b: T) => boolean;
  readonly starts: number[];
  readonly values: T[];

  constructor(
    same: (a: T, b: T) => boolean = Object.is,
    starts: readonly number[] = [],
    values: readonly T[] = [],
  ) {
    this.#same = same;
    this.starts = [...starts];
    this.values = [...values];
  }

  copy(): Runs<T> {
    return new Runs(this.#same, this.starts, this.values);
  }

  /** Sets the value from a number on, which must not be below the start of the last run. */
  set(number: number, value: T): void {
    if (this.starts.at(-1) === number) {
      this.starts.pop();
      this.values.pop();
    }
    if (this.values.length > 0 && this.#same(this.values.at(-1) as T, value)) return;
    this.starts.push(number);
    this.values.push(value);
  }

  /** Value of a number; undefined below the first run. */
  at(number: number): T | undefined {
    return this.values[runIndex(this.starts, number)];
  }

  /** First number of the run that contains a number. */
  startOf(number: number): number {
    return this.starts[runIndex(this.starts, number)] ?? number;
  }
}

const HASH_SIZE = 32;

/** Hashes as runs of equal ones, 32 bytes per run. */
export class HashRuns {
  readonly starts: number[];
  #rows: Uint8Array;

  constructor(starts: readonly number[] = [], rows: Uint8Array = new Uint8Array(0)) {
    this.starts = [...starts];
    this.#rows = rows;
  }

  copy(): HashRuns {
    return new HashRuns(this.starts, this.rows.slice());
  }

  /** View of the concatenated hashes of all runs. */
  get rows(): Uint8Array {
    return this.#rows.subarray(0, this.starts.length * HASH_SIZE);
  }

  /** Sets the hash from a number on, which must not be below the start of the last run. */
  set(number: number, hash: Uint8Array): void {
    if (this.starts.at(-1) === number) this.starts.pop();
    const count = this.starts.length;
    if (count > 0 && equal(this.#row(count - 1), hash)) return;
    this.#rows = withRoom(this.#rows, (count + 1) * HASH_SIZE);
    this.#rows.set(hash, count * HASH_SIZE);
    this.starts.push(number);
  }

  /** Hash of a number, as a view; undefined below the first run. */
  at(number: number): Uint8Array | undefined {
    const index = runIndex(this.starts, number);
    return index < 0 ? undefined : this.#row(index);
  }

  #row(index: number): Uint8Array {
    return this.#rows.subarray(index * HASH_SIZE, (index + 1) * HASH_SIZE);
  }
}

/**
 * Values at regular distances as runs: the first value of each run, and the distance. Exact for any
 * size.
 */
export class SteppedRuns {
  readonly starts: number[];
  readonly firsts: bigint[];
  readonly steps: bigint[];

  constructor(
    starts: readonly number[] = [],
    firsts: readonly bigint[] = [],
    steps: readonly bigint[] = [],
  ) {
    this.starts = [...starts];
    this.firsts = [...firsts];
    this.steps = [...steps];
  }

  copy(): SteppedRuns {
    return new SteppedRuns(this.starts, this.firsts, this.steps);
  }

  /** Appends the value of the number after the last. */
  append(number: number, value: bigint): void {
    const last = this.starts.length - 1;
    const start = this.starts[last];
    const first = this.firsts[last];
    if (start !== undefined && first !== undefined) {
      if (number === start + 1) this.steps[last] = value - first;
      if (first + BigInt(number - start) * (this.steps[last] ?? 0n) === value) return;
    }
    this.starts.push(number);
    this.firsts.push(value);
    this.steps.push(0n);
  }

  /** Value of a number; undefined below the first. */
  at(number: number): bigint | undefined {
    const index = runIndex(this.starts, number);
    const first = this.firsts[index];
    if (first === undefined) return undefined;
    return first + BigInt(number - (this.starts[index] ?? 0)) * (this.steps[index] ?? 0n);
  }
}

/** Returns the bytes with a capacity of at least `size`, doubled if they must grow. */
export function withRoom(bytes: Uint8Array, size: number): Uint8Array {
  if (size <= bytes.length) return bytes;
  const grown = new Uint8Array(Math.max(size, 2 * bytes.length));
  grown.set(bytes);
  return grown;
}
