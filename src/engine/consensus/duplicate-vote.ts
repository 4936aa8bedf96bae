import { compare, equal, toHexUpper } from "../../base/bytes.ts";
import { addressOf } from "../../base/ed25519.ts";
import type { Time } from "../../base/time.ts";
import { blockIdKey, blockIdText, equalBlockIds } from "./block-id.ts";
import type { ValidatorList } from "./validator-list.ts";
import { type Vote, verifyVote, voteTypeText, writeVote } from "./vote.ts";
import type { ProtoWriter } from "./wire.ts";

/**
 * Honest nodes that noticed an offence, and the last decided height at that time. Not part of the
 * evidence's bytes.
 */
export interface Notice {
  readonly height: number;
  /** Names of the first few nodes. */
  readonly nodes: readonly string[];
  /** Number of further nodes. */
  readonly more: number;
}

const NAMED = 8;

export const noticeOf = (height: number, nodes: readonly { readonly name: string }[]): Notice => ({
  height,
  nodes: nodes.slice(0, NAMED).map(({ name }) => name),
  more: Math.max(nodes.length - NAMED, 0),
});

/**
 * Two signed votes of one validator for the same height, round and type but different blocks
 * (rules/consensus 2.1).
 */
export interface DuplicateVoteEvidence {
  readonly kind: "duplicate-vote";
  /** Ordered by block id key. */
  readonly voteA: Vote;
  readonly voteB: Vote;
  readonly totalVotingPower: number;
  readonly validatorPower: number;
  /** Time of the block at the votes' height. */
  readonly timestamp: Time;
  readonly noticed?: Notice | undefined;
}

/** Throws Error when the voter is not in the set of the votes' height. */
export function duplicateVoteEvidence(
  vote1: Vote,
  vote2: Vote,
  blockTime: Time,
  validators: ValidatorList,
): DuplicateVoteEvidence {
  const validator = validators.find(vote1.validatorAddress);
  if (validator === null) {
    throw new Error(`validator ${toHexUpper(vote1.validatorAddress)} not in validator set`);
  }
  const inOrder = compare(blockIdKey(vote1.blockId), blockIdKey(vote2.blockId)) < 0;
  return {
    kind: "duplicate-vote",
    voteA: inOrder ? vote1 : vote2,
    voteB: inOrder ? vote2 : vote1,
    totalVotingPower: validators.totalPower,
    validatorPower: validator.power,
    timestamp: blockTime,
  };
}

/** Validates the evidence without chain state. Returns the error, or null. */
export function duplicateVoteShapeError(ev: DuplicateVoteEvidence): string | null {
  const ordered = compare(blockIdKey(ev.voteA.blockId), blockIdKey(ev.voteB.blockId)) < 0;
  return ordered ? null : "duplicate votes in invalid order";
}

/**
 * Validates the evidence against the set of its height, in CometBFT's order. Returns CometBFT's
 * error text, or null.
 */
export function duplicateVoteError(
  ev: DuplicateVoteEvidence,
  chainId: string,
  validators: ValidatorList,
): string | null {
  const { voteA: a, voteB: b } = ev;
  const address = toHexUpper(a.validatorAddress);
  const validator = validators.find(a.validatorAddress);
  if (validator === null) return `address ${address} was not a validator at height ${a.height}`;
  if (a.height !== b.height || a.round !== b.round || a.type !== b.type) {
    return `h/r/s does not match: ${stepText(a)} vs ${stepText(b)}`;
  }
  if (!equal(a.validatorAddress, b.validatorAddress)) {
    return `validator addresses do not match: ${address} vs ${toHexUpper(b.validatorAddress)}`;
  }
  if (equalBlockIds(a.blockId, b.blockId)) {
    return `block IDs are the same (${blockIdText(a.blockId)}) - not a real duplicate vote`;
  }
  const keyAddress = addressOf(validator.pubKey);
  if (!equal(keyAddress, a.validatorAddress)) {
    const key = `PubKeyEd25519{${toHexUpper(validator.pubKey)}}`;
    return `address (${address}) doesn't match pubkey (${key} - ${toHexUpper(keyAddress)})`;
  }
  if (validator.power !== ev.validatorPower) {
    return `validator power from evidence and our validator set does not match (${ev.validatorPower} != ${validator.power})`;
  }
  if (validators.totalPower !== ev.totalVotingPower) {
    return totalPowerMismatch(ev.totalVotingPower, validators.totalPower);
  }
  if (!verifyVote(validator.pubKey, chainId, a)) return "verifying VoteA: invalid signature";
  if (!verifyVote(validator.pubKey, chainId, b)) return "verifying VoteB: invalid signature";
  return null;
}

export function totalPowerMismatch(inEvidence: number, inSet: number): string {
  return `total voting power from the evidence and our validator set does not match (${inEvidence} != ${inSet})`;
}

function stepText(vote: Vote): string {
  return `${vote.height}/${vote.round}/${voteTypeText(vote.type)}`;
}

/**
 * DuplicateVoteEvidence{1 vote_a, 2 vote_b, 3 total_voting_power, 4 validator_power, 5 timestamp}.
 */
export function writeDuplicateVote(w: ProtoWriter, ev: DuplicateVoteEvidence): ProtoWriter {
  const voteA = w.open(1);
  writeVote(w, ev.voteA).close(voteA);
  const voteB = w.open(2);
  writeVote(w, ev.voteB).close(voteB);
  return w.int(3, ev.totalVotingPower).int(4, ev.validatorPower).timestamp(5, ev.timestamp);
}
