const NONE: readonly never[] = [];

/**
 * The newest entries of a growing sequence. Entries are numbered from 1; older ones are dropped.
 */
export class BoundedLog<T> {
  readonly #capacity: number;
  #entries: T[] = [];
  #seq = 0;

  /** @param capacity minimum number of newest entries stored */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** Returns an independent copy. */
  copy(): BoundedLog<T> {
    const copy = new BoundedLog<T>(this.#capacity);
    copy.#entries = [...this.#entries];
    copy.#seq = this.#seq;
    return copy;
  }

  /** State stored in keyframes. */
  get persisted() {
    return [this.#entries, this.#seq] as const;
  }
  set persisted(persisted) {
    [this.#entries, this.#seq] = persisted;
  }

  /** Number of the newest entry; 0 before the first. */
  get seq(): number {
    return this.#seq;
  }

  get last(): T | undefined {
    return this.#entries.at(-1);
  }

  /** Appends an entry and returns its number. */
  push(entry: T): number {
    this.#entries.push(entry);
    this.#seq += 1;
    // Drops half of the buffer at once: each entry is moved at most once on average.
    if (this.#entries.length > 2 * this.#capacity) {
      this.#entries = this.#entries.slice(-this.#capacity);
    }
    return this.#seq;
  }

  /** All stored entries, oldest first. */
  get entries(): readonly T[] {
    return this.#entries;
  }

  /** Entries numbered above `seq`, oldest first. The cost is proportional to the result. */
  since(seq: number): readonly T[] {
    if (seq === this.#seq) return NONE;
    const dropped = this.#seq - this.#entries.length;
    return this.#entries.slice(Math.max(seq - dropped, 0));
  }

  /**
   * The newest `count` entries, at most the capacity, oldest first. The cost is proportional to the
   * result.
   */
  newest(count: number = this.#capacity): readonly T[] {
    return count <= 0 ? [] : this.#entries.slice(-Math.min(count, this.#capacity));
  }
}
