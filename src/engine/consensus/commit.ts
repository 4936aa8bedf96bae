import { EMPTY } from "../../base/bytes.ts";
import { sha256Into } from "../../base/sha256.ts";
import { GO_ZERO_TIME, type Time } from "../../base/time.ts";
import { merkleRoot } from "../store/merkle.ts";
import type { Bitset } from "./bitset.ts";
import { type BlockId, NIL_BLOCK_ID, writeBlockId } from "./block-id.ts";
import { EMPTY_HASH } from "./hashes.ts";
import type { ValidatorList } from "./validator-list.ts";
import { type CanonicalVote, PRECOMMIT, signVote } from "./vote.ts";
import { ProtoWriter } from "./wire.ts";

/** BlockIDFlag: kind of a validator's entry in a commit. */
export const FLAG_ABSENT = 1;
export const FLAG_COMMIT = 2;
export const FLAG_NIL = 3;
export type BlockIdFlag = typeof FLAG_ABSENT | typeof FLAG_COMMIT | typeof FLAG_NIL;

export interface CommitSig {
  readonly blockIdFlag: BlockIdFlag;
  /** If absent: no address, no signature, Go's zero time. */
  readonly validatorAddress: Uint8Array;
  readonly timestamp: Time;
  readonly signature: Uint8Array;
}

/** CometBFT's commit: one signature per validator of the height, in set order. */
export interface FullCommit {
  readonly height: number;
  readonly round: number;
  readonly blockId: BlockId;
  readonly signatures: readonly CommitSig[];
}

/**
 * The default form: validators that precommitted the block, and those that precommitted nil, as
 * bits by index in the set of the height. `timestamp` is the weighted median of the precommits'
 * times, which is the time of the next block.
 */
export interface Commit {
  readonly height: number;
  readonly round: number;
  readonly blockId: BlockId;
  readonly signers: Bitset;
  readonly nilSigners: Bitset;
  readonly timestamp: Time;
  /** Times of the precommits; absent if all equal `timestamp`. */
  readonly times?: VoteTimes;
}

/** Times of the precommits of one commit. */
export interface VoteTimes {
  /** Time of most precommits. */
  readonly usual: Time;
  /** Times of the others, by index. */
  readonly others: ReadonlyMap<number, Time>;
}

export const ABSENT: CommitSig = {
  blockIdFlag: FLAG_ABSENT,
  validatorAddress: EMPTY,
  timestamp: GO_ZERO_TIME,
  signature: EMPTY,
};

/** Returns the flag of the validator at this index of the commit. */
export function flagOf(commit: Commit, index: number): BlockIdFlag {
  if (commit.signers.get(index)) return FLAG_COMMIT;
  return commit.nilSigners.get(index) ? FLAG_NIL : FLAG_ABSENT;
}

/** Time of the precommit at this index. */
export const timeOf = ({ times, timestamp }: Pick<Commit, "times" | "timestamp">, index: number) =>
  times === undefined ? timestamp : (times.others.get(index) ?? times.usual);

/**
 * The header's last commit hash with `commits: full`: Merkle root of the CommitSig messages;
 * SHA-256 of the empty string without any.
 */
export function lastCommitHash(signatures: readonly CommitSig[]): Uint8Array {
  const w = new ProtoWriter();
  return merkleRoot(signatures.map((sig) => writeCommitSig(w.reset(), sig).finish()));
}

const scratch = new ProtoWriter();

/**
 * The header's last commit hash for compact commits (rules/consensus 3.7): SHA-256 of the protobuf
 * message {1 height, 2 round, 3 block_id, 4 timestamp, 5 number of validators, 6 signers, 7 nil
 * signers}, where a set of signers is ⌈n/8⌉ bytes with validator 0 in the lowest bit of the first.
 * Before the first commit (null): SHA-256 of the empty string, as in CometBFT.
 */
export function compactCommitHash(commit: Commit | null): Uint8Array {
  if (commit === null) return EMPTY_HASH;
  const w = scratch.reset().int(1, commit.height).int(2, commit.round);
  const id = w.open(3);
  writeBlockId(w, commit.blockId).close(id);
  w.timestamp(4, commit.timestamp)
    .int(5, commit.signers.size)
    .bits(6, commit.signers)
    .bits(7, commit.nilSigners);
  const hash = new Uint8Array(32);
  sha256Into(w.buffer, w.length, hash, 0);
  return hash;
}

/** Returns the precommit at an index of a full commit: the fields that its signature covers. */
export function precommitOf(
  commit: Pick<FullCommit, "height" | "round" | "blockId">,
  flag: BlockIdFlag,
  timestamp: Time,
): CanonicalVote {
  const blockId = flag === FLAG_COMMIT ? commit.blockId : NIL_BLOCK_ID;
  return { type: PRECOMMIT, height: commit.height, round: commit.round, blockId, timestamp };
}

/**
 * Returns a compact commit with its signatures, which are computed on demand: every precommit has
 * its validator's time. `secretKeyOf` returns the ed25519 seed of a validator by its index in the
 * set of that height.
 */
export function expandCommit(
  chainId: string,
  commit: Commit,
  validators: ValidatorList,
  secretKeyOf: (index: number) => Uint8Array,
): FullCommit {
  const signatures = validators.addresses.map((validatorAddress, index): CommitSig => {
    const blockIdFlag = flagOf(commit, index);
    if (blockIdFlag === FLAG_ABSENT) return ABSENT;
    const timestamp = timeOf(commit, index);
    const precommit = {
      ...precommitOf(commit, blockIdFlag, timestamp),
      validatorAddress,
      validatorIndex: index,
    };
    const { signature } = signVote(secretKeyOf(index), chainId, precommit);
    return { blockIdFlag, validatorAddress, timestamp, signature };
  });
  const { height, round, blockId } = commit;
  return { height, round, blockId, signatures };
}

/** CommitSig{1 block_id_flag, 2 validator_address, 3 timestamp, 4 signature}. */
function writeCommitSig(w: ProtoWriter, sig: CommitSig): ProtoWriter {
  return w
    .int(1, sig.blockIdFlag)
    .bytes(2, sig.validatorAddress)
    .timestamp(3, sig.timestamp)
    .bytes(4, sig.signature);
}

/** Commit{1 height, 2 round, 3 block_id, 4 signatures}. */
export function writeCommit(w: ProtoWriter, commit: FullCommit): ProtoWriter {
  w.int(1, commit.height).int(2, commit.round);
  const id = w.open(3);
  writeBlockId(w, commit.blockId).close(id);
  for (const sig of commit.signatures) {
    const mark = w.open(4);
    writeCommitSig(w, sig).close(mark);
  }
  return w;
}
