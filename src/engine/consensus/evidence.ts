import { sha256 } from "../../base/sha256.ts";
import type { Time } from "../../base/time.ts";
import { merkleRoot } from "../store/merkle.ts";
import {
  type DuplicateVoteEvidence,
  duplicateVoteShapeError,
  writeDuplicateVote,
} from "./duplicate-vote.ts";
import { EMPTY_HASH } from "./hashes.ts";
import type { LightClientAttackEvidence, LightClientAttackRules } from "./light-client-attack.ts";
import { ProtoWriter } from "./wire.ts";

export type Evidence = DuplicateVoteEvidence | LightClientAttackEvidence;

/** Undefined until registered: using it before then is a bug and throws. */
let attacks: LightClientAttackRules;

/**
 * Registers the rules for evidence of attacks on light clients (`light-client-attack.ts`), which
 * are loaded separately.
 */
export const setLightClientAttackRules = (rules: LightClientAttackRules): void => {
  attacks = rules;
};

const MISBEHAVIOR_DUPLICATE_VOTE = 1;
const MISBEHAVIOR_LIGHT_CLIENT_ATTACK = 2;

/**
 * A validator's misbehavior as passed to the application (ABCI Misbehavior); `address` is the
 * 20-byte consensus address.
 */
export interface Misbehavior {
  readonly type: number;
  readonly address: Uint8Array;
  readonly power: number;
  readonly height: number;
  readonly time: Time;
  readonly totalVotingPower: number;
}

export function evidenceHeight(ev: Evidence): number {
  return ev.kind === "duplicate-vote" ? ev.voteA.height : ev.commonHeight;
}

/** Protobuf of the evidence itself, without the enclosing Evidence oneof. */
export function evidenceBytes(ev: Evidence): Uint8Array {
  const w = new ProtoWriter();
  return (ev.kind === "duplicate-vote" ? writeDuplicateVote(w, ev) : attacks.write(w, ev)).finish();
}

/** Hash that identifies evidence in the pool. */
export function evidenceHash(ev: Evidence): Uint8Array {
  return ev.kind === "duplicate-vote" ? sha256(evidenceBytes(ev)) : attacks.hash(ev);
}

/** The header's evidence hash: Merkle root over the bytes of all items. */
export function evidenceListHash(list: readonly Evidence[]): Uint8Array {
  return list.length === 0 ? EMPTY_HASH : merkleRoot(list.map(evidenceBytes));
}

/**
 * Size of one entry of a block's EvidenceList, in bytes: the Evidence oneof (1 or 2) inside the
 * repeated field 1.
 */
export function evidenceListEntrySize(ev: Evidence): number {
  const oneof = new ProtoWriter().message(1, evidenceBytes(ev)).finish();
  return new ProtoWriter().message(1, oneof).view().length;
}

/** Validates the evidence without chain state. Returns the error, or null. */
export function evidenceShapeError(ev: Evidence): string | null {
  return ev.kind === "duplicate-vote" ? duplicateVoteShapeError(ev) : attacks.shapeError(ev);
}

/**
 * Validates evidence of an attack on a light client against the node's own chain
 * (`lightClientAttackError`). Returns the error, or null.
 */
export const attackError: LightClientAttackRules["error"] = (...args) => attacks.error(...args);

/**
 * Entries of the next block's misbehavior list for evidence: one per byzantine validator, none for
 * amnesia.
 */
export function misbehaviorOf(ev: Evidence): readonly Misbehavior[] {
  const common = {
    height: evidenceHeight(ev),
    time: ev.timestamp,
    totalVotingPower: ev.totalVotingPower,
  };
  if (ev.kind === "duplicate-vote") {
    const { validatorAddress: address } = ev.voteA;
    return [{ type: MISBEHAVIOR_DUPLICATE_VOTE, address, power: ev.validatorPower, ...common }];
  }
  return ev.byzantineValidators.map(({ address, power }) => ({
    type: MISBEHAVIOR_LIGHT_CLIENT_ATTACK,
    address,
    power,
    ...common,
  }));
}
