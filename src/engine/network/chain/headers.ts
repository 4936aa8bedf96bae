import type { Time } from "../../../base/time.ts";
import { NIL_BLOCK_ID } from "../../consensus/block-id.ts";
import {
  type Commit,
  compactCommitHash,
  expandCommit,
  type FullCommit,
  lastCommitHash,
} from "../../consensus/commit.ts";
import { evidenceListHash } from "../../consensus/evidence.ts";
import { dataHash } from "../../consensus/hashes.ts";
import { BLOCK_PROTOCOL, type Header } from "../../consensus/header.ts";
import type { ValidatorList } from "../../consensus/validator-list.ts";
import type { Applied } from "../node/applied.ts";
import { type BlockBody, txHashesOf } from "./block.ts";

/** Header fields that all blocks of a chain share. */
export interface HeaderConstants {
  readonly chainId: string;
  readonly consensusHash: Uint8Array;
  /** Private key for signing precommits; only with `commits: full`. */
  readonly secretOf: ((address: Uint8Array) => Uint8Array) | undefined;
}

/** Header fields that are specific to one block. */
export interface HeaderParts {
  readonly height: number;
  readonly time: Time;
  /** State on which its voters agree. */
  readonly agreed: Pick<Applied, "appHash" | "resultsHash">;
  readonly body: BlockBody;
  readonly voting: ValidatorList;
  readonly nextVoting: ValidatorList;
  /** Validator index of the proposer. */
  readonly proposer: number;
}

/** A commit, and the validators to which its bits refer. */
export interface VotedCommit {
  readonly commit: Commit;
  readonly voters: ValidatorList;
}

/**
 * Creates the header of a block. `lastCommit` is the commit of the previous block; undefined for
 * the first block.
 */
export function createHeader(
  constants: HeaderConstants,
  parts: HeaderParts,
  last: VotedCommit | undefined,
): Header {
  return {
    version: { block: BLOCK_PROTOCOL, app: 0 },
    chainId: constants.chainId,
    height: parts.height,
    time: parts.time,
    lastBlockId: last?.commit.blockId ?? NIL_BLOCK_ID,
    lastCommitHash: hashOf(constants, last),
    dataHash: dataHash(txHashesOf(parts.body)),
    validatorsHash: parts.voting.hash(),
    nextValidatorsHash: parts.nextVoting.hash(),
    consensusHash: constants.consensusHash,
    appHash: parts.agreed.appHash,
    lastResultsHash: parts.agreed.resultsHash,
    evidenceHash: evidenceListHash(parts.body.evidence),
    proposerAddress: parts.voting.at(parts.proposer).address,
  };
}

function hashOf({ chainId, secretOf }: HeaderConstants, last: VotedCommit | undefined): Uint8Array {
  if (last === undefined || secretOf === undefined) return compactCommitHash(last?.commit ?? null);
  return lastCommitHash(signedCommit(chainId, last, secretOf).signatures);
}

/** Returns a commit with a signature for each of its bits. */
export function signedCommit(
  chainId: string,
  { commit, voters }: VotedCommit,
  secretOf: (address: Uint8Array) => Uint8Array,
): FullCommit {
  return expandCommit(chainId, commit, voters, (i) => secretOf(voters.at(i).address));
}
