import { equal } from "../../primitives/bytes.ts";
import type { PageSlot } from "../../primitives/pages.ts";
import { BlockPage } from "./block-page.ts";
import type { Members } from "./page-validators.ts";

/** The place of a sealed page of blocks, with what stays known when it is let go: its validators, and the hash of its last block. */
export class BlockSlot implements PageSlot<BlockPage> {
  readonly first: number;
  readonly last: number;
  readonly members: Members;
  readonly hash: Uint8Array;
  page: BlockPage | undefined;
  /** Whether it would not come back once let go, such as a fork's: then a keyframe holds it. */
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

  /** Whether a page is this one: the hash of its last block covers every header up to there. */
  holds(page: BlockPage): boolean {
    const { first, last } = this;
    return page.first === first && page.last === last && equal(page.hashAt(last), this.hash);
  }

  /** What a keyframe holds of it. */
  get parts() {
    const page = this.fixed ? this.page?.toBytes() : undefined;
    return [this.first, this.last, this.members, this.hash, page] as const;
  }

  static of([first, last, members, hash, bytes]: BlockSlot["parts"]): BlockSlot {
    const page = bytes && BlockPage.fromBytes(bytes, [], "sealed");
    return new BlockSlot(first, last, members, hash, page, page !== undefined);
  }
}
