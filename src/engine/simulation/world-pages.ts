import { BlockPage } from "../network/chain/block-page.ts";
import { BLOCK_PAGING, type BlockStore } from "../network/chain/block-store.ts";
import type { PageSlot, Pages } from "../primitives/pages.ts";
import { type BlockHistory, RESULTS_PAGING } from "./block-history.ts";
import { STATES_KEPT } from "./state-history.ts";

/** Limits on a world's data in memory, and its pages. */
export interface Residence {
  readonly blocks: typeof BLOCK_PAGING;
  readonly results: typeof RESULTS_PAGING;
  readonly states: typeof STATES_KEPT;
}

export const USUAL_RESIDENCE: Residence = {
  blocks: BLOCK_PAGING,
  results: RESULTS_PAGING,
  states: STATES_KEPT,
};

/** The same, with all pages in memory, and all that is in memory in keyframes too. */
export const keepingAllPages = ({ blocks, results, states }: Residence): Residence => ({
  blocks: { ...blocks, residentBytes: Number.POSITIVE_INFINITY },
  results: { ...results, residentBytes: Number.POSITIVE_INFINITY },
  states: { ...states, inKeyframe: Number.POSITIVE_INFINITY },
});

/** One sealed page of a world, by its place in order. */
export interface PageKey {
  readonly kind: "blocks" | "results";
  readonly index: number;
}

/**
 * The sealed pages of a world's main chain. A host writes each once, in order of index, and loads those that
 * are not in memory before it asks for what stands on them; else they come back by replay.
 */
export class WorldPages {
  readonly #blocks: () => BlockStore;
  readonly #history: BlockHistory;

  /** @param blocks the store as it is now: following a fork replaces it */
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

  /** Bytes of those in memory. */
  get residentBytes(): number {
    return this.#blocks().sealed.residentBytes + this.#history.sealed.residentBytes;
  }

  /** A page in memory; undefined if it was let go. */
  resident({ kind, index }: PageKey): object | undefined {
    return this.#sealed(kind).slots[index]?.page;
  }

  /** A page as bytes; undefined if it was let go. */
  bytes({ kind, index }: PageKey): Uint8Array | undefined {
    return this.#sealed(kind).slots[index]?.page?.toBytes();
  }

  /** Height of the newest block with a hash on a page of blocks. Throws if the bytes are no such page. */
  heightIn(bytes: Uint8Array, hash: Uint8Array): number | undefined {
    return BlockPage.fromBytes(bytes, [], "sealed").heightOf(hash);
  }

  /** Puts a page back. Throws, nothing changed, if the bytes are not its. */
  load({ kind, index }: PageKey, bytes: Uint8Array): void {
    if (kind === "blocks") this.#blocks().load(index, bytes);
    else this.#history.load(index, bytes);
  }

  /** The pages out of memory that are read for the blocks of these heights, with their headers and commits. */
  missing(from: number, to: number): readonly PageKey[] {
    return (["blocks", "results"] as const).flatMap((kind) =>
      this.#released(kind).filter(({ index }) => {
        const { first, last } = this.#sealed(kind).slots[index] as PageSlot<unknown>;
        // A block's header tells of the one below, its commit stands in the one above.
        const around = kind === "blocks" ? 1 : 0;
        return first <= to + around && last >= from - around;
      }),
    );
  }

  /** The pages out of memory, newest first: any may have the block with a hash that the others lack. */
  missingBlocks(): readonly PageKey[] {
    return this.#released("blocks").toReversed();
  }

  #released(kind: PageKey["kind"]): readonly PageKey[] {
    return this.#sealed(kind).slots.flatMap(({ page }, index) =>
      page === undefined ? [{ kind, index }] : [],
    );
  }

  #sealed(kind: PageKey["kind"]): Pages<Page, PageSlot<Page>> {
    return kind === "blocks" ? this.#blocks().sealed : this.#history.sealed;
  }
}

interface Page {
  readonly size: number;
  toBytes(): Uint8Array;
}
