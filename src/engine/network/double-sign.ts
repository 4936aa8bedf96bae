import { blockIdOf } from "../consensus/block-id.ts";
import { PRECOMMIT, signVote, type Vote } from "../consensus/vote.ts";
import { concat, utf8 } from "../primitives/bytes.ts";
import { sha256 } from "../primitives/sha256.ts";
import type { Time } from "../primitives/time.ts";
import type { Node } from "./node.ts";

/** The place in consensus where a node votes twice. */
export interface VotePlace {
  readonly chainId: string;
  readonly height: number;
  readonly round: number;
  readonly blockHash: Uint8Array;
  readonly timestamp: Time;
  /** The voter's place in the set of the height. */
  readonly index: number;
}

/** Two precommits of one node, really signed: one for the block, one for a block that nobody has. */
export function conflictingVotes(node: Node, place: VotePlace): readonly [Vote, Vote] {
  const vote = (blockHash: Uint8Array): Vote =>
    signVote(node.key.secret, place.chainId, {
      type: PRECOMMIT,
      height: place.height,
      round: place.round,
      blockId: blockIdOf(blockHash),
      timestamp: place.timestamp,
      validatorAddress: node.consensusAddress,
      validatorIndex: place.index,
    });
  return [vote(place.blockHash), vote(sha256(concat(place.blockHash, utf8(node.name))))];
}
