import type { PageSlot } from "../../primitives/pages.ts";
import { BlockPage } from "./block-page.ts";
import type { Members } from "./page-validators.ts";

/** The place of a sealed page of blocks, with what stays known when it is let go: its validators. */
export class BlockSlot implements PageSlot<BlockPage> {
  readonly first: number;
  readonly last: number;
  readonly members: Members;
  page: BlockPage | undefined;
  /** Whether it is only a fork's: then it never comes back once let go, and a keyframe holds it. */
  forked: boolean;

  constructor(
    first: number,
    last: number,
    members: Members,
    page: BlockPage | undefined,
    forked: boolean,
  ) {
    this.first = first;
    this.last = last;
    this.members = members;
    this.page = page;
    this.forked = forked;
  }

  /** What a keyframe holds of it: the page itself only if it is a fork's. */
  get parts() {
    const page = this.forked ? this.page?.toBytes() : undefined;
    return [this.first, this.last, this.members, page] as const;
  }

  static of([first, last, members, bytes]: BlockSlot["parts"]): BlockSlot {
    const page = bytes && BlockPage.fromBytes(bytes, [], "sealed");
    return new BlockSlot(first, last, members, page, page !== undefined);
  }
}
