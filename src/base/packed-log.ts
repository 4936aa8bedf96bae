import { PackReader, PackWriter, packTexts, unpackTexts } from "./pack.ts";
import { runIndex } from "./runs.ts";

/** Parts of a log: the end of each entry, the concatenated entries, and their table of texts. */
export interface PackedEntries {
  readonly numbers: readonly number[];
  readonly ends: readonly number[];
  readonly values: Uint8Array;
  readonly texts: Uint8Array;
}

/** Values by ascending number as packed bytes; each is unpacked on request. */
export class PackedLog {
  readonly #numbers: number[] = [];
  readonly #ends: number[] = [];
  #writer = new PackWriter();

  /** Appends a value; its number must be greater than all before. */
  add(number: number, value: unknown): void {
    this.#writer.write(value);
    this.#numbers.push(number);
    this.#ends.push(this.#writer.length);
  }

  /** Value of a number; undefined if there is none. */
  at(number: number): unknown {
    const index = exactIndex(this.#numbers, number);
    if (index < 0) return undefined;
    return new PackReader(this.#writer.view(), this.#writer.texts).readAt(
      this.#ends[index - 1] ?? 0,
    );
  }

  /** Numbers, ascending. */
  get numbers(): readonly number[] {
    return this.#numbers;
  }

  /** Bytes of all values. */
  get size(): number {
    return this.#writer.length;
  }

  copy(): PackedLog {
    const copy = new PackedLog();
    copy.#numbers.push(...this.#numbers);
    copy.#ends.push(...this.#ends);
    copy.#writer = this.#writer.copy();
    return copy;
  }

  /** Current content of the log. */
  entries(): PackedEntries {
    return {
      numbers: this.#numbers.slice(),
      ends: this.#ends.slice(),
      values: this.#writer.view().slice(),
      texts: packTexts(this.#writer.texts),
    };
  }

  /** Restores a log from its entries; more can be added. */
  static resume({ numbers, ends, values, texts }: PackedEntries): PackedLog {
    const log = new PackedLog();
    log.#numbers.push(...numbers);
    log.#ends.push(...ends);
    log.#writer = PackWriter.resume(values, unpackTexts(texts));
    return log;
  }
}

/** Immutable entries of a log. */
export class SealedLog {
  readonly entries: PackedEntries;
  #reader: PackReader | undefined;

  constructor(entries: PackedEntries) {
    this.entries = entries;
  }

  /** Value of a number; undefined if there is none. */
  at(number: number): unknown {
    const { numbers, ends, values, texts } = this.entries;
    const index = exactIndex(numbers, number);
    if (index < 0) return undefined;
    this.#reader ??= new PackReader(values, unpackTexts(texts));
    return this.#reader.readAt(ends[index - 1] ?? 0);
  }

  /** Approximate bytes in memory. */
  get size(): number {
    const { numbers, values, texts } = this.entries;
    return values.length + texts.length + 16 * numbers.length;
  }
}

function exactIndex(numbers: readonly number[], number: number): number {
  const index = runIndex(numbers, number);
  return numbers[index] === number ? index : -1;
}
