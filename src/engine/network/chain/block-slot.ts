import { equal } from "../../../base/bytes.ts";
import type { PageSlot } from "../../../base/pages.ts";
import { BlockPage } from "./block-page.ts";
import type { Members } from "./page-validators.ts";

/**
 * Slot of a sealed page of blocks, with the data that survives eviction: its validators, and the
 * hash of its last block.
 */
export class BlockSlot implements PageSlot<BlockPage> {
  readonly first: number;
  readonly last: number;
  readonly members: Members;
  readonly hash: Uint8Array;
  page: BlockPage | undefined;
  /**
   * True if the page cannot be reloaded after eviction, such as a fork's: a keyframe then contains
   * it.
   */
  fixed: boolean;

  constructor(
    first: number,
    last: number,
    members: Members,
    hash: Uint8Array,
    page: BlockPage | undefined,
    fixed: boolean,
  ) {
    this.first = first;
    this.last = last;
    this.members = members;
    this.hash = hash;
    this.page = page;
    this.fixed = fixed;
  }

  /**
   * Returns true if a page belongs to this slot: the hash of its last block covers all headers up
   * to it.
   */
  matches(page: BlockPage): boolean {
    const { first, last } = this;
    return page.first === first && page.last === last && equal(page.hashAt(last), this.hash);
  }

  /** Constructor arguments for keyframes; includes the page only if it is fixed. */
  get parts() {
    const page = this.fixed ? this.page?.toBytes() : undefined;
    return [this.first, this.last, this.members, this.hash, page] as const;
  }

  static of([first, last, members, hash, bytes]: BlockSlot["parts"]): BlockSlot {
    const page = bytes && BlockPage.fromBytes(bytes, [], "sealed");
    return new BlockSlot(first, last, members, hash, page, page !== undefined);
  }
}
