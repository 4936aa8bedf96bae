import type { Bitset } from "../consensus/bitset.ts";
import { blockIdOf, NIL_BLOCK_ID } from "../consensus/block-id.ts";
import {
  type Commit,
  compactCommitHash,
  expandCommit,
  lastCommitHash,
} from "../consensus/commit.ts";
import { evidenceListHash } from "../consensus/evidence.ts";
import { consensusHash, dataHash } from "../consensus/hashes.ts";
import { BLOCK_PROTOCOL, HeaderHasher } from "../consensus/header.ts";
import type { BlockParams } from "../consensus/params.ts";
import type { ValidatorList } from "../consensus/validator-list.ts";
import type { Time } from "../primitives/time.ts";
import type { BlockBody } from "./block-store.ts";
import type { Applied } from "./node.ts";

/** What a block is made of, besides what the maker remembers of the one before. */
export interface BlockParts {
  readonly height: number;
  readonly time: Time;
  readonly round: number;
  /** What its voters agree the chain's state is. */
  readonly agreed: Applied;
  readonly body: BlockBody;
  readonly voting: ValidatorList;
  readonly nextVoting: ValidatorList;
  /** Place of the proposer in the voting set. */
  readonly proposer: number;
}

/** Makes headers one after another, each on the commit of the last, and hashes only what changed. */
export class BlockMaker {
  readonly #chainId: string;
  readonly #consensusHash: Uint8Array;
  readonly #secretOf: ((address: Uint8Array) => Uint8Array) | undefined;
  readonly #hasher = new HeaderHasher();
  #lastCommit: { readonly commit: Commit; readonly voters: ValidatorList } | undefined;

  /** @param secretOf with `commits: full`, the key every precommit is signed with */
  constructor(
    chainId: string,
    block: BlockParams,
    secretOf: ((address: Uint8Array) => Uint8Array) | undefined,
  ) {
    this.#chainId = chainId;
    this.#consensusHash = consensusHash(block);
    this.#secretOf = secretOf;
  }

  /** The hash of the header made of these parts. */
  make(parts: BlockParts): Uint8Array {
    return this.#hasher.hash({
      version: { block: BLOCK_PROTOCOL, app: 0 },
      chainId: this.#chainId,
      height: parts.height,
      time: parts.time,
      lastBlockId: this.#lastCommit?.commit.blockId ?? NIL_BLOCK_ID,
      lastCommitHash: this.#lastCommitHash(),
      dataHash: dataHash(parts.body.txs),
      validatorsHash: parts.voting.hash(),
      nextValidatorsHash: parts.nextVoting.hash(),
      consensusHash: this.#consensusHash,
      appHash: parts.agreed.appHash,
      lastResultsHash: parts.agreed.resultsHash,
      evidenceHash: evidenceListHash(parts.body.evidence),
      proposerAddress: parts.voting.at(parts.proposer).address,
    });
  }

  /** Notes who signed the block just made, for the next header. `timestamp` is their median time. */
  commit(parts: BlockParts, hash: Uint8Array, signers: Bitset, timestamp: Time): void {
    const { height, round, voting } = parts;
    const nilSigners = nobody(signers);
    this.#lastCommit = {
      voters: voting,
      commit: { height, round, blockId: blockIdOf(hash), signers, nilSigners, timestamp },
    };
  }

  #lastCommitHash(): Uint8Array {
    const last = this.#lastCommit;
    const secretOf = this.#secretOf;
    if (last === undefined || secretOf === undefined)
      return compactCommitHash(last?.commit ?? null);
    const full = expandCommit(this.#chainId, last.commit, last.voters, (i) =>
      secretOf(last.voters.at(i).address),
    );
    return lastCommitHash(full.signatures);
  }
}

let empty: Bitset | undefined;

/** The empty set beside `signers`, kept from block to block. */
function nobody(signers: Bitset): Bitset {
  if (empty?.size !== signers.size) empty = signers.difference(signers);
  return empty;
}
