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
import type { Time } from "../../primitives/time.ts";
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

/** Initial state of a chain before its first block, besides the application state. */
export interface Beginning {
  /**
   * The validators of the first two blocks, and of the block before if the chain continues an exported
   * one.
   */
  readonly sets: ValidatorSets;
  /** Indexes of those who did not sign the block before the first one. */
  readonly lastAbsent: readonly number[];
  /** Earlier manual edits; absent if there were none. */
  readonly tampered?: readonly Tampered[];
}

/** A byte of a value that was changed by hand. Bytes are upper-case hex. */
export interface Tampered {
  /** The last height whose state the blocks led to. */
  readonly height: number;
  readonly store: string;
  readonly key: string;
  /** Offset of the byte in the value, with its old and its new value. */
  readonly place: number;
  readonly was: number;
  readonly is: number;
  /** After that height: the app hash that the blocks give, and the one that the nodes hold. */
  readonly appHash: string;
  readonly heldAppHash: string;
}

/** Blocks from a height on that one binary applied for most of the power. */
export interface Run {
  readonly from: number;
  readonly binary: string;
  readonly defaultFlags: boolean;
}

/**
 * Decided and committed blocks of a chain. A block is decided by votes; it is committed once nodes
 * with more than two thirds of the power have applied it, and only then does the next one begin.
 * Between the two lies an upgrade that no node has applied yet.
 */
export class Ledger {
  blocks: BlockStore;
  pool = new EvidencePool();
  sets: ValidatorSets;
  readonly genesis: Applied;
  readonly #config: LedgerConfig;
  readonly #beginning: Beginning;
  /** One more only where operators changed the binary or the flags of most power: never more than commands. */
  #runs: Run[] = [];
  #head: Applied;
  /** Manual edits, oldest first. A chain with any of them is impossible. */
  tampered: readonly Tampered[] = [];

  constructor(config: LedgerConfig, genesis: Applied, beginning: Beginning) {
    this.#config = config;
    this.#beginning = beginning;
    this.genesis = genesis;
    this.blocks = new BlockStore(genesis.height, config.paging);
    this.#head = genesis;
    this.sets = beginning.sets.copy();
    this.tampered = beginning.tampered ?? [];
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
  get kept() {
    const { blocks, pool, sets, tampered } = this;
    return [blocks.kept, pool.kept, sets, this.#runs, this.#head, tampered] as const;
  }
  set kept([blocks, pool, sets, runs, head, tampered]) {
    this.blocks.kept = blocks;
    this.pool.kept = pool;
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

  /** The last committed block as most of the power applied it; the genesis state before the first block. */
  get head(): Applied {
    return this.#head;
  }

  /** The validators that vote on the next block. */
  get voting(): ValidatorSet {
    return this.decided === this.committed ? this.sets.current : this.sets.next;
  }

  /** The request with which every node's application executes a block. */
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

  /** The commit of a block, as the next block's execution gets it. */
  commitInfo(height: number): CommitInfo {
    const { sets, lastAbsent } = this.#beginning;
    return height === this.genesis.height && sets.last !== null
      ? commitOf(sets.last, lastAbsent)
      : this.blocks.commitInfo(height);
  }

  /**
   * The validator sets after a committed height, with their priorities. Those of the latest height are
   * kept; for others the changes since the beginning are made again: O(height).
   */
  setsAfter(height: number): ValidatorSets {
    if (height === this.committed) return this.sets.copy();
    const sets = this.#beginning.sets.copy();
    for (let at = this.genesis.height + 1; at <= height; at++) {
      const [before, after] = [this.#listAt(at + 1), this.#listAt(at + 2)];
      sets.advance(before === after ? [] : changesBetween(before, after));
    }
    return sets;
  }

  /** The changes of validators that a committed block brought; they act two heights later. */
  updatesOf(height: number): readonly ValidatorUpdate[] {
    const [before, after] = [this.#listAt(height + 1), this.#listAt(height + 2)];
    return before === after ? [] : changesBetween(before, after);
  }

  #listAt(height: number): ValidatorList {
    if (height <= this.decided) return this.blocks.validatorsAt(height);
    return height === this.committed + 1 ? this.sets.current.list : this.sets.next.list;
  }

  /**
   * Records the results that the next header carries, if its voters hold another state than most power
   * did.
   */
  recordResults({ height, appHash, resultsHash }: Applied): void {
    if (height > this.genesis.height) this.blocks.setResults(height, appHash, resultsHash);
  }

  /** App hash after a committed height; of the genesis state for the height before the first. */
  appHashAt(height: number): Uint8Array {
    return height === this.genesis.height ? this.genesis.appHash : this.blocks.appHashAt(height);
  }

  /** Merkle root of the transaction results of a committed height. */
  resultsHashAt(height: number): Uint8Array {
    return height === this.genesis.height
      ? this.genesis.resultsHash
      : this.blocks.resultsHashAt(height);
  }

  /** The binary that applied a committed block for most of the power. */
  binaryAt(height: number): string | undefined {
    return this.#runs.findLast((run) => run.from <= height)?.binary;
  }

  /** The one binary that applied every block from a height on, with default flags; undefined otherwise. */
  defaultBinarySince(height: number): string | undefined {
    const last = this.#runs.at(-1);
    return last?.defaultFlags && last.from <= height ? last.binary : undefined;
  }

  /**
   * Commits the last decided block as `head` applied it: validator sets move on, conflicting votes
   * become evidence. Returns why reported votes were dropped. Throws Error, and nothing
   * is committed, if the validator set cannot take the changes.
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

  /** The chain as the evidence pool sees it: up to the last committed block. */
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

  /** A committed block as a light client trusts it; undefined if there is none. */
  trustedBlock(height: number): TrustedBlock | undefined {
    const header = height <= this.committed ? this.#config.headerAt(height) : undefined;
    if (header === undefined) return undefined;
    return { header, round: this.blocks.roundAt(height), signers: this.blocks.signersAt(height) };
  }
}

const NONE: readonly string[] = [];
