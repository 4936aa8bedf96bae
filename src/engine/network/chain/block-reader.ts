import { Bitset } from "../../consensus/bitset.ts";
import { blockSize } from "../../consensus/block.ts";
import { ABSENT, type CommitSig, FLAG_COMMIT, timeOf } from "../../consensus/commit.ts";
import { commitError, type VerifiedCommit } from "../../consensus/commit-verify.ts";
import type { Header } from "../../consensus/header.ts";
import type { Time } from "../../primitives/time.ts";
import {
  createHeader,
  type HeaderConstants,
  type HeaderParts,
  signedCommit,
  type VotedCommit,
} from "./headers.ts";
import type { Ledger } from "./ledger.ts";

/** Only its length matters here. */
const NO_SIGNATURE = new Uint8Array(64);

const NO_OTHERS: ReadonlyMap<number, Time> = new Map();

/** Rebuilds headers, commits and sizes of decided blocks from what the ledger keeps. */
export class BlockReader {
  readonly #constants: HeaderConstants;
  readonly #ledger: Ledger;
  readonly #secretOf: (address: Uint8Array) => Uint8Array;

  /** @param secretOf the key behind a consensus address */
  constructor(
    constants: HeaderConstants,
    ledger: Ledger,
    secretOf: (address: Uint8Array) => Uint8Array,
  ) {
    this.#constants = constants;
    this.#ledger = ledger;
    this.#secretOf = secretOf;
  }

  /** The header of a decided block; undefined if there is no such block. */
  header(height: number): Header | undefined {
    const ledger = this.#ledger;
    const { blocks } = ledger;
    if (!blocks.has(height)) return undefined;
    const voting = blocks.validatorsAt(height);
    const parts: HeaderParts = {
      height,
      time: blocks.timeAt(height) as Time,
      agreed: {
        appHash: ledger.appHashAt(height - 1).slice(),
        resultsHash: ledger.resultsHashAt(height - 1),
      },
      body: blocks.bodyAt(height),
      voting,
      nextVoting: blocks.has(height + 1) ? blocks.validatorsAt(height + 1) : ledger.voting.list,
      proposer: voting.indexOf(blocks.proposerAt(height)),
    };
    const isFirst = height === blocks.initialHeight;
    return createHeader(this.#constants, parts, isFirst ? undefined : this.#commitIn(height));
  }

  /** Bytes of a decided block as CometBFT encodes it; undefined if there is no such block. */
  size(height: number): number | undefined {
    const header = this.header(height);
    if (header === undefined) return undefined;
    const { blocks } = this.#ledger;
    const { txs, evidence } = blocks.bodyAt(height);
    const block = { header, txs, evidence };
    if (height === blocks.initialHeight) return blockSize(block, null);
    const { commit, voters } = this.#commitIn(height);
    const signatures = voters.addresses.map((validatorAddress, i): CommitSig => {
      if (!commit.signers.get(i)) return ABSENT;
      const timestamp = timeOf(commit, i);
      return { blockIdFlag: FLAG_COMMIT, validatorAddress, timestamp, signature: NO_SIGNATURE };
    });
    return blockSize(block, { ...commit, signatures });
  }

  /**
   * The commit of a decided block, signed and verified on demand; undefined if there is no such block.
   * @param last the commit of the latest block, which no block carries yet
   */
  commit(height: number, last: VotedCommit | undefined): VerifiedCommit | undefined {
    const { blocks, decided } = this.#ledger;
    const { chainId } = this.#constants;
    if (!blocks.has(height)) return undefined;
    const voted = height < decided ? this.#commitIn(height + 1) : last;
    if (voted === undefined) return undefined;
    const commit = signedCommit(chainId, voted, this.#secretOf);
    const id = blocks.blockIdAt(height);
    return { ...commit, error: commitError(chainId, voted.voters, id, height, commit) };
  }

  /** The commit that a block carries: the precommits for the block below, with this block's time. */
  #commitIn(height: number): VotedCommit {
    const { blocks } = this.#ledger;
    const below = height - 1;
    const voters = blocks.validatorsAt(below);
    const timestamp = blocks.timeAt(height) as Time;
    const commit = {
      height: below,
      round: blocks.roundAt(below),
      blockId: blocks.blockIdAt(below),
      signers: blocks.signersAt(below),
      nilSigners: new Bitset(voters.size),
      timestamp,
      times: blocks.voteTimesAt(below) ?? { usual: timestamp, others: NO_OTHERS },
    };
    return { commit, voters };
  }
}
