import { Bitset } from "../../consensus/bitset.ts";
import { blockSize } from "../../consensus/block.ts";
import { NIL_BLOCK_ID } from "../../consensus/block-id.ts";
import {
  ABSENT,
  type Commit,
  type CommitSig,
  compactCommitHash,
  expandCommit,
  FLAG_COMMIT,
  type FullCommit,
  lastCommitHash,
  timeOf,
} from "../../consensus/commit.ts";
import { commitFault, type VerifiedCommit } from "../../consensus/commit-verify.ts";
import { evidenceListHash } from "../../consensus/evidence.ts";
import { dataHash } from "../../consensus/hashes.ts";
import { BLOCK_PROTOCOL, type Header } from "../../consensus/header.ts";
import type { ValidatorList } from "../../consensus/validator-list.ts";
import type { Time } from "../../primitives/time.ts";
import type { Applied } from "../node/node.ts";
import type { BlockBody } from "./block-store.ts";
import type { Ledger } from "./ledger.ts";

/** What all headers of one chain have in common. */
export interface HeaderConstants {
  readonly chainId: string;
  readonly consensusHash: Uint8Array;
  /** With `commits: full`, the key that each precommit is signed with. */
  readonly secretOf: ((address: Uint8Array) => Uint8Array) | undefined;
}

/** What a header says of its own block. */
export interface HeaderParts {
  readonly height: number;
  readonly time: Time;
  /** What its voters agree the chain's state is. */
  readonly agreed: Pick<Applied, "appHash" | "resultsHash">;
  readonly body: BlockBody;
  readonly voting: ValidatorList;
  readonly nextVoting: ValidatorList;
  /** Place of the proposer in the voting set. */
  readonly proposer: number;
}

/** A commit and the set whose places its bits are. */
export interface VotedCommit {
  readonly commit: Commit;
  readonly voters: ValidatorList;
}

/** The header of a block that stands on the commit of the one before; undefined for the first block. */
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
    dataHash: dataHash(parts.body.txs),
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

/** A commit with the signatures that its bits stand for. */
function signedCommit(
  chainId: string,
  { commit, voters }: VotedCommit,
  secretOf: (address: Uint8Array) => Uint8Array,
): FullCommit {
  return expandCommit(chainId, commit, voters, (i) => secretOf(voters.at(i).address));
}

/** The commit of a decided block, signed and verified now; undefined if there is no such block. `last` is that of the newest one. */
export function verifiedCommitAt(
  chainId: string,
  ledger: Ledger,
  height: number,
  last: VotedCommit | undefined,
  secretOf: (address: Uint8Array) => Uint8Array,
): VerifiedCommit | undefined {
  const { blocks, decided } = ledger;
  if (!blocks.has(height)) return undefined;
  const voted = height < decided ? commitBelow(ledger, height + 1) : last;
  if (voted === undefined) return undefined;
  const commit = signedCommit(chainId, voted, secretOf);
  const id = blocks.blockIdAt(height);
  return { ...commit, fault: commitFault(chainId, voted.voters, id, height, commit) };
}

/** The header of a decided block, put together again from what the ledger keeps; undefined if there is no such block. */
export function headerAt(
  constants: HeaderConstants,
  ledger: Ledger,
  height: number,
): Header | undefined {
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
  return createHeader(constants, parts, isFirst ? undefined : commitBelow(ledger, height));
}

/** Bytes of a decided block; undefined if there is no such block. */
export function blockSizeAt(
  constants: HeaderConstants,
  ledger: Ledger,
  height: number,
): number | undefined {
  const header = headerAt(constants, ledger, height);
  if (header === undefined) return undefined;
  const { txs, evidence } = ledger.blocks.bodyAt(height);
  const block = { header, txs, evidence };
  if (height === ledger.blocks.initialHeight) return blockSize(block, null);
  const { commit, voters } = commitBelow(ledger, height);
  const signatures = voters.addresses.map((validatorAddress, i): CommitSig => {
    if (!commit.signers.get(i)) return ABSENT;
    const timestamp = timeOf(commit, i);
    return { blockIdFlag: FLAG_COMMIT, validatorAddress, timestamp, signature: NO_SIGNATURE };
  });
  return blockSize(block, { ...commit, signatures });
}

/** Only its length matters here. */
const NO_SIGNATURE = new Uint8Array(64);

const NO_OTHERS: ReadonlyMap<number, Time> = new Map();

/** The commit that a block carries: the precommits on the block before it. Its time is the block's. */
function commitBelow({ blocks }: Ledger, height: number): VotedCommit {
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
