import { PackReader, PackWriter, packTexts, unpackTexts } from "./pack.ts";
import { placeOf } from "./runs.ts";

/** The parts of a log: where each entry ends, all entries one after another, and their table of texts. */
export interface PackedEntries {
  readonly numbers: readonly number[];
  readonly ends: readonly number[];
  readonly values: Uint8Array;
  readonly texts: Uint8Array;
}

/** Values under ascending numbers as packed bytes; each is unpacked when it is asked for. */
export class PackedLog {
  readonly #numbers: number[] = [];
  readonly #ends: number[] = [];
  #writer = new PackWriter();

  /** Appends the value of a number greater than all before. */
  add(number: number, value: unknown): void {
    this.#writer.write(value);
    this.#numbers.push(number);
    this.#ends.push(this.#writer.length);
  }

  /** The value of a number; undefined if it has none. */
  at(number: number): unknown {
    const place = exactPlace(this.#numbers, number);
    if (place < 0) return undefined;
    return new PackReader(this.#writer.view(), this.#writer.texts).readAt(
      this.#ends[place - 1] ?? 0,
    );
  }

  /** Ascending. */
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

  /** All of it as of now. */
  entries(): PackedEntries {
    return {
      numbers: this.#numbers.slice(),
      ends: this.#ends.slice(),
      values: this.#writer.view().slice(),
      texts: packTexts(this.#writer.texts),
    };
  }

  /** The log that had these entries, to be continued. */
  static resume({ numbers, ends, values, texts }: PackedEntries): PackedLog {
    const log = new PackedLog();
    log.#numbers.push(...numbers);
    log.#ends.push(...ends);
    log.#writer = PackWriter.resume(values, unpackTexts(texts));
    return log;
  }
}

/** The entries of a log that grows no more. */
export class SealedLog {
  readonly entries: PackedEntries;
  #reader: PackReader | undefined;

  constructor(entries: PackedEntries) {
    this.entries = entries;
  }

  /** The value of a number; undefined if it has none. */
  at(number: number): unknown {
    const { numbers, ends, values, texts } = this.entries;
    const place = exactPlace(numbers, number);
    if (place < 0) return undefined;
    this.#reader ??= new PackReader(values, unpackTexts(texts));
    return this.#reader.readAt(ends[place - 1] ?? 0);
  }

  /** Bytes that it takes in memory, roughly. */
  get size(): number {
    const { numbers, values, texts } = this.entries;
    return values.length + texts.length + 16 * numbers.length;
  }
}

function exactPlace(numbers: readonly number[], number: number): number {
  const place = placeOf(numbers, number);
  return numbers[place] === number ? place : -1;
}
