import type { Time } from "../../../base/time.ts";
import { Bitset } from "../../consensus/bitset.ts";
import type { Header } from "../../consensus/header.ts";
import {
  createHeader,
  type HeaderConstants,
  type HeaderParts,
  type VotedCommit,
} from "./headers.ts";
import type { Ledger } from "./ledger.ts";

const NO_OTHERS: ReadonlyMap<number, Time> = new Map();

/** Rebuilds headers and commits of decided blocks from the ledger. */
export class BlockReader {
  readonly constants: HeaderConstants;
  readonly ledger: Ledger;
  /** Returns the private key of a consensus address. */
  readonly secretOf: (address: Uint8Array) => Uint8Array;

  constructor(
    constants: HeaderConstants,
    ledger: Ledger,
    secretOf: (address: Uint8Array) => Uint8Array,
  ) {
    this.constants = constants;
    this.ledger = ledger;
    this.secretOf = secretOf;
  }

  /** Returns the header of a decided block; undefined if there is none. */
  header(height: number): Header | undefined {
    const ledger = this.ledger;
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
    return createHeader(this.constants, parts, isFirst ? undefined : this.commitIn(height));
  }

  /**
   * Returns the commit in a block: the precommits for the previous block, with this block's time.
   */
  commitIn(height: number): VotedCommit {
    const { blocks } = this.ledger;
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
