import type { PageSlot } from "../../primitives/pages.ts";
import { BlockPage } from "./block-page.ts";
import type { Members } from "./page-validators.ts";

/** The place of a sealed page of blocks, with what stays known when it is let go: its validators. */
export class BlockSlot implements PageSlot<BlockPage> {
  readonly first: number;
  readonly last: number;
  readonly members: Members;
  page: BlockPage | undefined;
  /** Whether it would not come back once let go, such as a fork's: then a keyframe holds it. */
  fixed: boolean;

  constructor(
    first: number,
    last: number,
    members: Members,
    page: BlockPage | undefined,
    fixed: boolean,
  ) {
    this.first = first;
    this.last = last;
    this.members = members;
    this.page = page;
    this.fixed = fixed;
  }

  /** What a keyframe holds of it. */
  get parts() {
    const page = this.fixed ? this.page?.toBytes() : undefined;
    return [this.first, this.last, this.members, page] as const;
  }

  static of([first, last, members, bytes]: BlockSlot["parts"]): BlockSlot {
    const page = bytes && BlockPage.fromBytes(bytes, [], "sealed");
    return new BlockSlot(first, last, members, page, page !== undefined);
  }
}
