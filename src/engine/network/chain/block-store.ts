import { Bitset } from "../../consensus/bitset.ts";
import { type BlockId, blockIdOf, NIL_BLOCK_ID } from "../../consensus/block-id.ts";
import type { VoteTimes } from "../../consensus/commit.ts";
import type { Evidence } from "../../consensus/evidence.ts";
import { EMPTY_HASH } from "../../consensus/hashes.ts";
import type { ValidatorList } from "../../consensus/validator-list.ts";
import type { ChainRecord, CommitInfo, Misbehavior } from "../../framework/context.ts";
import { equal } from "../../primitives/bytes.ts";
import type { Time } from "../../primitives/time.ts";

/** What a block carries besides its header. Most blocks carry nothing and have none of this. */
export interface BlockBody {
  readonly txs: readonly Uint8Array[];
  readonly evidence: readonly Evidence[];
  readonly misbehavior: readonly Misbehavior[];
}

export const EMPTY_BODY: BlockBody = { txs: [], evidence: [], misbehavior: [] };

const HASH_SIZE = 32;

/**
 * Every decided block as packed columns indexed by height, so that a quiet block costs some 80 bytes
 * and no objects; what only some blocks have stands in sparse maps beside them. Each height is
 * appended once; its app hash follows when it has been applied. A chain that continues an exported
 * one begins above height 1: columns begin where the chain does.
 */
export class BlockStore {
  /** Height before the first block. */
  readonly #base: number;
  #height: number;
  #times = new BigInt64Array(1024);
  #hashes = new Uint8Array(1024 * HASH_SIZE);
  #appHashes = new Uint8Array(1024 * HASH_SIZE);
  #proposers = new Uint16Array(1024);
  #rounds = new Uint32Array(1024);
  #bodies = new Map<number, BlockBody>();
  #resultsHashes = new Map<number, Uint8Array>();
  #absent = new Map<number, readonly number[]>();
  /** Of heights at which some votes carried another time than most. */
  #voteTimes = new Map<number, VoteTimes>();
  /** Validator lists by the height from which they vote, ascending. */
  #lists: { readonly from: number; readonly list: ValidatorList }[] = [];

  /** @param base height before the first block */
  constructor(base: number) {
    this.#base = base;
    this.#height = base;
  }

  copy(): BlockStore {
    const copy = new BlockStore(this.#base);
    copy.#height = this.#height;
    copy.#times = this.#times.slice();
    copy.#hashes = this.#hashes.slice();
    copy.#appHashes = this.#appHashes.slice();
    copy.#proposers = this.#proposers.slice();
    copy.#rounds = this.#rounds.slice();
    copy.#bodies = new Map(this.#bodies);
    copy.#resultsHashes = new Map(this.#resultsHashes);
    copy.#absent = new Map(this.#absent);
    copy.#voteTimes = new Map(this.#voteTimes);
    copy.#lists = [...this.#lists];
    return copy;
  }

  /** What a keyframe holds of it. */
  get kept() {
    const used = this.#height - this.#base + 1;
    return [
      this.#height,
      this.#times.slice(0, used),
      this.#hashes.slice(0, used * HASH_SIZE),
      this.#appHashes.slice(0, used * HASH_SIZE),
      this.#proposers.slice(0, used),
      this.#rounds.slice(0, used),
      this.#bodies,
      this.#resultsHashes,
      this.#absent,
      this.#voteTimes,
      this.#lists,
    ] as const;
  }
  set kept(kept) {
    [
      this.#height,
      this.#times,
      this.#hashes,
      this.#appHashes,
      this.#proposers,
      this.#rounds,
      this.#bodies,
      this.#resultsHashes,
      this.#absent,
      this.#voteTimes,
      this.#lists,
    ] = kept;
  }

  /** Height of the first block, whether or not there is one yet. */
  get initialHeight(): number {
    return this.#base + 1;
  }

  /** Height of the last decided block; the one below the initial height before the first. */
  get height(): number {
    return this.#height;
  }

  /** Appends the next block. `absent` are indexes, in the set of this height, without a precommit. */
  append(block: {
    readonly time: Time;
    readonly hash: Uint8Array;
    readonly proposer: number;
    readonly round: number;
    readonly body: BlockBody;
    readonly absent: readonly number[];
    readonly validators: ValidatorList;
    readonly times: VoteTimes;
  }): void {
    const height = this.#height + 1;
    const at = height - this.#base;
    if (at >= this.#times.length) this.#grow();
    this.#height = height;
    this.#times[at] = block.time;
    this.#hashes.set(block.hash, at * HASH_SIZE);
    this.#proposers[at] = block.proposer;
    this.#rounds[at] = block.round;
    if (block.body !== EMPTY_BODY) this.#bodies.set(height, block.body);
    if (block.absent.length > 0) this.#absent.set(height, block.absent);
    if (block.times.others.size > 0) this.#voteTimes.set(height, block.times);
    if (this.#lists.at(-1)?.list !== block.validators) {
      this.#lists.push({ from: height, list: block.validators });
    }
  }

  /** Notes how a block came out, once most of the power has applied it. */
  setResults(height: number, appHash: Uint8Array, resultsHash: Uint8Array): void {
    this.#appHashes.set(appHash, (height - this.#base) * HASH_SIZE);
    if (resultsHash !== EMPTY_HASH) this.#resultsHashes.set(height, resultsHash);
    else this.#resultsHashes.delete(height);
  }

  /** Merkle root of the transaction results of a block. */
  resultsHashAt(height: number): Uint8Array {
    return this.#resultsHashes.get(height) ?? EMPTY_HASH;
  }

  has(height: number): boolean {
    return height > this.#base && height <= this.#height;
  }

  timeAt(height: number): Time | undefined {
    return this.has(height) ? this.#times[height - this.#base] : undefined;
  }

  /** A view into the column; copy it before keeping it. */
  hashAt(height: number): Uint8Array | undefined {
    return this.has(height) ? this.#view(this.#hashes, height) : undefined;
  }

  /** Height of the newest block with this hash; undefined if there is none. Looks at every block. */
  heightOf(hash: Uint8Array): number | undefined {
    for (let height = this.#height; height > this.#base; height--) {
      if (this.#hashes[(height - this.#base) * HASH_SIZE] !== hash[0]) continue;
      if (equal(this.#view(this.#hashes, height), hash)) return height;
    }
    return undefined;
  }

  /** App hash after the block; a view into the column. */
  appHashAt(height: number): Uint8Array {
    return this.#view(this.#appHashes, height);
  }

  blockIdAt(height: number): BlockId {
    const hash = this.hashAt(height);
    return hash === undefined ? NIL_BLOCK_ID : blockIdOf(hash.slice());
  }

  proposerAt(height: number): Uint8Array {
    return this.validatorsAt(height).at(this.#proposers[height - this.#base] as number).address;
  }

  roundAt(height: number): number {
    return this.#rounds[height - this.#base] as number;
  }

  bodyAt(height: number): BlockBody {
    return this.#bodies.get(height) ?? EMPTY_BODY;
  }

  absentAt(height: number): readonly number[] {
    return this.#absent.get(height) ?? NONE;
  }

  /** Timestamps of the precommits for the block; undefined if all equal the next block's time. */
  voteTimesAt(height: number): VoteTimes | undefined {
    return this.#voteTimes.get(height);
  }

  /** Who signed the block, as places in the set of its height. */
  signersAt(height: number): Bitset {
    const signers = Bitset.full(this.validatorsAt(height).size);
    for (const index of this.absentAt(height)) signers.set(index, false);
    return signers;
  }

  /**
   * The last height in (after, upTo] whose commit has a validator's precommit; 0 if there is none. Costs
   * nothing for the heights at which it was not in the set, however many.
   */
  lastSignedBy(consensusAddress: Uint8Array, upTo: number, after: number): number {
    let height = upTo;
    for (let i = this.#lists.length - 1; i >= 0 && height > after; i--) {
      const entry = this.#lists[i];
      if (entry === undefined || entry.from > height) continue;
      const index = entry.list.indexOf(consensusAddress);
      const first = Math.max(entry.from, after + 1);
      for (; index >= 0 && height >= first; height--) {
        if (!this.absentAt(height).includes(index)) return height;
      }
      height = entry.from - 1;
    }
    return 0;
  }

  /** The validators that voted on a height. Throws for a height that has not been decided. */
  validatorsAt(height: number): ValidatorList {
    for (let i = this.#lists.length - 1; i >= 0; i--) {
      const entry = this.#lists[i];
      if (entry !== undefined && entry.from <= height) return entry.list;
    }
    throw new RangeError(`no validators are known at height ${height}`);
  }

  /** The commit of a block, as the next block's execution gets it. */
  commitInfo(height: number): CommitInfo {
    if (!this.has(height)) return NO_COMMIT;
    return commitOf(this.validatorsAt(height), this.absentAt(height));
  }

  /** The chain's past as it looks while block `height` is executed: nothing later is seen. */
  recordUpTo(height: number): ChainRecord {
    return {
      timeAt: (h) => (h <= height ? this.timeAt(h) : undefined),
      blockHashAt: (h) => (h <= height ? this.hashAt(h) : undefined),
      validatorAt: (h, address) => {
        if (h > height || !this.has(h)) return undefined;
        return this.validatorsAt(h).find(address) ?? undefined;
      },
    };
  }

  #view(column: Uint8Array, height: number): Uint8Array {
    const at = (height - this.#base) * HASH_SIZE;
    return column.subarray(at, at + HASH_SIZE);
  }

  #grow(): void {
    const size = this.#times.length * 2;
    const grown = <T extends BigInt64Array | Uint8Array | Uint16Array | Uint32Array>(
      next: T,
      old: T,
    ): T => {
      next.set(old as never);
      return next;
    };
    this.#times = grown(new BigInt64Array(size), this.#times);
    this.#hashes = grown(new Uint8Array(size * HASH_SIZE), this.#hashes);
    this.#appHashes = grown(new Uint8Array(size * HASH_SIZE), this.#appHashes);
    this.#proposers = grown(new Uint16Array(size), this.#proposers);
    this.#rounds = grown(new Uint32Array(size), this.#rounds);
  }
}

const NONE: readonly number[] = [];

/** The commit of a list of validators without those whose indexes are given. */
export const commitOf = (list: ValidatorList, absent: readonly number[]): CommitInfo => ({
  size: list.size,
  validatorsHash: () => list.hash(),
  absent,
  address: (i) => list.at(i).address,
  power: (i) => list.powers[i] ?? 0,
});

const NO_COMMIT: CommitInfo = {
  size: 0,
  validatorsHash: () => new Uint8Array(),
  absent: [],
  address: () => new Uint8Array(),
  power: () => 0,
};
