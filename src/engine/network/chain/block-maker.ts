import type { Time } from "../../../base/time.ts";
import { Bitset } from "../../consensus/bitset.ts";
import { blockIdOf } from "../../consensus/block-id.ts";
import type { VoteTimes } from "../../consensus/commit.ts";
import { HeaderHasher } from "../../consensus/header.ts";
import type { Applied } from "../node/applied.ts";
import {
  createHeader,
  type HeaderConstants,
  type HeaderParts,
  type VotedCommit,
} from "./headers.ts";

/** Contents of a new block, except the commit of the previous block. */
export interface BlockParts extends HeaderParts {
  readonly round: number;
  readonly agreed: Applied;
}

/** Returns the hash of a block if it is known in advance. */
export type HashLookup = (
  parts: HeaderParts,
  last: VotedCommit | undefined,
) => Uint8Array | undefined;

/**
 * Creates consecutive headers, each with the commit of the last block; hashes only what changed.
 */
export class BlockMaker {
  readonly #constants: HeaderConstants;
  readonly #hasher = new HeaderHasher();
  lookup: HashLookup | undefined;
  #lastCommit: VotedCommit | undefined;
  /** Reused from block to block. */
  #nilSigners = new Bitset(0);

  /** Commit of the last block; undefined before the first. */
  get lastCommit(): VotedCommit | undefined {
    return this.#lastCommit;
  }

  constructor(constants: HeaderConstants) {
    this.#constants = constants;
  }

  /** Makes the next header contain a commit that another maker collected. */
  restore(lastCommit: VotedCommit | undefined): void {
    this.#lastCommit = lastCommit;
  }

  /** Returns the hash of the header with these parts. */
  make(parts: BlockParts): Uint8Array {
    const last = this.#lastCommit;
    return (
      this.lookup?.(parts, last) ?? this.#hasher.hash(createHeader(this.#constants, parts, last))
    );
  }

  /** Sets the commit for the next header. `timestamp` is the median time of its votes. */
  commit(
    parts: BlockParts,
    hash: Uint8Array,
    signers: Bitset,
    timestamp: Time,
    times: VoteTimes,
  ): void {
    const { height, round, voting } = parts;
    if (this.#nilSigners.size !== signers.size) this.#nilSigners = new Bitset(signers.size);
    const nilSigners = this.#nilSigners;
    this.#lastCommit = {
      voters: voting,
      commit: { height, round, blockId: blockIdOf(hash), signers, nilSigners, timestamp, times },
    };
  }
}
