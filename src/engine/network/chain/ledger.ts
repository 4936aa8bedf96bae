import type { Time } from "../../../base/time.ts";
import type { BlockRequest } from "../../app/app.ts";
import type { Evidence } from "../../consensus/evidence.ts";
import type { Header } from "../../consensus/header.ts";
import type { TrustedBlock } from "../../consensus/light-client-attack.ts";
import type { EvidenceParams } from "../../consensus/params.ts";
import { type EvidenceChain, EvidencePool } from "../../consensus/pool.ts";
import type { ValidatorUpdate } from "../../consensus/validator-changes.ts";
import type { ValidatorList } from "../../consensus/validator-list.ts";
import type { ValidatorSet } from "../../consensus/validator-set.ts";
import type { ValidatorSets } from "../../consensus/validator-sets.ts";
import type { CommitInfo } from "../../framework/context.ts";
import type { Applied } from "../node/applied.ts";
import { type BlockPaging, BlockStore } from "./block-store.ts";
import { commitOf } from "./commit-info.ts";
import { changesBetween } from "./page-validators.ts";

export interface LedgerConfig {
  readonly chainId: string;
  readonly genesisTime: Time;
  readonly evidence: EvidenceParams;
  readonly paging: BlockPaging;
  headerAt(height: number): Header | undefined;
}

/** Initial state of a chain before its first block, except the application state. */
export interface InitialState {
  /**
   * Validators of the first two blocks, and of the block before them if the chain continues an
   * exported one.
   */
  readonly sets: ValidatorSets;
  /** Indexes of the validators that did not sign the block before the first one. */
  readonly lastAbsent: readonly number[];
  /** Earlier manual edits; absent if there were none. */
  readonly tampered?: readonly Tampered[];
}

/** A manual edit of one byte of a value. Bytes are upper-case hex. */
export interface Tampered {
  /** Last height whose state follows from the blocks. */
  readonly height: number;
  readonly store: string;
  readonly key: string;
  /** Offset of the byte in the value, with its old and new value. */
  readonly place: number;
  readonly was: number;
  readonly is: number;
  /** After that height: the app hash computed from the blocks, and the one that the nodes have. */
  readonly appHash: string;
  readonly heldAppHash: string;
}

/** Blocks from a height on that most of the power applied with the same binary. */
export interface Run {
  readonly from: number;
  readonly binary: string;
  readonly defaultFlags: boolean;
}

/**
 * Decided and committed blocks of a chain. A block is decided by votes; it is committed once nodes
 * with more than two thirds of the power have applied it, and only then the next one begins. The
 * block of an upgrade that no node has applied yet is decided but not committed.
 */
export class Ledger {
  blocks: BlockStore;
  pool = new EvidencePool();
  sets: ValidatorSets;
  readonly genesis: Applied;
  readonly #config: LedgerConfig;
  readonly #initial: InitialState;
  /**
   * Grows only when operators change the binary or the flags of most of the power: bounded by the
   * number of commands.
   */
  #runs: Run[] = [];
  #head: Applied;
  /** Manual edits, oldest first. A chain with any of them is impossible. */
  tampered: readonly Tampered[] = [];

  constructor(config: LedgerConfig, genesis: Applied, initial: InitialState) {
    this.#config = config;
    this.#initial = initial;
    this.genesis = genesis;
    this.blocks = new BlockStore(genesis.height, config.paging);
    this.#head = genesis;
    this.sets = initial.sets.copy();
    this.tampered = initial.tampered ?? [];
  }

  /** Becomes a copy of another ledger of the same chain. */
  copyFrom(other: Ledger): void {
    this.blocks = other.blocks.copy(this.#config.paging);
    this.pool = other.pool.copy();
    this.sets = other.sets.copy();
    this.#runs = [...other.#runs];
    this.#head = other.#head;
    this.tampered = other.tampered;
  }

  /** State stored in keyframes. */
  get persisted() {
    const { blocks, pool, sets, tampered } = this;
    return [blocks.persisted, pool.persisted, sets, this.#runs, this.#head, tampered] as const;
  }
  set persisted([blocks, pool, sets, runs, head, tampered]) {
    this.blocks.persisted = blocks;
    this.pool.persisted = pool;
    this.sets = sets;
    this.#runs = runs;
    this.#head = head;
    this.tampered = tampered;
  }

  /** Height of the last decided block. */
  get decided(): number {
    return this.blocks.height;
  }

  /** Greatest height applied by nodes with more than two thirds of the power. */
  get committed(): number {
    return this.#head.height;
  }

  /**
   * Last committed block as applied by most of the power; the genesis state before the first block.
   */
  get head(): Applied {
    return this.#head;
  }

  /** Validators that vote on the next block. */
  get voting(): ValidatorSet {
    return this.decided === this.committed ? this.sets.current : this.sets.next;
  }

  /** Returns the request to execute a block, the same for every node's application. */
  request(height: number): BlockRequest {
    const { txs, misbehavior } = this.blocks.bodyAt(height);
    return {
      chainId: this.#config.chainId,
      height,
      time: this.blocks.timeAt(height) as Time,
      proposerAddress: this.blocks.proposerAt(height),
      lastCommit: this.commitInfo(height - 1),
      misbehavior,
      txs,
    };
  }

  /** Commit of a block, as passed to the next block's execution. */
  commitInfo(height: number): CommitInfo {
    const { sets, lastAbsent } = this.#initial;
    return height === this.genesis.height && sets.last !== null
      ? commitOf(sets.last, lastAbsent)
      : this.blocks.commitInfo(height);
  }

  /**
   * Validator sets after a committed height, with their priorities. The latest ones are stored; for
   * other heights the changes since genesis are replayed: O(height).
   */
  setsAfter(height: number): ValidatorSets {
    if (height === this.committed) return this.sets.copy();
    const sets = this.#initial.sets.copy();
    for (let at = this.genesis.height + 1; at <= height; at++) {
      const [before, after] = [this.#listAt(at + 1), this.#listAt(at + 2)];
      sets.advance(before === after ? [] : changesBetween(before, after));
    }
    return sets;
  }

  /** Validator updates of a committed block; they take effect two heights later. */
  updatesOf(height: number): readonly ValidatorUpdate[] {
    const [before, after] = [this.#listAt(height + 1), this.#listAt(height + 2)];
    return before === after ? [] : changesBetween(before, after);
  }

  #listAt(height: number): ValidatorList {
    if (height <= this.decided) return this.blocks.validatorsAt(height);
    return height === this.committed + 1 ? this.sets.current.list : this.sets.next.list;
  }

  /**
   * Records the results for the next header, if its voters have a different state from most of the
   * power.
   */
  recordResults({ height, appHash, resultsHash }: Applied): void {
    if (height > this.genesis.height) this.blocks.setResults(height, appHash, resultsHash);
  }

  /**
   * App hash after a committed height; for the height before the first, that of the genesis state.
   */
  appHashAt(height: number): Uint8Array {
    return height === this.genesis.height ? this.genesis.appHash : this.blocks.appHashAt(height);
  }

  /** Merkle root of the transaction results of a committed height. */
  resultsHashAt(height: number): Uint8Array {
    return height === this.genesis.height
      ? this.genesis.resultsHash
      : this.blocks.resultsHashAt(height);
  }

  /** Binary with which most of the power applied a committed block. */
  binaryAt(height: number): string | undefined {
    return this.#runs.findLast((run) => run.from <= height)?.binary;
  }

  /**
   * The binary that applied every block from a height on with default flags; undefined if there is
   * no single one.
   */
  defaultBinarySince(height: number): string | undefined {
    const last = this.#runs.at(-1);
    return last?.defaultFlags && last.from <= height ? last.binary : undefined;
  }

  /**
   * Commits the last decided block with the results in `head`: updates the validator sets, turns
   * conflicting votes into evidence. Returns why reported votes were dropped. Throws Error, without
   * committing anything, if the updates are invalid for the validator set.
   */
  commit(head: Applied): readonly string[] {
    this.sets.advance(head.outcome?.validatorUpdates ?? []);
    this.#head = head;
    const run = this.#runs.at(-1);
    if (run === undefined || run.binary !== head.binary || run.defaultFlags !== head.defaultFlags) {
      this.#runs.push({ from: head.height, binary: head.binary, defaultFlags: head.defaultFlags });
    }
    this.blocks.setResults(head.height, head.appHash, head.resultsHash);
    return this.#updatePool(head.height);
  }

  /** Adds evidence to the pool. Returns CometBFT's error if the pool refuses it, else null. */
  submit(evidence: Evidence): string | null {
    return this.pool.add(evidence, this.#chain());
  }

  #updatePool(height: number): readonly string[] {
    const { evidence } = this.blocks.bodyAt(height);
    if (evidence.length === 0 && this.pool.isIdle) return NONE;
    const { dropped } = this.pool.update(evidence, this.#chain());
    return dropped.map(({ reason }) => reason);
  }

  /** Chain up to the last committed block, for the evidence pool. */
  #chain(): EvidenceChain {
    const { blocks, committed } = this;
    const known = (height: number): boolean => blocks.has(height) && height <= committed;
    return {
      chainId: this.#config.chainId,
      lastHeight: committed,
      lastTime: blocks.timeAt(committed) ?? this.#config.genesisTime,
      params: this.#config.evidence,
      timeAt: (h) => (known(h) ? blocks.timeAt(h) : undefined),
      validatorsAt: (h) => (known(h) ? blocks.validatorsAt(h) : undefined),
      blockAt: (h) => this.trustedBlock(h),
    };
  }

  /** A committed block as a light client's trusted block; undefined if there is none. */
  trustedBlock(height: number): TrustedBlock | undefined {
    const header = height <= this.committed ? this.#config.headerAt(height) : undefined;
    if (header === undefined) return undefined;
    return { header, round: this.blocks.roundAt(height), signers: this.blocks.signersAt(height) };
  }
}

const NONE: readonly string[] = [];
