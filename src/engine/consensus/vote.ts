import { sign, verify } from "../../base/ed25519.ts";
import type { Time } from "../../base/time.ts";
import { type BlockId, isNil, writeBlockId } from "./block-id.ts";
import { ProtoWriter } from "./wire.ts";

/** SignedMsgType: the two kinds of vote. */
export const PREVOTE = 1;
export const PRECOMMIT = 2;
export type VoteType = typeof PREVOTE | typeof PRECOMMIT;

export interface UnsignedVote {
  readonly type: VoteType;
  readonly height: number;
  readonly round: number;
  /** NIL_BLOCK_ID for a vote for no block. */
  readonly blockId: BlockId;
  readonly timestamp: Time;
  readonly validatorAddress: Uint8Array;
  /** Index in the validator set of the height. */
  readonly validatorIndex: number;
}

export interface Vote extends UnsignedVote {
  readonly signature: Uint8Array;
}

/** Go's format of the type in errors. */
export function voteTypeText(type: VoteType): string {
  return type === PREVOTE ? "SIGNED_MSG_TYPE_PREVOTE" : "SIGNED_MSG_TYPE_PRECOMMIT";
}

/** Fields covered by a signature: everything in a vote except its voter. */
export type CanonicalVote = Pick<
  UnsignedVote,
  "type" | "height" | "round" | "blockId" | "timestamp"
>;

/**
 * Bytes that a validator signs: varint length ‖ CanonicalVote{1 type, 2 height sfixed64, 3 round
 * sfixed64, 4 block_id (absent for nil), 5 timestamp, 6 chain_id} (rules/consensus 3.4).
 */
export function voteSignBytes(chainId: string, vote: CanonicalVote): Uint8Array {
  const w = new ProtoWriter();
  const all = w.openDelimited();
  w.int(1, vote.type).fixed64(2, vote.height).fixed64(3, vote.round);
  if (!isNil(vote.blockId)) {
    const id = w.open(4);
    writeBlockId(w, vote.blockId).close(id);
  }
  return w.timestamp(5, vote.timestamp).string(6, chainId).close(all).finish();
}

/** Signs with an ed25519 secret key (the 32-byte seed). */
export function signVote(secretKey: Uint8Array, chainId: string, vote: UnsignedVote): Vote {
  return { ...vote, signature: sign(voteSignBytes(chainId, vote), secretKey) };
}

export function verifyVote(pubKey: Uint8Array, chainId: string, vote: Vote): boolean {
  return verify(vote.signature, voteSignBytes(chainId, vote), pubKey);
}

/** The Vote message of CometBFT's types.proto, without vote extensions. */
export function writeVote(w: ProtoWriter, vote: Vote): ProtoWriter {
  w.int(1, vote.type).int(2, vote.height).int(3, vote.round);
  const id = w.open(4);
  writeBlockId(w, vote.blockId).close(id);
  return w
    .timestamp(5, vote.timestamp)
    .bytes(6, vote.validatorAddress)
    .int(7, vote.validatorIndex)
    .bytes(8, vote.signature);
}
