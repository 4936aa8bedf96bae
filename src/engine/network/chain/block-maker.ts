import type { Bitset } from "../../consensus/bitset.ts";
import { blockIdOf } from "../../consensus/block-id.ts";
import type { VoteTimes } from "../../consensus/commit.ts";
import { HeaderHasher } from "../../consensus/header.ts";
import type { Time } from "../../primitives/time.ts";
import type { Applied } from "../node/node.ts";
import {
  createHeader,
  type HeaderConstants,
  type HeaderParts,
  type VotedCommit,
} from "./headers.ts";

/** What a block is made of, besides what the maker remembers of the one before. */
export interface BlockParts extends HeaderParts {
  readonly round: number;
  readonly agreed: Applied;
}

/** Makes headers one after another, each on the commit of the last, and hashes only what changed. */
export class BlockMaker {
  readonly #constants: HeaderConstants;
  readonly #hasher = new HeaderHasher();
  #lastCommit: VotedCommit | undefined;

  /** The commit of the block made last; undefined before the first. */
  get lastCommit(): VotedCommit | undefined {
    return this.#lastCommit;
  }

  constructor(constants: HeaderConstants) {
    this.#constants = constants;
  }

  /** Stands the next header on a commit that another maker noted. */
  restore(lastCommit: VotedCommit | undefined): void {
    this.#lastCommit = lastCommit;
  }

  /** The hash of the header made of these parts. */
  make(parts: BlockParts): Uint8Array {
    return this.#hasher.hash(createHeader(this.#constants, parts, this.#lastCommit));
  }

  /** Notes who signed the block just made, for the next header. `timestamp` is their median time. */
  commit(
    parts: BlockParts,
    hash: Uint8Array,
    signers: Bitset,
    timestamp: Time,
    times: VoteTimes,
  ): void {
    const { height, round, voting } = parts;
    const nilSigners = nobody(signers);
    this.#lastCommit = {
      voters: voting,
      commit: { height, round, blockId: blockIdOf(hash), signers, nilSigners, timestamp, times },
    };
  }
}

let empty: Bitset | undefined;

/** The empty set beside `signers`, kept from block to block. */
function nobody(signers: Bitset): Bitset {
  if (empty?.size !== signers.size) empty = signers.difference(signers);
  return empty;
}
