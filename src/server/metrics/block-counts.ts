/**
 * Counters that are updated block by block, so that a scrape costs the same at any height
 * (rules/clients 4.2).
 */

import { toHexUpper } from "../../base/bytes.ts";
import { misbehaviorOf } from "../../engine/consensus/evidence.ts";
import type { ValidatorList } from "../../engine/consensus/validator-list.ts";
import { BlockSizes } from "../../engine/simulation/block-sizes.ts";
import type { HistoryRanges } from "../../engine/simulation/history-range.ts";
import type { Simulation } from "../../engine/simulation/simulation.ts";
import { openBlocks } from "../../view/lab/reading.ts";
import { Histogram } from "./exposition.ts";

/** Maximum blocks counted at once; of more, only the newest are. */
const MOST = 10_000;

const SECONDS = [0.5, 1, 2, 3, 4, 5, 6, 7, 8, 10, 15, 20, 30, 60, 120];

/** Counters of a validator since counting began. */
export interface ValidatorCounts {
  proposed: number;
  validated: number;
  missed: number;
  /** Blocks missed only by this validator. */
  missedAlone: number;
  missedInARow: number;
  /** Proposed blocks without transactions. */
  empty: number;
  lastSigned: number;
}

/** Counters of the blocks of one world since it is watched. */
export class BlockCounts {
  readonly intervals = new Histogram(SECONDS);
  /** Transactions in the last block. */
  txs = 0;
  totalTxs = 0;
  /** Bytes of all counted blocks. */
  bytes = 0;
  blocks = 0;
  /** Skipped blocks: there were too many at once. */
  skipped = 0;
  failedRounds = 0;
  /** Validators, and their power, whose misbehavior was in the last block. */
  byzantine = { validators: 0, power: 0 };
  missing = { validators: 0, power: 0 };
  /** By consensus address, upper-case hex. */
  readonly validators = new Map<string, ValidatorCounts>();
  readonly sim: Simulation;
  readonly #sizes: BlockSizes;
  #height: number;
  #list: ValidatorList | undefined;
  #counts: readonly ValidatorCounts[] = [];

  /** Counts start with the next block. */
  constructor(sim: Simulation) {
    this.sim = sim;
    this.#sizes = new BlockSizes(sim);
    this.#height = sim.height;
  }

  /** The ranges that `observe` reads. */
  *reads(): HistoryRanges {
    yield* openBlocks(this.#first, this.sim.height);
  }

  get #first(): number {
    return Math.max(this.#height + 1, this.sim.height - MOST + 1);
  }

  /** Counts the new blocks. */
  observe(): void {
    const { height } = this.sim;
    if (height < this.#height) this.#height = height;
    const first = this.#first;
    this.skipped += first - this.#height - 1;
    for (let at = first; at <= height; at++) this.#count(at);
    this.#height = height;
  }

  #count(height: number): void {
    const { sim } = this;
    const block = sim.block(height);
    const signers = sim.signersOf(height);
    if (block === undefined || signers === undefined) return;
    this.blocks += 1;
    this.txs = block.txs.length;
    this.totalTxs += this.txs;
    this.failedRounds += block.round;
    this.bytes += this.#sizes.of(height) ?? 0;
    const before = sim.timeAt(height - 1);
    if (before !== undefined) this.intervals.observe(Number(block.time - before) / 1e9);
    const { list, absent } = signers;
    const gone = new Set(absent);
    this.missing = {
      validators: absent.length,
      power: absent.reduce((sum, i) => sum + (list.powers[i] ?? 0), 0),
    };
    const accused = block.evidence.flatMap((evidence) => misbehaviorOf(evidence));
    this.byzantine = {
      validators: accused.length,
      power: accused.reduce((sum, { power }) => sum + power, 0),
    };
    this.#countsIn(list).forEach((counts, i) => {
      if (gone.has(i)) {
        counts.missed += 1;
        counts.missedInARow += 1;
        if (gone.size === 1) counts.missedAlone += 1;
      } else {
        counts.validated += 1;
        counts.missedInARow = 0;
        counts.lastSigned = height;
      }
    });
    const proposer = this.countsOf(toHexUpper(block.proposer));
    proposer.proposed += 1;
    if (this.txs === 0) proposer.empty += 1;
  }

  /** Counters of a list's validators; a list stays the same for many blocks. */
  #countsIn(list: ValidatorList): readonly ValidatorCounts[] {
    if (this.#list !== list) {
      this.#list = list;
      this.#counts = list.addresses.map((address) => this.countsOf(toHexUpper(address)));
    }
    return this.#counts;
  }

  /** Counters of a validator, all 0 until it votes. */
  countsOf(address: string): ValidatorCounts {
    const known = this.validators.get(address);
    if (known !== undefined) return known;
    const counts = {
      proposed: 0,
      validated: 0,
      missed: 0,
      missedAlone: 0,
      missedInARow: 0,
      empty: 0,
      lastSigned: 0,
    };
    this.validators.set(address, counts);
    return counts;
  }
}
