import type { BlockRequest } from "../app/app.ts";
import type { EvidenceParams } from "../consensus/params.ts";
import { EvidencePool } from "../consensus/pool.ts";
import { ValidatorSet } from "../consensus/validator-set.ts";
import { ValidatorSets } from "../consensus/validator-sets.ts";
import type { ValidatorUpdate } from "../framework/module.ts";
import type { Time } from "../primitives/time.ts";
import { BlockStore } from "./block-store.ts";
import type { Applied } from "./node.ts";

/** What the ledger needs to know of its chain. */
export interface LedgerConfig {
  readonly chainId: string;
  readonly genesisTime: Time;
  readonly evidence: EvidenceParams;
}

/** Blocks from a height on that one binary applied for most of the power. */
interface Run {
  readonly from: number;
  readonly binary: string;
  readonly plain: boolean;
}

/**
 * What has been decided and what has been committed. A block is decided by votes; it is committed once
 * nodes with more than two thirds of the power have applied it, and only then does the next one
 * begin. Between the two lies an upgrade that nobody has applied yet.
 */
export class Ledger {
  readonly blocks = new BlockStore();
  readonly pool = new EvidencePool();
  readonly sets: ValidatorSets;
  readonly genesis: Applied;
  readonly #config: LedgerConfig;
  readonly #runs: Run[] = [];
  #head: Applied;

  constructor(config: LedgerConfig, genesis: Applied, validators: readonly ValidatorUpdate[]) {
    this.#config = config;
    this.genesis = genesis;
    this.#head = genesis;
    this.sets = ValidatorSets.genesis(ValidatorSet.create(validators));
  }

  /** Height of the last decided block. */
  get decided(): number {
    return this.blocks.height;
  }

  /** Greatest height applied by nodes with more than two thirds of the power. */
  get committed(): number {
    return this.#head.height;
  }

  /** The last committed block as most of the power applied it; the genesis state before block 1. */
  get head(): Applied {
    return this.#head;
  }

  /** The validators that vote on the next block. */
  get voting(): ValidatorSet {
    return this.decided === this.committed ? this.sets.current : this.sets.next;
  }

  /** The block as the application of any node is handed it. */
  request(height: number): BlockRequest {
    const { txs, misbehavior } = this.blocks.bodyAt(height);
    return {
      chainId: this.#config.chainId,
      height,
      time: this.blocks.timeAt(height) as Time,
      proposerAddress: this.blocks.proposerAt(height),
      lastCommit: this.blocks.commitInfo(height - 1),
      misbehavior,
      txs,
    };
  }

  /** App hash after a committed height; of the genesis state for 0. */
  appHashAt(height: number): Uint8Array {
    return height === 0 ? this.genesis.appHash : this.blocks.appHashAt(height);
  }

  /** Merkle root of the transaction results of a committed height. */
  resultsHashAt(height: number): Uint8Array {
    return height === 0 ? this.genesis.resultsHash : this.blocks.resultsHashAt(height);
  }

  /** The binary that applied a committed block for most of the power. */
  binaryAt(height: number): string | undefined {
    return this.#runs.findLast((run) => run.from <= height)?.binary;
  }

  /** The one binary that applied every block from a height on, with no special settings; else undefined. */
  plainBinarySince(height: number): string | undefined {
    const last = this.#runs.at(-1);
    return last?.plain && last.from <= height ? last.binary : undefined;
  }

  /**
   * Commits the last decided block as `head` applied it: validator sets move on, conflicting votes
   * become evidence. Returns why votes that somebody reported were dropped. Throws Error, and nothing
   * is committed, if the validator set cannot take the changes.
   */
  commit(head: Applied): readonly string[] {
    this.sets.advance(head.outcome?.validatorUpdates ?? []);
    this.#head = head;
    const run = this.#runs.at(-1);
    if (run === undefined || run.binary !== head.binary || run.plain !== head.plain) {
      this.#runs.push({ from: head.height, binary: head.binary, plain: head.plain });
    }
    this.blocks.setResults(head.height, head.appHash, head.resultsHash);
    return this.#updatePool(head.height);
  }

  #updatePool(height: number): readonly string[] {
    const { blocks } = this;
    const { dropped } = this.pool.update(blocks.bodyAt(height).evidence, {
      chainId: this.#config.chainId,
      lastHeight: height,
      lastTime: blocks.timeAt(height) ?? this.#config.genesisTime,
      params: this.#config.evidence,
      timeAt: (h) => blocks.timeAt(h),
      validatorsAt: (h) => (blocks.has(h) ? blocks.validatorsAt(h) : undefined),
      blockAt: () => undefined,
    });
    return dropped.map(({ reason }) => reason);
  }
}
