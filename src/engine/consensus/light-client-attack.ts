import { equal, toHexUpper } from "../../base/bytes.ts";
import { sha256 } from "../../base/sha256.ts";
import { goTimeString, type Time } from "../../base/time.ts";
import { writeVarint } from "../../base/varint.ts";
import type { Bitset } from "./bitset.ts";
import { FLAG_COMMIT, type FullCommit, writeCommit } from "./commit.ts";
import { commitError, trustingCommitError } from "./commit-verify.ts";
import { type Notice, totalPowerMismatch } from "./duplicate-vote.ts";
import { type Header, headerHash, writeHeader } from "./header.ts";
import { byPower, type Validator, type ValidatorList, writeValidator } from "./validator-list.ts";
import { type ValidatorSet, writeValidatorSet } from "./validator-set.ts";
import type { ProtoWriter } from "./wire.ts";

/** A block as received by a light client: header, its signatures, and the set of the signers. */
export interface LightBlock {
  readonly header: Header;
  readonly commit: FullCommit;
  readonly validators: ValidatorSet;
}

/** A node's own block: the header, with the round and the signers of its commit. */
export interface TrustedBlock {
  readonly header: Header;
  readonly round: number;
  readonly signers: Bitset;
}

/** A block sent to a light client that is not on the chain (rules/consensus 2.2). */
export interface LightClientAttackEvidence {
  readonly kind: "light-client-attack";
  readonly conflictingBlock: LightBlock;
  /**
   * Last height on which both agree; equal to the conflicting height unless the attack is lunatic.
   */
  readonly commonHeight: number;
  /** Sorted by power, descending. */
  readonly byzantineValidators: readonly Validator[];
  /** Total power of the set at the common height. */
  readonly totalVotingPower: number;
  /** Time of the block at the common height. */
  readonly timestamp: Time;
  readonly noticed?: Notice | undefined;
}

/** Operations on evidence of an attack on a light client. */
export interface LightClientAttackRules {
  write(w: ProtoWriter, ev: LightClientAttackEvidence): ProtoWriter;
  hash(ev: LightClientAttackEvidence): Uint8Array;
  shapeError(ev: LightClientAttackEvidence): string | null;
  error(
    ev: LightClientAttackEvidence,
    chainId: string,
    trusted: TrustedBlock,
    commonValidators: ValidatorList,
  ): string | null;
}

export type AttackKind = "lunatic" | "equivocation" | "amnesia";

/**
 * Returns the kind of attack. A header that cannot result from executing the trusted chain is
 * lunatic; a valid one is equivocation if signed in the same round, otherwise amnesia.
 */
export function attackKind(conflicting: LightBlock, trusted: TrustedBlock): AttackKind {
  if (isUnderivable(conflicting.header, trusted.header)) return "lunatic";
  return conflicting.commit.round === trusted.round ? "equivocation" : "amnesia";
}

function isUnderivable(a: Header, b: Header): boolean {
  return !(
    equal(a.validatorsHash, b.validatorsHash) &&
    equal(a.nextValidatorsHash, b.nextValidatorsHash) &&
    equal(a.consensusHash, b.consensusHash) &&
    equal(a.appHash, b.appHash) &&
    equal(a.lastResultsHash, b.lastResultsHash)
  );
}

/**
 * Returns the byzantine validators: for a lunatic attack the signers in the common set, for
 * equivocation those that committed both blocks in one round, for amnesia none, since the votes
 * alone do not identify them.
 */
function byzantineValidators(
  conflicting: LightBlock,
  trusted: TrustedBlock,
  commonValidators: ValidatorList,
): readonly Validator[] {
  const kind = attackKind(conflicting, trusted);
  if (kind === "amnesia") return [];
  const accused = kind === "lunatic" ? commonValidators : conflicting.validators.list;
  return conflicting.commit.signatures
    .filter((sig, i) => {
      if (sig.blockIdFlag !== FLAG_COMMIT) return false;
      return kind === "lunatic" || trusted.signers.get(i);
    })
    .map((sig) => accused.find(sig.validatorAddress))
    .filter((validator) => validator !== null)
    .sort(byPower);
}

/** `timestamp` is the time of the block at the common height. */
export function lightClientAttackEvidence(
  conflictingBlock: LightBlock,
  trusted: TrustedBlock,
  common: { height: number; time: Time; validators: ValidatorList },
): LightClientAttackEvidence {
  return {
    kind: "light-client-attack",
    conflictingBlock,
    commonHeight: common.height,
    byzantineValidators: byzantineValidators(conflictingBlock, trusted, common.validators),
    totalVotingPower: common.validators.totalPower,
    timestamp: common.time,
  };
}

/** Validates the evidence without chain state. Returns the error, or null. */
function lightClientAttackShapeError(ev: LightClientAttackEvidence): string | null {
  const { header, commit, validators } = ev.conflictingBlock;
  if (ev.totalVotingPower <= 0) return "negative or zero total voting power";
  if (ev.commonHeight <= 0) return "negative or zero common height";
  if (ev.commonHeight > header.height) {
    return `common height is ahead of the conflicting block height (${ev.commonHeight} > ${header.height})`;
  }
  const invalid = "invalid conflicting light block: ";
  if (header.height !== commit.height) {
    return `${invalid}header and commit height mismatch: ${header.height} vs ${commit.height}`;
  }
  const hash = headerHash(header);
  if (!equal(hash, commit.blockId.hash)) {
    return `${invalid}commit signs block ${toHexUpper(commit.blockId.hash)}, header is block ${toHexUpper(hash)}`;
  }
  if (!equal(header.validatorsHash, validators.hash())) {
    const [want, got] = [toHexUpper(header.validatorsHash), toHexUpper(validators.hash())];
    return `${invalid}expected validator hash of header to match validator set hash (${want} != ${got})`;
  }
  return null;
}

/**
 * Validates the evidence against the node's own chain, in CometBFT's order. Returns CometBFT's
 * error text, or null. `trusted` is the node's block at the conflicting height, or its latest if
 * the chain is shorter.
 */
export function lightClientAttackError(
  ev: LightClientAttackEvidence,
  chainId: string,
  trusted: TrustedBlock,
  commonValidators: ValidatorList,
): string | null {
  const { header, commit, validators } = ev.conflictingBlock;
  if (ev.commonHeight !== header.height) {
    const error = trustingCommitError(chainId, commonValidators, commit);
    if (error !== null) return `skipping verification of conflicting block failed: ${error}`;
  } else if (isUnderivable(header, trusted.header)) {
    return "common height is the same as conflicting block height so expected the conflicting block to be correctly derived yet it wasn't";
  }
  const error = commitError(chainId, validators.list, commit.blockId, header.height, commit);
  if (error !== null) return `invalid commit from conflicting block: ${error}`;
  if (ev.totalVotingPower !== commonValidators.totalPower) {
    return totalPowerMismatch(ev.totalVotingPower, commonValidators.totalPower);
  }
  return conflictError(header, trusted.header) ?? accusationError(ev, trusted, commonValidators);
}

function conflictError(conflicting: Header, trusted: Header): string | null {
  if (conflicting.height > trusted.height && conflicting.time > trusted.time) {
    const [later, earlier] = [goTimeString(conflicting.time), goTimeString(trusted.time)];
    return `conflicting block doesn't violate monotonically increasing time (${later} is after ${earlier})`;
  }
  const hash = headerHash(trusted);
  if (conflicting.height <= trusted.height && equal(hash, headerHash(conflicting))) {
    return `trusted header hash matches the evidence's conflicting header hash: ${toHexUpper(hash)}`;
  }
  return null;
}

function accusationError(
  ev: LightClientAttackEvidence,
  trusted: TrustedBlock,
  commonValidators: ValidatorList,
): string | null {
  const expected = byzantineValidators(ev.conflictingBlock, trusted, commonValidators);
  const accused = ev.byzantineValidators;
  if (expected.length === 0 && accused.length > 0) {
    return `expected nil validators from an amnesia light client attack but got ${accused.length}`;
  }
  if (expected.length !== accused.length) {
    return `expected ${expected.length} byzantine validators from evidence but got ${accused.length}`;
  }
  for (const [i, want] of expected.entries()) {
    const got = accused[i] ?? want;
    if (!equal(want.address, got.address)) {
      return `evidence contained an unexpected byzantine validator address; expected: ${toHexUpper(want.address)}, got: ${toHexUpper(got.address)}`;
    }
    if (!equal(want.pubKey, got.pubKey)) {
      return `evidence contained an unexpected byzantine validator public key for ${toHexUpper(want.address)}`;
    }
    if (want.power !== got.power) {
      return `evidence contained unexpected byzantine validator power; expected ${want.power}, got ${got.power}`;
    }
  }
  return null;
}

/**
 * Hash that identifies the evidence. It covers only the conflicting header and the common height,
 * so the same attack with other signatures is the same evidence; the last byte of the header hash
 * is replaced by zero, as upstream.
 */
function lightClientAttackHash(ev: LightClientAttackEvidence): Uint8Array {
  const bytes = new Uint8Array(42);
  bytes.set(headerHash(ev.conflictingBlock.header).subarray(0, 31));
  return sha256(bytes.subarray(0, writeVarint(bytes, 32, ev.commonHeight)));
}

/**
 * LightClientAttackEvidence{1 conflicting_block, 2 common_height, 3 byzantine_validators, 4
 * total_voting_power, 5 timestamp}.
 */
function writeLightClientAttack(w: ProtoWriter, ev: LightClientAttackEvidence): ProtoWriter {
  const { header, commit, validators } = ev.conflictingBlock;
  const block = w.open(1);
  const signedHeader = w.open(1);
  const inner = w.open(1);
  writeHeader(w, header).close(inner);
  const commitMark = w.open(2);
  writeCommit(w, commit).close(commitMark).close(signedHeader);
  const set = w.open(2);
  writeValidatorSet(w, validators).close(set).close(block);
  w.int(2, ev.commonHeight);
  for (const validator of ev.byzantineValidators) {
    const mark = w.open(3);
    writeValidator(w, validator, 0).close(mark);
  }
  return w.int(4, ev.totalVotingPower).timestamp(5, ev.timestamp);
}

export const LIGHT_CLIENT_ATTACKS: LightClientAttackRules = {
  write: writeLightClientAttack,
  hash: lightClientAttackHash,
  shapeError: lightClientAttackShapeError,
  error: lightClientAttackError,
};
