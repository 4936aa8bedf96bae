import { runIndex } from "./runs.ts";

/**
 * Slot of a sealed page. Copies of a list of pages share slots: a page evicted by one is evicted
 * for all.
 */
export interface PageSlot<P> {
  readonly first: number;
  readonly last: number;
  page: P | undefined;
}

/** Memory budget of pages, and the source of evicted ones. */
export interface Residence<P> {
  /**
   * Bytes of resident pages above which the oldest are evicted, to be recalled later; infinite for
   * no eviction.
   */
  readonly residentBytes: number;
  /** Recreates an evicted page. */
  recall(index: number): P;
}

/** Returns true if no page is ever evicted. */
export const isUnbounded = <P>({ residentBytes }: Residence<P>): boolean =>
  residentBytes === Number.POSITIVE_INFINITY;

/**
 * Sealed pages in order. The newest stay in memory up to a limit; eviction does not affect the
 * results of reads.
 */
export class Pages<P extends { readonly size: number }, S extends PageSlot<P>> {
  readonly #residence: Residence<P>;
  readonly #firsts: number[];
  readonly #slots: S[];
  /** Number of slots whose pages may be evicted. */
  #settled: number;

  /** @param settled number of slots that may be evicted before `settle` */
  constructor(residence: Residence<P>, slots: readonly S[] = [], settled = slots.length) {
    this.#residence = residence;
    this.#slots = [...slots];
    this.#firsts = slots.map(({ first }) => first);
    this.#settled = settled;
  }

  get settled(): number {
    return this.#settled;
  }

  get slots(): readonly S[] {
    return this.#slots;
  }

  /** Appends a page, which stays in memory until the next `settle`. */
  push(slot: S): void {
    this.#firsts.push(slot.first);
    this.#slots.push(slot);
  }

  /**
   * Evicts the oldest pages if the limit is exceeded; pages pushed since the last call may now be
   * evicted, too.
   */
  settle(): void {
    if (this.#settled === this.#slots.length || isUnbounded(this.#residence)) return;
    this.#settled = this.#slots.length;
    this.#keepWithin();
  }

  /** Index of the page that contains a number; undefined if none does. */
  indexOf(number: number): number | undefined {
    const index = runIndex(this.#firsts, number);
    const slot = this.#slots[index];
    return slot !== undefined && number <= slot.last ? index : undefined;
  }

  /** Indices of the pages that overlap a range of numbers, ascending. */
  *within(from: number, to: number): Generator<number> {
    for (let index = Math.max(runIndex(this.#firsts, from), 0); ; index++) {
      const slot = this.#slots[index];
      if (slot === undefined || slot.first > to) return;
      if (slot.last >= from) yield index;
    }
  }

  /** Returns a page, recalled if it was evicted. Throws RangeError if there is none. */
  get(index: number): P {
    const known = this.#slot(index).page;
    if (known !== undefined) return known;
    const page = this.#residence.recall(index);
    this.load(index, page);
    return page;
  }

  /** Loads an evicted page. */
  load(index: number, page: P): void {
    this.#slot(index).page = page;
    this.#keepWithin(index);
  }

  release(index: number): void {
    this.#slot(index).page = undefined;
  }

  /** Bytes of the pages in memory. */
  get residentBytes(): number {
    return this.#slots.reduce((sum, { page }) => sum + (page?.size ?? 0), 0);
  }

  #slot(index: number): S {
    const slot = this.#slots[index];
    if (slot === undefined) throw new RangeError(`no page ${index} in ${this.#slots.length}`);
    return slot;
  }

  /** Evicts the oldest settled pages until the limit is met; the newest and `kept` stay. */
  #keepWithin(pinned?: number): void {
    const end = Math.min(this.#settled, this.#slots.length - 1);
    let bytes = this.residentBytes;
    for (let index = 0; index < end && bytes > this.#residence.residentBytes; index++) {
      const size = this.#slots[index]?.page?.size ?? 0;
      if (index === pinned || size === 0) continue;
      this.release(index);
      bytes -= size;
    }
  }
}
