import { concat, utf8 } from "../../../base/bytes.ts";
import { sha256 } from "../../../base/sha256.ts";
import type { Time } from "../../../base/time.ts";
import { type BlockId, blockIdOf } from "../../consensus/block-id.ts";
import { PRECOMMIT, signVote, type Vote, type VoteType } from "../../consensus/vote.ts";
import { CommandError } from "../../framework/errors.ts";
import type { BlockStore } from "../chain/block-store.ts";
import { consensusError } from "../node/execution.ts";
import type { Node } from "../node/node.ts";

/**
 * Logged by a node that receives a vote signed with its own key that it did not cast
 * (rules/consensus 2.5).
 */
export const CONFLICT_FROM_OURSELVES = consensusError(
  "found conflicting vote from ourselves; did you unsafe_reset a validator?",
);

/** Height, round and validator of a vote. */
export interface VotePosition {
  readonly chainId: string;
  readonly height: number;
  readonly round: number;
  readonly timestamp: Time;
  /** Index of the voter in the set of the height. */
  readonly index: number;
}

/** Returns two precommits of one node: one for the block, one for a block that does not exist. */
export function conflictingVotes(
  node: Node,
  position: VotePosition,
  blockHash: Uint8Array,
): readonly [Vote, Vote] {
  const vote = (hash: Uint8Array): Vote => signedVote(node, position, PRECOMMIT, blockIdOf(hash));
  return [vote(blockHash), vote(unknownBlock(blockHash, node))];
}

/**
 * Returns a node's conflicting precommits for a decided height and its round. Throws a CommandError
 * if it was not a validator at that height.
 */
export function conflictingVotesAt(
  node: Node,
  chainId: string,
  height: number,
  blocks: BlockStore,
): readonly [Vote, Vote] {
  const timestamp = blocks.timeAt(height);
  const hash = blocks.hashAt(height)?.slice();
  if (timestamp === undefined || hash === undefined) {
    throw new CommandError(`there is no block ${height} yet to vote on`);
  }
  const index = blocks.validatorsAt(height).indexOf(node.consensusAddress);
  if (index < 0)
    throw new CommandError(`${node.name} was not in the validator set of height ${height}`);
  const position = { chainId, height, round: blocks.roundAt(height), timestamp, index };
  return conflictingVotes(node, position, hash);
}

/** Returns a vote with a real signature. */
export function signedVote(
  node: Node,
  { chainId, height, round, timestamp, index }: VotePosition,
  type: VoteType,
  blockId: BlockId,
): Vote {
  return signVote(node.key.secret, chainId, {
    type,
    height,
    round,
    blockId,
    timestamp,
    validatorAddress: node.consensusAddress,
    validatorIndex: index,
  });
}

/** Hash of a block that only this node proposes. */
export const unknownBlock = (seed: Uint8Array, node: Node): Uint8Array =>
  sha256(concat(seed, utf8(node.name)));
