import { equal } from "../../../base/bytes.ts";
import { drain } from "../../../base/drain.ts";
import { isUnbounded, Pages, type Residence } from "../../../base/pages.ts";
import type { Time } from "../../../base/time.ts";
import { Bitset } from "../../consensus/bitset.ts";
import { type BlockId, blockIdOf, NIL_BLOCK_ID } from "../../consensus/block-id.ts";
import type { VoteTimes } from "../../consensus/commit.ts";
import type { ValidatorList } from "../../consensus/validator-list.ts";
import type { ChainRecord, CommitInfo } from "../../framework/context.ts";
import { type BlockBody, type DecidedBlock, EMPTY_BODY } from "./block.ts";
import { BlockPage } from "./block-page.ts";
import { BlockSlot } from "./block-slot.ts";
import { commitOf, NO_COMMIT } from "./commit-info.ts";
import { isMember, type ListInForce } from "./page-validators.ts";

/**
 * Maximum number of blocks on a page: some 150 KB of columns, read from storage within a
 * millisecond.
 */
const PAGE_BLOCKS = 4096;
/**
 * Bytes of transactions and evidence at which a page ends early: reading a block reads its whole
 * page.
 */
const PAGE_BYTES = 1 << 20;
/**
 * Limit on pages in memory: 150 000 quiet blocks, or 20 000 transactions. With results, 12 MB in
 * all.
 */
const RESIDENT_BYTES = 6 << 20;

/** Page limits, and the residence of pages in memory. */
export interface BlockPaging extends Residence<BlockPage> {
  readonly pageBlocks: number;
  readonly pageBytes: number;
}

export const BLOCK_PAGING = {
  pageBlocks: PAGE_BLOCKS,
  pageBytes: PAGE_BYTES,
  residentBytes: RESIDENT_BYTES,
};

/** Pages of the usual size that all stay in memory. */
export const ALL_RESIDENT: BlockPaging = {
  ...BLOCK_PAGING,
  residentBytes: Number.POSITIVE_INFINITY,
  recall(index) {
    throw new Error(`page ${index} was evicted`);
  },
};

/**
 * Number of validator lists cached beside the pages: those of the newest heights, and some that
 * were queried.
 */
const CACHED_LISTS = 16;

/**
 * Every decided block. The newest are on an open page; full pages are sealed, shared by copies,
 * evicted when there are too many, and reloaded when needed. Page boundaries depend only on the
 * blocks. A chain that continues an exported one starts above height 1.
 */
export class BlockStore {
  /** Height before the first block. */
  readonly #base: number;
  readonly #paging: BlockPaging;
  #sealed: Pages<BlockPage, BlockSlot>;
  #open: BlockPage | undefined;
  /** Newest first, starting with that of the newest block. */
  #lists: readonly ListInForce[] = [];

  /** @param base height before the first block */
  constructor(base: number, paging: BlockPaging) {
    this.#base = base;
    this.#paging = paging;
    this.#sealed = new Pages(paging);
  }

  /** Returns an independent copy; only the open page is copied. */
  copy(paging: BlockPaging): BlockStore {
    const copy = new BlockStore(this.#base, paging);
    copy.#adopt(this.#sealed.slots, this.#sealed.settled);
    copy.#open = this.#open?.copy();
    copy.#lists = this.#lists;
    return copy;
  }

  /** State stored in keyframes. */
  get persisted() {
    const [newest] = this.#lists;
    return [this.#sealed.slots, this.#open?.toBytes(), newest] as const;
  }
  set persisted([slots, open, newest]) {
    const known = newest === undefined ? [] : [newest.list];
    // Pages of a fork are settled when the main chain follows it.
    this.#adopt(slots, isUnbounded(this.#paging) ? 0 : slots.length);
    this.#open = open && BlockPage.fromBytes(open, known, "open");
    this.#lists = newest === undefined ? [] : [newest];
  }

  /** Takes over pages; from now on they can be reloaded if those of this store can. */
  #adopt(slots: readonly BlockSlot[], settled: number): void {
    this.#sealed = new Pages(this.#paging, slots, settled);
    if (!isUnbounded(this.#paging)) for (const slot of slots) slot.fixed = false;
  }

  /** Height of the first block, whether or not there is one yet. */
  get initialHeight(): number {
    return this.#base + 1;
  }

  /** Height of the last decided block; one below the initial height before the first. */
  get height(): number {
    return this.#open?.last ?? this.#sealed.slots.at(-1)?.last ?? this.#base;
  }

  /** Page of the newest blocks; undefined before the first. */
  get open(): BlockPage | undefined {
    return this.#open;
  }

  /** Appends the next block. */
  append(block: DecidedBlock): void {
    const height = this.height + 1;
    const before = this.#lists[0];
    this.#open ??= new BlockPage(height, block.validators);
    if (this.#isFull(this.#open)) {
      this.#seal(this.#open);
      this.#open = new BlockPage(height, block.validators);
    }
    this.#open.append(block, before?.list);
    if (before?.list === block.validators) return;
    const ended = before === undefined ? [] : [{ ...before, to: height - 1 }];
    const list = { from: height, to: Number.POSITIVE_INFINITY, list: block.validators };
    this.#lists = [list, ...ended, ...this.#lists.slice(1, CACHED_LISTS)];
  }

  #isFull({ count, contentBytes }: BlockPage): boolean {
    return count >= this.#paging.pageBlocks || contentBytes >= this.#paging.pageBytes;
  }

  #seal(open: BlockPage): void {
    const { first, last } = open;
    const own = open.validators.members();
    const known = this.#sealed.slots.at(-1)?.members;
    const members = known !== undefined && equal(known, own) ? known : own;
    const page = open.sealed();
    const hash = page.hashAt(last).slice();
    this.#sealed.push(new BlockSlot(first, last, members, hash, page, isUnbounded(this.#paging)));
  }

  /** Records the results of the newest block, once most of the power has applied it. */
  setResults(height: number, appHash: Uint8Array, resultsHash: Uint8Array): void {
    if (height !== this.#open?.last) throw new RangeError(`block ${height} is not the newest`);
    this.#open.setResults(appHash, resultsHash);
  }

  // ——— pages ———

  get sealed(): Pages<BlockPage, BlockSlot> {
    return this.#sealed;
  }

  /** Loads an evicted sealed page. Throws if the bytes are not those of this page. */
  load(index: number, bytes: Uint8Array): void {
    const page = BlockPage.fromBytes(bytes, this.#sharedLists(), "sealed");
    if (!this.#sealed.slots[index]?.matches(page)) {
      throw new Error(`these bytes are not those of page ${index}`);
    }
    this.#sealed.load(index, page);
  }

  /**
   * Returns true if the newest sealed page of another store, or the newest that both stores have,
   * ends with the same block in this one.
   */
  continues({ sealed: { slots } }: BlockStore): boolean {
    const own = this.#sealed.slots;
    const last = Math.min(own.length, slots.length) - 1;
    const [mine, its] = [own[last], slots[last]];
    return mine === undefined || its === undefined || equal(mine.hash, its.hash);
  }

  *#sharedLists(): Iterable<ValidatorList> {
    for (const { list } of this.#lists) yield list;
    for (const { page } of this.#sealed.slots) if (page !== undefined) yield page.validators.base;
  }

  // ——— blocks ———

  has(height: number): boolean {
    return height > this.#base && height <= this.height;
  }

  /** Returns the page of a height. Throws RangeError for a height without a block. */
  #pageWith(height: number): BlockPage {
    const open = this.#open;
    if (open !== undefined && height >= open.first && height <= open.last) return open;
    const index = this.#sealed.indexOf(height);
    if (index === undefined) throw new RangeError(`there is no block ${height}`);
    return this.#sealed.get(index);
  }

  /** Last height on the page of a height, or on the page `more` pages later. */
  lastWithin(height: number, more: number): number {
    const index = this.#sealed.indexOf(height);
    return (
      (index === undefined ? undefined : this.#sealed.slots[index + more]?.last) ?? this.height
    );
  }

  timeAt(height: number): Time | undefined {
    return this.has(height) ? this.#pageWith(height).timeAt(height) : undefined;
  }

  /** View into the column; copy it to store it. */
  hashAt(height: number): Uint8Array | undefined {
    return this.has(height) ? this.#pageWith(height).hashAt(height) : undefined;
  }

  /**
   * Height of the newest block with this hash among those in memory; undefined if there is none.
   * The caller loads other blocks first.
   */
  heightOf(hash: Uint8Array): number | undefined {
    const found = this.#open?.heightOf(hash);
    if (found !== undefined) return found;
    const page = this.#sealed.slots.findLast((slot) => slot.page?.heightOf(hash) !== undefined);
    return page?.page?.heightOf(hash);
  }

  /** App hash after the block; a view into the column. */
  appHashAt(height: number): Uint8Array {
    return this.#pageWith(height).appHashAt(height);
  }

  /** Merkle root of the transaction results of a block; a view into the column. */
  resultsHashAt(height: number): Uint8Array {
    return this.#pageWith(height).resultsHashAt(height);
  }

  blockIdAt(height: number): BlockId {
    const hash = this.hashAt(height);
    return hash === undefined ? NIL_BLOCK_ID : blockIdOf(hash.slice());
  }

  proposerAt(height: number): Uint8Array {
    return this.validatorsAt(height).at(this.#pageWith(height).proposerAt(height)).address;
  }

  roundAt(height: number): number {
    return this.#pageWith(height).roundAt(height);
  }

  bodyAt(height: number): BlockBody {
    return this.has(height) ? this.#pageWith(height).bodyAt(height) : EMPTY_BODY;
  }

  absentAt(height: number): readonly number[] {
    return this.has(height) ? this.#pageWith(height).absentAt(height) : [];
  }

  /** Timestamps of the precommits for the block; undefined if all equal the next block's time. */
  voteTimesAt(height: number): VoteTimes | undefined {
    return this.#pageWith(height).voteTimesAt(height);
  }

  /** Returns the signers of the block, as indexes into the validator set of its height. */
  signersAt(height: number): Bitset {
    const signers = Bitset.full(this.validatorsAt(height).size);
    for (const index of this.absentAt(height)) signers.set(index, false);
    return signers;
  }

  /** Result of `searchLastSigned`. */
  lastSignedBy(...search: Parameters<BlockStore["searchLastSigned"]>): number {
    return drain(this.searchLastSigned(...search));
  }

  /**
   * Last height in (after, upTo] whose commit contains a validator's precommit; 0 if there is none.
   * Skips pages on which the validator was in no set; on others, checks each run of equal commits
   * once. Yields each sealed page before it is read.
   */
  *searchLastSigned(
    consensusAddress: Uint8Array,
    upTo: number,
    after: number,
  ): Generator<BlockSlot, number> {
    let height = Math.min(upTo, this.height);
    while (height > after && height > this.#base) {
      const index = this.#sealed.indexOf(height);
      const slot = index === undefined ? undefined : this.#sealed.slots[index];
      if (slot === undefined || isMember(slot.members, consensusAddress)) {
        if (slot !== undefined) yield slot;
        const found = this.#pageWith(height).lastSignedBy(consensusAddress, height, after);
        if (found !== undefined) return found;
      }
      height = (slot?.first ?? this.#open?.first ?? 0) - 1;
    }
    return 0;
  }

  /** Validators that voted on a height. Throws for an undecided height. */
  validatorsAt(height: number): ValidatorList {
    const known = this.#lists.find(({ from, to }) => height >= from && height <= to);
    if (known !== undefined && this.has(height)) return known.list;
    const page = this.#pageWith(height);
    const made = page.validators.listAt(height, page.first, page.last);
    const [newest, ...others] = this.#lists;
    const stored = [made, ...others.slice(0, CACHED_LISTS - 2)];
    this.#lists = newest === undefined ? stored : [newest, ...stored];
    return made.list;
  }

  /** Commit of a block, as passed to the next block's execution. */
  commitInfo(height: number): CommitInfo {
    if (!this.has(height)) return NO_COMMIT;
    return commitOf(this.validatorsAt(height), this.absentAt(height));
  }

  /** History of the chain as seen by the execution of block `height`: nothing later is visible. */
  recordUpTo(height: number): ChainRecord {
    return new RecordUpTo(this, height);
  }
}

/** One object per block instead of three closures. */
class RecordUpTo implements ChainRecord {
  readonly #blocks: BlockStore;
  readonly #last: number;

  constructor(blocks: BlockStore, last: number) {
    this.#blocks = blocks;
    this.#last = last;
  }

  timeAt(height: number) {
    return height <= this.#last ? this.#blocks.timeAt(height) : undefined;
  }

  blockHashAt(height: number) {
    return height <= this.#last ? this.#blocks.hashAt(height) : undefined;
  }

  validatorAt(height: number, address: Uint8Array) {
    if (height > this.#last || !this.#blocks.has(height)) return undefined;
    return this.#blocks.validatorsAt(height).find(address) ?? undefined;
  }
}
