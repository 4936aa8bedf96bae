import { sha256 } from "../../../base/sha256.ts";
import { misbehaviorOf } from "../../consensus/evidence.ts";
import type { EvidencePool } from "../../consensus/pool.ts";
import type { Misbehavior } from "../../framework/context.ts";
import { type BlockBody, EMPTY_BODY } from "./block.ts";

const NONE: readonly number[] = [];

/** Pending contents of the next block, except the evidence in the pool. */
export class Mempool {
  #txs: Uint8Array[] = [];
  /** Hashes of the transactions, in the same order. */
  #hashes: Uint8Array[] = [];
  #forwarded: Misbehavior[] = [];
  /** Past heights referenced by the transactions. */
  #about: number[] = [];

  /** State stored in keyframes. */
  get persisted() {
    return [this.#txs, this.#forwarded, this.#about] as const;
  }
  set persisted(persisted) {
    [this.#txs, this.#forwarded, this.#about] = persisted;
    this.#hashes = this.#txs.map(sha256);
  }

  /** Queues a transaction and returns its hash. @param heights past heights that it references */
  submit(tx: Uint8Array, heights: readonly number[] = []): Uint8Array {
    const hash = sha256(tx);
    this.#txs.push(tx);
    this.#hashes.push(hash);
    this.#about.push(...heights);
    return hash;
  }

  /** Passes misbehavior to the application with the next block, unchecked (rules/consensus 2.6). */
  forward(item: Misbehavior): void {
    this.#forwarded.push(item);
  }

  /** Pending transactions, in order. */
  get txs(): readonly Uint8Array[] {
    return this.#txs;
  }

  /** Past heights referenced by the pending contents. */
  get heights(): readonly number[] {
    if (this.#about.length + this.#forwarded.length === 0) return NONE;
    return [...this.#about, ...this.#forwarded.map(({ height }) => height)];
  }

  /** Returns the body of the next block: everything pending, and as much evidence as fits. */
  reap(pool: EvidencePool, maxEvidenceBytes: number): BlockBody {
    const evidence = pool.propose(maxEvidenceBytes);
    if (evidence.length + this.#txs.length + this.#forwarded.length === 0) return EMPTY_BODY;
    const misbehavior = [...evidence.flatMap((ev) => misbehaviorOf(ev)), ...this.#forwarded];
    const body = { txs: this.#txs, txHashes: this.#hashes, evidence, misbehavior };
    this.#txs = [];
    this.#hashes = [];
    this.#forwarded = [];
    this.#about = [];
    return body;
  }
}
