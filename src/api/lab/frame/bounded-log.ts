/** The newest of what was pushed, in order; what is older is forgotten. */
export class BoundedLog<T> {
  readonly #capacity: number;
  #items: T[] = [];

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  push(item: T): void {
    this.#items.push(item);
    // Half of it at once: each item is moved at most once on average.
    if (this.#items.length >= 2 * this.#capacity) this.#items = this.#items.slice(-this.#capacity);
  }

  get last(): T | undefined {
    return this.#items.at(-1);
  }

  /** The newest `count`, oldest first. Costs only what it returns. */
  newest(count: number): readonly T[] {
    return count <= 0 ? [] : this.#items.slice(-Math.min(count, this.#capacity));
  }
}
