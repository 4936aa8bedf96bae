import { placeOf } from "./runs.ts";

/** The place of a sealed page. Copies of a list of pages share it: what one lets go, all have let go. */
export interface PageSlot<P> {
  readonly first: number;
  readonly last: number;
  page: P | undefined;
}

/** Memory budget of pages, and the source of evicted ones. */
export interface Residence<P> {
  /** Bytes of resident pages above which the oldest are let go, to be recalled; infinite: none is. */
  readonly residentBytes: number;
  /** Makes a page that was let go again. */
  recall(index: number): P;
}

/** Returns true if no page is ever evicted. */
export const keepsAll = <P>({ residentBytes }: Residence<P>): boolean =>
  residentBytes === Number.POSITIVE_INFINITY;

/**
 * Sealed pages in order. The newest stay in memory up to a bound; which ones do does not show in what is
 * read of them.
 */
export class Pages<P extends { readonly size: number }, S extends PageSlot<P>> {
  readonly #residence: Residence<P>;
  readonly #firsts: number[];
  readonly #slots: S[];
  /** Number of slots whose pages may be evicted. */
  #settled: number;

  /** @param settled how many of the slots may be let go before `settle` */
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

  /** Appends a page, which stays until the next `settle`. */
  push(slot: S): void {
    this.#firsts.push(slot.first);
    this.#slots.push(slot);
  }

  /** Lets the oldest pages go if those pushed since the last time made them too many. */
  settle(): void {
    if (this.#settled === this.#slots.length || keepsAll(this.#residence)) return;
    this.#settled = this.#slots.length;
    this.#keepWithin();
  }

  /** Index of the page that a number is on; undefined if it is on none. */
  indexOf(number: number): number | undefined {
    const index = placeOf(this.#firsts, number);
    const slot = this.#slots[index];
    return slot !== undefined && number <= slot.last ? index : undefined;
  }

  /** Indices of the pages with any number from one to another, ascending. */
  *within(from: number, to: number): Generator<number> {
    for (let index = Math.max(placeOf(this.#firsts, from), 0); ; index++) {
      const slot = this.#slots[index];
      if (slot === undefined || slot.first > to) return;
      if (slot.last >= from) yield index;
    }
  }

  isResident(index: number): boolean {
    return this.#slots[index]?.page !== undefined;
  }

  /** A page, recalled if it was let go. Throws RangeError if there is none. */
  get(index: number): P {
    const known = this.#slot(index).page;
    if (known !== undefined) return known;
    const page = this.#residence.recall(index);
    this.load(index, page);
    return page;
  }

  /** Puts a page back that was let go. */
  load(index: number, page: P): void {
    this.#slot(index).page = page;
    this.#keepWithin(index);
  }

  /** Lets a page go. */
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

  /** Lets the oldest settled pages go until all are within the bound; the newest and `kept` stay. */
  #keepWithin(kept?: number): void {
    const end = Math.min(this.#settled, this.#slots.length - 1);
    let bytes = this.residentBytes;
    for (let index = 0; index < end && bytes > this.#residence.residentBytes; index++) {
      const size = this.#slots[index]?.page?.size ?? 0;
      if (index === kept || size === 0) continue;
      this.release(index);
      bytes -= size;
    }
  }
}
