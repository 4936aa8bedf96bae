import type { PageSlot, Pages } from "../../base/pages.ts";
import { BlockPage } from "../network/chain/block-page.ts";
import { BLOCK_PAGING, type BlockStore } from "../network/chain/block-store.ts";
import { type BlockHistory, RESULTS_PAGING } from "./block-history.ts";
import { STATE_LIMITS } from "./state-history.ts";

/** Limits on a world's data in memory, and on its pages. */
export interface Residence {
  readonly blocks: typeof BLOCK_PAGING;
  readonly results: typeof RESULTS_PAGING;
  readonly states: typeof STATE_LIMITS;
}

export const USUAL_RESIDENCE: Residence = {
  blocks: BLOCK_PAGING,
  results: RESULTS_PAGING,
  states: STATE_LIMITS,
};

/** Same limits, with all pages in memory and in keyframes. */
export const withAllPages = ({ blocks, results, states }: Residence): Residence => ({
  blocks: { ...blocks, residentBytes: Number.POSITIVE_INFINITY },
  results: { ...results, residentBytes: Number.POSITIVE_INFINITY },
  states: { ...states, inKeyframe: Number.POSITIVE_INFINITY },
});

/** Key of a sealed page: its kind and index. */
export interface PageKey {
  readonly kind: "blocks" | "results";
  readonly index: number;
}

/**
 * Sealed pages of a world's main chain. A host writes each once, in order of index, and loads
 * evicted ones before it queries their content; otherwise they are recomputed by replay.
 */
export class WorldPages {
  readonly #blocks: () => BlockStore;
  readonly #history: BlockHistory;

  /** @param blocks returns the current store: following a fork replaces it */
  constructor(blocks: () => BlockStore, history: BlockHistory) {
    this.#blocks = blocks;
    this.#history = history;
  }

  /** Number of sealed pages of each kind; a sealed page never changes. */
  get sealed(): Readonly<Record<PageKey["kind"], number>> {
    return {
      blocks: this.#blocks().sealed.slots.length,
      results: this.#history.sealed.slots.length,
    };
  }

  /** Bytes of the pages in memory. */
  get residentBytes(): number {
    return this.#blocks().sealed.residentBytes + this.#history.sealed.residentBytes;
  }

  /** A page in memory; undefined if it was evicted. */
  resident({ kind, index }: PageKey): object | undefined {
    return this.#sealed(kind).slots[index]?.page;
  }

  /** Bytes of a page; undefined if it was evicted. */
  bytes({ kind, index }: PageKey): Uint8Array | undefined {
    return this.#sealed(kind).slots[index]?.page?.toBytes();
  }

  /**
   * Height of the newest block with a hash on a page of blocks. Throws if the bytes are not such a
   * page.
   */
  heightIn(bytes: Uint8Array, hash: Uint8Array): number | undefined {
    return BlockPage.fromBytes(bytes, [], "sealed").heightOf(hash);
  }

  /** Loads an evicted page. Throws, and changes nothing, if the bytes are not those of the page. */
  load({ kind, index }: PageKey, bytes: Uint8Array): void {
    if (kind === "blocks") this.#blocks().load(index, bytes);
    else this.#history.load(index, bytes);
  }

  /**
   * Evicted pages of blocks, newest first: any of them may contain a block that is searched by
   * hash.
   */
  missingBlocks(): readonly PageKey[] {
    const { slots } = this.#blocks().sealed;
    const missing = slots.flatMap(({ page }, index): PageKey[] =>
      page === undefined ? [{ kind: "blocks", index }] : [],
    );
    return missing.toReversed();
  }

  #sealed(kind: PageKey["kind"]): Pages<Page, PageSlot<Page>> {
    return kind === "blocks" ? this.#blocks().sealed : this.#history.sealed;
  }
}

interface Page {
  readonly size: number;
  toBytes(): Uint8Array;
}
